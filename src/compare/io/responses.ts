import { compareCors } from '../cors.ts';
import { compareResponses, type Probe, recordOf, typeOf, unusable } from '../probes.ts';
import { compareConfigs, type ComparedLists } from '../records.ts';
import { type Compared, differs } from '../result.ts';
import { CONFIG } from '../../document/endpoint.ts';
import type { HttpResponse } from '../../http/exchange.ts';
import { mapConcurrently } from '../../io/concurrency.ts';
import type { LiveList } from './live-list.ts';
import { completeResponse, type Sides } from './side.ts';

/** What responses are compared with. */
export interface Known extends Pick<ComparedLists, 'pairs'> {
  old: LiveList;
  new: LiveList;
}

/** Requests of one kind under way at the same time. */
export const CONCURRENCY = 4;

/** What both services respond to probes. */
export async function compareProbes(probes: readonly Probe[], sides: Sides, known: Known): Promise<Compared[]> {
  const results = await mapConcurrently(probes, CONCURRENCY, async (probe) => {
    const [old, now] = await askBoth(probe, sides);
    return compareProbe(probe, old, now, known);
  });
  return results.flat();
}

type Response = HttpResponse | string;

async function askBoth({ method, path, headers }: Omit<Probe, 'what'>, sides: Sides): Promise<[Response, Response]> {
  const [old, now] = await Promise.all([sides.old.ask(method, path, headers), sides.new.ask(method, path, headers)]);
  return [completeResponse(old), completeResponse(now)];
}

function compareProbe({ what, method, path, headers }: Probe, old: Response, now: Response, known: Known): Compared[] {
  if (typeof old === 'string' || typeof now === 'string') return [unusable('responses', what, old, now)];
  const { Origin: origin } = headers;
  if (origin !== undefined) return compareCors({ what, method }, origin, old, now);
  const rows = compareResponses({ what, method }, old, now);
  const document = method === 'GET' ? documentDifference(path, old, now, known) : undefined;
  if (document === undefined) return rows;
  return [
    ...rows.filter((row) => row.class !== 'same'),
    differs('responses', `${what} body`, document.old, document.new),
  ];
}

/** How two documents differ, beyond what their lists say already; nothing for other responses. */
function documentDifference(
  path: string,
  old: HttpResponse,
  now: HttpResponse,
  known: Known,
): { old: string; new: string } | undefined {
  const isDocument = (response: HttpResponse): boolean =>
    response.status === 200 && typeOf(response)?.startsWith('application/json') === true;
  if (!isDocument(old) || !isDocument(now)) return undefined;
  if (path.startsWith(CONFIG.path)) {
    const [before, after] = [recordOf(old), recordOf(now)];
    if (before === undefined || after === undefined)
      return { old: before === undefined ? 'no theme' : 'a theme', new: after === undefined ? 'no theme' : 'a theme' };
    return compareConfigs(before, after, known.pairs);
  }
  const isList = (response: HttpResponse, { sha256 }: LiveList): string =>
    response.sha256 === sha256 ? 'the list' : 'another list';
  const [before, after] = [isList(old, known.old), isList(now, known.new)];
  return before === after ? undefined : { old: before, new: after };
}
