import { shownUrl } from '../../diagnostics/quote.ts';
import { CONFIG, LIST } from '../../document/endpoint.ts';
import { sniffFormat } from '../../image/format.ts';
import { parseJson } from '../../http/parse-json.ts';
import { MAX_PAGE_BYTES, notJson, type PageSource } from '../../http/read-list.ts';
import { type Fetched, type FetchOptions, Fetcher, type NotFetched } from '../../http/io/fetcher.ts';
import type { FetchedFiles } from './fetched.ts';
import { UsageError } from '../../command-line/command.ts';

/** The hash of an image that was fetched, and whether it is that of an earlier import; or why there is none, as a sentence. */
export type SourceImageResult = { sha256: string; isUnchanged: boolean } | { problem: string };

const ACCEPT_JSON = { Accept: 'application/json' };

/** The service that themes are imported from. Nothing but GET is sent. */
export class ServiceSource {
  readonly listUrl: string;
  readonly #configUrl: string;
  readonly #fetcher: Fetcher;

  /** @param baseUrl - the part before the endpoints, without trailing slash */
  constructor(baseUrl: string, options: Omit<FetchOptions, 'userAgent'>) {
    this.listUrl = baseUrl + LIST.path;
    this.#configUrl = baseUrl + CONFIG.path;
    this.#fetcher = new Fetcher({ ...options, userAgent: 'themecast-import' });
  }

  /** A page of the list. @throws {UsageError} */
  async page(url: string): Promise<PageSource> {
    const page = await this.#json(url);
    if (!('problem' in page)) return page;
    const login = page.redirectedTo === undefined || page.problem.includes(LOGIN_HINT) ? '' : ` ${LOGIN_HINT}`;
    throw new UsageError(`${shownUrl(url)} gives no list of themes. ${page.problem}${login}`);
  }

  /** The id of the theme that an anonymous client gets, if the service says it. */
  async defaultId(): Promise<number | undefined> {
    const page = await this.#json(this.#configUrl);
    const parsed = 'problem' in page ? page : parseJson(page.body, page.headers['content-type']);
    const { json } = { json: undefined, ...parsed };
    const isRecord = typeof json === 'object' && json !== null && 'id' in json;
    return isRecord && typeof json.id === 'number' ? json.id : undefined;
  }

  async #json(url: string): Promise<Fetched | NotFetched> {
    const response = await this.#fetcher.get(url, MAX_PAGE_BYTES, ACCEPT_JSON);
    if ('problem' in response) return response;
    const { status, body } = response;
    if (status !== 200) return { ...response, problem: statusProblem(response) };
    const kind = notJson(body);
    return kind === undefined ? response : { problem: notWanted(response, kind, 'JSON') };
  }

  async image(url: string, fetched: FetchedFiles, limit: number): Promise<SourceImageResult> {
    const known = await fetched.known(url, limit);
    const response = await this.#fetcher.get(url, limit, {
      ...(known?.etag !== undefined && { 'If-None-Match': known.etag }),
      ...(known?.modified !== undefined && { 'If-Modified-Since': known.modified }),
    });
    if ('problem' in response) return response;
    const { status, headers, body } = response;
    if (status === 304 && known !== undefined) return { sha256: known.sha256, isUnchanged: true };
    if (status !== 200) return { problem: imageProblem(new URL(url), response, new URL(this.listUrl).origin) };
    const sniffed = sniffFormat(body);
    if ('other' in sniffed && /^\s*(?:<!doctype html|<html|\{|\[)/i.test(body.toString('latin1', 0, 200)))
      return { problem: notWanted(response, sniffed.other, 'an image') };
    const sha256 = await fetched.add(url, body, headers);
    return { sha256, isUnchanged: known?.sha256 === sha256 };
  }

  close(): void {
    this.#fetcher.close();
  }
}

function statusProblem({ status, redirectedTo }: Fetched): string {
  // Its status says nothing: a service may send to a page that only its front end has.
  if (redirectedTo !== undefined)
    return `It redirects to ${redirectedTo}, and the response there is ${status}. ${LOGIN_HINT}`;
  if (status !== 401 && status !== 403) return `The response is ${status}.`;
  return `The response is ${status}: it needs credentials, or other ones: \`--header NAME=VARIABLE\`.`;
}

/** Parameters of signed URLs of S3, CloudFront, Azure and Google. */
const SIGNED = /[?&](?:x-amz-signature|signature|sig|expires|x-goog-signature|token)=/i;

/** Why an image does not come. Credentials go to the host of the list alone, so they help nowhere else. */
function imageProblem(url: URL, response: Fetched, listOrigin: string): string {
  const { status, redirectedTo } = response;
  if (SIGNED.test(url.search) && status >= 400 && status < 500)
    return `The response is ${status}: the URL is signed, and may have expired. Run the command again: the list then has a new one.`;
  if (redirectedTo !== undefined || url.origin === listOrigin || (status !== 401 && status !== 403))
    return statusProblem(response);
  return `The response is ${status}: ${url.host} gives images only to certain clients or pages. Let it give them to \`themecast-import\` (User-Agent), or put the image into the theme by hand.`;
}

const LOGIN_HINT = 'If it is a login page, pass credentials: `--header NAME=VARIABLE`.';

/** What came instead: a login page, most often. */
function notWanted({ redirectedTo }: Fetched, kind: string, wanted: string): string {
  const redirect = redirectedTo === undefined ? '' : `It redirects to ${redirectedTo}. `;
  return `${redirect}The response is ${kind}, not ${wanted}. ${LOGIN_HINT}`;
}
