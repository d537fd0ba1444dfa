import { shownUrl } from '../../../core/diagnostics/quote.ts';
import { CONFIG, LIST } from '../../../core/document/endpoint.ts';
import { sniffFormat } from '../../../core/image/format.ts';
import { parseJson } from '../../../system/http/parse-json.ts';
import { MAX_PAGE_BYTES, describeNonJson, type PageSource } from '../../../system/http/read-list.ts';
import { type Fetched, type FetchOptions, Fetcher, type NotFetched } from '../../../system/http/io/fetcher.ts';
import { UsageError } from '../../../system/command-line/command.ts';

/** A fetched image, or a sentence why it was not fetched. */
type SourceImage = { bytes: Buffer } | { problem: string };

const ACCEPT_JSON = { Accept: 'application/json' };

/** The service to import themes from. Sends only GET. */
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

  /** Fetches a page of the list; undefined if it does not exist, which a page after the first may. @throws {UsageError} */
  async page(url: string, mayBeMissing = false): Promise<PageSource | undefined> {
    const page = await this.#json(url);
    if (!('problem' in page)) return page;
    if (mayBeMissing && 'status' in page && page.status === 404) return undefined;
    const login = page.redirectedTo === undefined || page.problem.includes(LOGIN_HINT) ? '' : ` ${LOGIN_HINT}`;
    throw new UsageError(`${shownUrl(url)} returns no list of themes. ${page.problem}${login}`);
  }

  /** Returns the id of the theme of anonymous clients, if CONFIG responds without credentials. */
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
    const kind = describeNonJson(body);
    return kind === undefined ? response : { problem: wrongContent(response, kind, 'JSON') };
  }

  async image(url: string, limit: number): Promise<SourceImage> {
    const response = await this.#fetcher.get(url, limit);
    if ('problem' in response) return response;
    const { status, body } = response;
    if (status !== 200) return { problem: imageProblem(new URL(url), response, new URL(this.listUrl).origin) };
    const sniffed = sniffFormat(body);
    if ('other' in sniffed && /^\s*(?:<!doctype html|<html|\{|\[)/i.test(body.toString('latin1', 0, 200)))
      return { problem: wrongContent(response, sniffed.other, 'an image') };
    return { bytes: body };
  }

  close(): void {
    this.#fetcher.close();
  }
}

function statusProblem({ status, redirectedTo }: Fetched): string {
  // The status is misleading: the redirect may lead to a page that only the front end has.
  if (redirectedTo !== undefined)
    return `It redirects to ${redirectedTo}, and the response there is ${status}. ${LOGIN_HINT}`;
  if (status !== 401 && status !== 403) return `The response is ${status}.`;
  return `The response is ${status}: it needs credentials, or different ones: \`--header NAME=VARIABLE\`.`;
}

/** Explains why an image was not fetched. Credentials are suggested only for the host of the list, because no other host gets them. */
function imageProblem(url: URL, response: Fetched, listOrigin: string): string {
  const { status, redirectedTo } = response;
  if (redirectedTo !== undefined || url.origin === listOrigin || (status !== 401 && status !== 403))
    return statusProblem(response);
  return `The response is ${status}: ${url.host} serves images only to certain clients or pages. Allow \`themecast-import\` (User-Agent) there, or put the image into the theme by hand.`;
}

const LOGIN_HINT = 'If it is a login page, pass credentials: `--header NAME=VARIABLE`.';

/** Describes a response with the wrong content, usually a login page. */
function wrongContent({ redirectedTo }: Fetched, kind: string, expected: string): string {
  const redirect = redirectedTo === undefined ? '' : `It redirects to ${redirectedTo}. `;
  return `${redirect}The response is ${kind}, not ${expected}. ${LOGIN_HINT}`;
}
