import path from 'node:path';
import { count, quote, shownUrl } from '../../diagnostics/quote.ts';
import { CONFIG, LIST } from '../../document/endpoint.ts';
import { sniffFormat } from '../../image/format.ts';
import { parseJson } from '../../http/parse-json.ts';
import { MAX_PAGE_BYTES, notJson, type PageSource } from '../../http/read-list.ts';
import { readRegularFile } from '../../io/disk/files.ts';
import { ContainedFolder, isPathBelow } from '../../io/disk/contained-folder.ts';
import { type Fetched, type FetchOptions, Fetcher, type NotFetched } from './fetcher.ts';
import type { FetchedFiles } from './fetched.ts';
import { ImportError } from './import-error.ts';

/** The hash of an image that was fetched, and whether it is that of an earlier import; or why there is none, as a sentence. */
export type SourceImageResult = { sha256: string; isUnchanged: boolean } | { problem: string };

/** Where themes are imported from. */
export interface ImportSource {
  listUrl: string;
  /** What relative URLs of images are below. */
  imageBase: string;
  /** Requests that were sent again. */
  readonly retries: number;
  /** A page of the list. @throws {ImportError} */
  page(url: string): Promise<PageSource>;
  /** The id of the theme that an anonymous client gets, if it can be known. */
  defaultId(): Promise<number | undefined>;
  /** Whether there are images at all, before anything is written. @throws {ImportError} */
  expectImages(urls: readonly string[]): Promise<void>;
  image(url: string, fetched: FetchedFiles, limit: number): Promise<SourceImageResult>;
  close(): void;
}

const ACCEPT_JSON = { Accept: 'application/json' };

/** A live service. Nothing but GET is sent. */
export class ServiceSource implements ImportSource {
  readonly listUrl: string;
  readonly #configUrl: string;
  readonly #fetcher: Fetcher;
  readonly #credentials: Credentials;

  /** @param baseUrl - the part before the endpoints, without trailing slash */
  constructor(baseUrl: string, options: FetchOptions & { variables: readonly string[] }) {
    this.listUrl = baseUrl + LIST.path;
    this.#configUrl = baseUrl + CONFIG.path;
    this.#fetcher = new Fetcher(options);
    this.#credentials = { origin: options.origin, variables: options.variables };
  }

  get imageBase(): string {
    return this.listUrl;
  }

  get retries(): number {
    return this.#fetcher.retries;
  }

  async page(url: string): Promise<PageSource> {
    const page = await this.#json(url);
    if (!('problem' in page)) return page;
    const login = page.redirectedTo === undefined || page.problem.includes('--header') ? '' : ` ${LOGIN_HINT}`;
    throw new ImportError(`${shownUrl(url)} gives no list of themes. ${page.problem}${login}`);
  }

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
    if (status !== 200) return { ...response, problem: statusProblem(response, url, this.#credentials) };
    const kind = notJson(body);
    return kind === undefined ? response : { problem: notWanted(response, kind, 'JSON') };
  }

  expectImages(): Promise<void> {
    return Promise.resolve();
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
    if (status !== 200) return { problem: statusProblem(response, url, this.#credentials) };
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

/** Where credentials are sent, and the environment variables that they come from. */
interface Credentials {
  origin: string;
  variables: readonly string[];
}

/** Paths of pages on which one logs in, as far as their names say so. */
const LOGIN = /\/(?:[a-z-]*(?:log|sign)[-_]?in|sso|o?auth2?|accounts)(?:[./]|$)/i;

function statusProblem({ status, redirectedTo }: Fetched, url: string, { origin, variables }: Credentials): string {
  // Its status says nothing: a service may send to a page that only its front end has.
  if (redirectedTo !== undefined && LOGIN.test(redirectedTo))
    return `It redirects to a login page, ${redirectedTo}. Pass credentials: \`--header NAME=VARIABLE\`.`;
  if (redirectedTo !== undefined) return `It redirects to ${redirectedTo}, and the response there is ${status}.`;
  if (status !== 401 && status !== 403) return `The response is ${status}.`;
  if (variables.length === 0 || new URL(url).origin !== origin)
    return `The response is ${status}: it needs credentials, such as \`--header Authorization=VARIABLE\`.`;
  const [value, verb] = variables.length === 1 ? ['value', 'was'] : ['values', 'were'];
  return `The response is ${status}: the ${value} in ${variables.join(', ')} ${verb} rejected.`;
}

const LOGIN_HINT = 'If it is a login page, pass credentials: `--header NAME=VARIABLE`.';

/** What came instead: a login page, most often. */
function notWanted({ redirectedTo }: Fetched, kind: string, wanted: string): string {
  const redirect = redirectedTo === undefined ? '' : `It redirects to ${redirectedTo}. `;
  return `${redirect}The response is ${kind}, not ${wanted}. ${LOGIN_HINT}`;
}

/** A list that was saved as a file, with the images in a folder. */
export class SavedSource implements ImportSource {
  readonly listUrl: string;
  readonly imageBase: string;
  readonly retries = 0;
  readonly #media: ContainedFolder | undefined;

  /** @param mediaDir - holds each image under its URL's path, or the last parts of that */
  constructor(file: string, mediaDir: string | undefined, imageBase: string) {
    this.listUrl = file;
    this.imageBase = imageBase;
    this.#media = mediaDir === undefined ? undefined : new ContainedFolder(mediaDir);
  }

  async page(file: string): Promise<PageSource> {
    if (file !== this.listUrl)
      throw new ImportError(`${quote(shownUrl(file))} is a further page of the list, and a file has only one.`);
    const bytes = await readRegularFile(file, MAX_PAGE_BYTES);
    if (!Buffer.isBuffer(bytes))
      throw new ImportError(`${quote(file)} cannot be read: ${bytes.problem.replaceAll('-', ' ')}.`);
    return { body: bytes, headers: {} };
  }

  defaultId(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async expectImages(urls: readonly string[]): Promise<void> {
    const [first] = urls;
    if (first === undefined) return;
    const all = `${quote(this.listUrl)} names ${count(urls.length, 'image')}`;
    const example = quote(partsOf(first).slice(-3).join('/'));
    if (this.#media === undefined)
      throw new ImportError(
        `${all}. Name the folder with them: \`--media DIR\` (it has ${example}), or import from the URL.`,
      );
    for (const url of urls) if (this.#nameOf(url) !== undefined) return;
    throw new ImportError(
      `${all}, and none of them is in ${quote(path.basename(this.#media.path))}: it must have ${example}, for one.`,
    );
  }

  /** The file of a URL in the folder: below its whole path, or the last parts of that. */
  #nameOf(url: string): string | undefined {
    const parts = partsOf(url);
    const names = [...parts.keys()].map((from) => parts.slice(from).join('/'));
    return names.find((name) => isPathBelow(name) && this.#media?.hasFile(name) === true);
  }

  async image(url: string, fetched: FetchedFiles, limit: number): Promise<SourceImageResult> {
    const name = this.#nameOf(url);
    const bytes = name === undefined ? undefined : await this.#media?.read(name, limit).catch(() => undefined);
    if (bytes === undefined)
      return { problem: `Its file is missing: there is none in ${path.basename(this.#media?.path ?? '')}/.` };
    const known = await fetched.known(url, limit);
    const sha256 = await fetched.add(url, bytes, {});
    return { sha256, isUnchanged: known?.sha256 === sha256 };
  }

  close(): void {
    // Nothing is open.
  }
}

/** The parts of the path of a URL. */
function partsOf(url: string): string[] {
  return decodedPath(url)
    .split('/')
    .filter((part) => part !== '');
}

function decodedPath(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
