import { count } from '../diagnostics/quote.ts';
import { ask, evaluated, type Exchange } from './ask.ts';
import { firstOfEach, type Session } from './build.ts';
import { configExchange } from './config.ts';
import { renderingExchange } from './documents.ts';
import { recordExchange } from './files.ts';
import { fault, passed } from './result.ts';

/** Addresses that are requested; responses of CONFIG that are requested at each. */
const MAX_ADDRESSES = 8;
const MAX_PERSONAL = 16;

/**
 * What clients may get at each address of the host: LIST, CONFIG as one requester of each rule, the record and some images.
 * @returns notes
 */
export async function addressResults(
  { deployment, send, results, responded }: Session,
  list: Exchange,
  images: readonly Exchange[],
): Promise<string[]> {
  const { url, addresses = [] } = deployment;
  const personal = firstOfEach(
    responded,
    ({ probe, requester }) =>
      `${String(probe.returns)} ${requester.rule === undefined ? '' : deployment.build.rules.identity.indexOf(requester.rule)}`,
  );
  const sample: Exchange[] = [
    recordExchange(deployment, () => undefined),
    ...images,
    ...personal
      .slice(0, MAX_PERSONAL)
      .map(({ probe, requester }) =>
        probe.returns === 'json'
          ? configExchange(deployment, probe, requester, () => undefined)
          : renderingExchange(deployment, probe, requester.theme),
      ),
  ];
  const notes: string[] = [];
  const at = (exchange: Exchange, address: string): Exchange => {
    return { ...exchange, request: { ...exchange.request, address } };
  };
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const first = at(list, address);
    const [outcome] = await send([first.request]);
    if (outcome !== undefined && 'noResponse' in outcome) {
      const { noResponse } = outcome;
      // Here is no IPv6, most often.
      if (noResponse.includes('no way to')) {
        notes.push(`The address ${address} was not verified: there is no way to it from here.`);
        continue;
      }
      const details = {
        expected: 'a response',
        found: noResponse,
        hint: 'Clients lose time until they try the next address: remove this one from DNS, or let a server respond there.',
        url: `${url} at the address ${address}`,
      };
      results.push(fault('service/address', 'An address of the host does not respond.', details));
      continue;
    }
    const found = evaluated(first, outcome);
    results.push(...found);
    if (found.every(({ ok, id }) => ok || id === 'list/base-url'))
      results.push(
        ...(await ask(
          send,
          sample.map((exchange) => at(exchange, address)),
        )),
      );
  }
  if (addresses.length > 0) results.push(passed('service/address', count(addresses.length, 'address', 'addresses')));
  return notes;
}
