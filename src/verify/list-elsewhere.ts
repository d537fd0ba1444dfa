import { compact } from '../diagnostics/compact.ts';
import { type HttpResponse, statusOf } from '../http/exchange.ts';
import { type Asking, evaluated, type Exchange } from './ask.ts';
import type { Deployment } from './build.ts';
import type { Responded } from './config-theme.ts';
import { listRequest } from './list.ts';
import type { Result } from './result.ts';

/** LIST at each declared hostname where CONFIG responds. */
export function hostnameExchanges(
  deployment: Deployment,
  list: HttpResponse,
  responded: readonly Responded[],
): Exchange[] {
  const names = responded.flatMap(({ requester: { headers } }) => headers['Host'] ?? []);
  return names.map((Host) => sameList(deployment, list, { headers: { Host } }));
}

/** LIST at each address of the hostname, IPv4 and IPv6; of those that this machine has no way to, a note. */
export function* addressResults(
  deployment: Deployment,
  list: HttpResponse,
): Asking<{ results: Result[]; notes: string[] }> {
  const { addresses = [] } = deployment;
  // Of one address, that is where everything else is asked.
  const exchanges = addresses.length < 2 ? [] : addresses.map((address) => sameList(deployment, list, { address }));
  const outcomes = yield exchanges.map(({ request }) => request);
  const isRouted = (at: number): boolean => {
    const outcome = outcomes[at];
    return outcome === undefined || !('isUnrouted' in outcome);
  };
  const unrouted = exchanges.flatMap(({ request: { address } }, at) => (isRouted(at) ? [] : (address ?? [])));
  return {
    results: exchanges.flatMap((exchange, at) => (isRouted(at) ? evaluated(exchange, outcomes[at]) : [])),
    notes: compact([
      unrouted.length > 0 && `Not requested, because this machine has no way to it: ${unrouted.join(', ')}.`,
    ]),
  };
}

function sameList(
  deployment: Deployment,
  list: HttpResponse,
  { headers, address }: { headers?: { Host: string }; address?: string },
): Exchange {
  return {
    id: 'list/status',
    request: { ...listRequest(deployment, headers), ...(address !== undefined && { address }) },
    is: (response) => response.status === 200 && response.sha256 === list.sha256,
    expected: '200 with the same list',
    found: (response) => (response.status === 200 ? 'another document' : statusOf(response)),
    message: 'LIST is missing, or another one, at another hostname or address of the URL.',
    hint: `Every hostname and every address in DNS, A and AAAA, must lead to the same service: see ${deployment.build.rulesAt}.`,
  };
}
