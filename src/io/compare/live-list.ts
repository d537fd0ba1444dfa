import { count } from '../../diagnostics/quote.ts';
import { LIST } from '../../document/endpoint.ts';
import { type ListPage, readPage } from '../../import/read-list.ts';
import { type HttpResponse, jsonOf } from '../../verify/exchange.ts';
import { CompareError } from './compare-error.ts';
import { completeResponse, type Side } from './side.ts';

/** The themes of a service. */
export interface LiveList {
  records: readonly unknown[];
  /** Hash of the response to LIST; of the first page, if there are several. */
  sha256: string;
  cacheControl: string | undefined;
}

const MAX_PAGES = 1000;
const MAX_THEMES = 100_000;

/** Reads the list of a service, page by page. @throws {CompareError} if it is not reached, or returns no list */
export async function readLiveList(side: Side): Promise<LiveList> {
  const first = await listPage(side, LIST.path);
  const records = [...first.page.records];
  let { next } = first.page;
  const seen = new Set<string>([LIST.path]);
  for (let pages = 1; next !== undefined; pages++) {
    if (pages === MAX_PAGES || records.length > MAX_THEMES)
      throw new CompareError(
        `The list of ${side.name} has no end: more than ${MAX_PAGES} pages, or ${count(MAX_THEMES, 'theme')}.`,
      );
    const path = pathBelow(side, next);
    if (seen.has(path)) throw new CompareError(`The pages of the list of ${side.name} form a cycle.`);
    seen.add(path);
    const { page } = await listPage(side, path);
    for (const record of page.records) records.push(record);
    next = page.next;
  }
  const { sha256, headers } = first.response;
  return { records, sha256, cacheControl: headers['cache-control'] };
}

async function listPage(side: Side, path: string): Promise<{ page: ListPage; response: HttpResponse }> {
  const response = completeResponse(await side.ask('GET', path, { Accept: 'application/json' }));
  if (typeof response === 'string') throw new CompareError(`${side.name} cannot be reached: ${response}.`);
  const page = response.status === 200 ? readPage(jsonOf(response)) : undefined;
  if (page !== undefined) return { page, response };
  const found = response.status === 200 ? 'something else' : `status ${response.status}`;
  throw new CompareError(`LIST of ${side.name} returns no list of themes, but ${found}.`);
}

/** The path of a further page: of the same service, whatever host it names itself. */
function pathBelow({ name, url }: Side, next: string): string {
  const { pathname, search } = URL.canParse(next, url) ? new URL(next, url) : { pathname: '', search: '' };
  const path = pathname.slice(new URL(url).pathname.replace(/\/$/, '').length);
  if (!path.startsWith(LIST.path)) throw new CompareError(`The list of ${name} names a next page that is not its own.`);
  return path + search;
}
