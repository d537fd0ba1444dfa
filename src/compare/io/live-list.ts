import { LIST } from '../../document/endpoint.ts';
import { notJson, readList, type WholeList } from '../../http/read-list.ts';
import { shownStatus } from '../probes.ts';
import type { HttpResponse } from '../../http/exchange.ts';
import { UsageError } from '../../command-line/command.ts';
import { completeResponse, type Side } from './side.ts';

/** The themes of a service. */
export interface LiveList extends Pick<WholeList, 'records' | 'form'> {
  /** Hash of the response to LIST; of the first page, if there are several. */
  sha256: string;
  cacheControl: string | undefined;
}

/** Reads the list of a service, page by page. @throws {UsageError} if it is not reached, or returns no list */
export async function readLiveList(side: Side): Promise<LiveList> {
  let first: HttpResponse | undefined;
  const list = await readList(side.url + LIST.path, async (url) => {
    const response = await listPage(side, pathBelow(side, url));
    first ??= response;
    return { body: Buffer.from(response.start), headers: response.headers };
  });
  if ('problem' in list) throw new UsageError(`LIST of ${side.name} returns no list of themes. ${list.problem}`);
  const { records, form } = list;
  return { records, form, sha256: first?.sha256 ?? '', cacheControl: first?.headers['cache-control'] };
}

async function listPage(side: Side, path: string): Promise<HttpResponse> {
  const response = completeResponse(await side.ask('GET', path, { Accept: 'application/json' }));
  if (typeof response === 'string') throw new UsageError(`${side.name} cannot be reached: ${response}.`);
  const other = response.status === 200 ? notJson(Buffer.from(response.start)) : `status ${shownStatus(response)}`;
  if (other === undefined) return response;
  const hint = side.name === 'OLD' ? ' If it needs a login, pass credentials: `--list-header NAME=VARIABLE`.' : '';
  throw new UsageError(`LIST of ${side.name} returns no list of themes, but ${other}.${hint}`);
}

/** The path of a further page: of the same service, whatever host it names itself. */
function pathBelow({ name, url }: Side, next: string): string {
  const { pathname, search } = URL.canParse(next) ? new URL(next) : { pathname: '', search: '' };
  const path = pathname.slice(new URL(url).pathname.replace(/\/$/, '').length);
  if (!path.startsWith(LIST.path)) throw new UsageError(`The list of ${name} names a next page that is not its own.`);
  return path + search;
}
