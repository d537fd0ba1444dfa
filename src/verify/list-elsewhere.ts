import { compact } from '../diagnostics/compact.ts';
import type { Deployment } from './build.ts';
import type { Responded } from './config-theme.ts';
import { type HttpResponse, type NoResponse, statusOf } from '../http/exchange.ts';
import { type Asking, type Exchange, judgedOutcome } from './ask.ts';
import { listRequest } from './list.ts';
import { judged, type Result } from './result.ts';

/** LIST at each declared hostname where CONFIG responds. */
export function hostnameExchanges(
  deployment: Deployment,
  list: HttpResponse,
  responded: readonly Responded[],
): Exchange[] {
  const names = responded.flatMap(({ requester: { headers } }) => headers['Host'] ?? []);
  return names.map((Host) => {
    const request = listRequest(deployment, { Host });
    return { id: 'list/status', request, judge: (response) => sameList(deployment, list, response) };
  });
}

/** LIST at each address of the hostname, IPv4 and IPv6; of those that this machine has no way to, a note. */
export function* addressResults(
  deployment: Deployment,
  list: HttpResponse,
): Asking<{ results: Result[]; notes: string[] }> {
  const { addresses = [] } = deployment;
  // Of one address, that is where everything else is asked.
  const requests = addresses.length < 2 ? [] : addresses.map((address) => ({ ...listRequest(deployment), address }));
  const outcomes = yield requests;
  const unrouted = requests.filter((_, index) => (outcomes[index] as Partial<NoResponse>).isUnrouted === true);
  return {
    results: requests.flatMap((request, index) =>
      unrouted.includes(request)
        ? []
        : judgedOutcome('list/status', request, outcomes[index], (response) => sameList(deployment, list, response)),
    ),
    notes: compact([
      unrouted.length > 0 &&
        `Not requested, because this machine has no way to it: ${unrouted.map(({ address }) => address).join(', ')}.`,
    ]),
  };
}

function sameList({ build }: Deployment, list: HttpResponse, response: HttpResponse): Result[] {
  const isSame = response.status === 200 && response.sha256 === list.sha256;
  return [
    judged('list/status', isSame, 'LIST is missing, or another one, at another hostname or address of the URL.', {
      expected: '200 with the same list',
      found: response.status === 200 ? 'another document' : statusOf(response),
      hint: `Every hostname and every address in DNS, A and AAAA, must lead to the same service: see ${build.rulesAt}.`,
    }),
  ];
}
