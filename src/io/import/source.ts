import path from 'node:path';
import { count, quote } from '../../diagnostics/quote.ts';
import { CONFIG, LIST } from '../../document/endpoint.ts';
import { sniffFormat } from '../../image/format.ts';
import { readRegularFile } from '../files.ts';
import { ContainedFolder, isPathBelow } from '../output/contained-folder.ts';
import { type FetchOptions, Fetcher } from './fetcher.ts';
import { ImportError } from './import-error.ts';
import type { ImportStore } from './store.ts';

/** The hash of an image in the store, and whether it is that of an earlier import; or why there is none, as a sentence. */
export type SourceImageResult = { sha256: string; isUnchanged: boolean } | { problem: string };

/** Where themes are imported from. */
export interface ImportSource {
  listUrl: string;
  /** Requests that were sent again. */
  readonly retries: number;
  /** The JSON of a page of the list. @throws {ImportError} */
  list(url: string): Promise<unknown>;
  /** The id of the theme that an anonymous client gets, if it can be known. */
  defaultId(): Promise<number | undefined>;
  /** Whether there are images at all, before anything is written. @throws {ImportError} */
  expectImages(urls: readonly string[]): Promise<void>;
  image(url: string, store: ImportStore, limit: number): Promise<SourceImageResult>;
  close(): void;
}

const JSON_LIMIT = 64 * 1024 * 1024;
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

  get retries(): number {
    return this.#fetcher.retries;
  }

  async list(url: string): Promise<unknown> {
    const found = await this.#json(url);
    if ('problem' in found) throw new ImportError(`${url} gives no list of themes. ${found.problem}`);
    return found.json;
  }

  async defaultId(): Promise<number | undefined> {
    const found = await this.#json(this.#configUrl);
    const { json } = { json: undefined, ...found };
    const isRecord = typeof json === 'object' && json !== null && 'id' in json;
    return isRecord && typeof json.id === 'number' ? json.id : undefined;
  }

  async #json(url: string): Promise<{ json: unknown } | { problem: string }> {
    const response = await this.#fetcher.get(url, JSON_LIMIT, ACCEPT_JSON);
    if ('problem' in response) return response;
    const { status, body } = response;
    if (status !== 200) return { problem: statusProblem(status, url, this.#credentials) };
    try {
      return { json: JSON.parse(body.toString()) };
    } catch {
      return { problem: notWanted(body, 'JSON') };
    }
  }

  expectImages(): Promise<void> {
    return Promise.resolve();
  }

  async image(url: string, store: ImportStore, limit: number): Promise<SourceImageResult> {
    const known = await store.known(url, limit);
    const response = await this.#fetcher.get(url, limit, {
      ...(known?.etag === undefined ? {} : { 'If-None-Match': known.etag }),
      ...(known?.modified === undefined ? {} : { 'If-Modified-Since': known.modified }),
    });
    if ('problem' in response) return response;
    const { status, headers, body } = response;
    if (status === 304 && known !== undefined) return { sha256: known.sha256, isUnchanged: true };
    if (status !== 200) return { problem: statusProblem(status, url, this.#credentials) };
    if (!('format' in sniffFormat(body)) && /^\s*(?:<!doctype html|<html|\{|\[)/i.test(body.toString('latin1', 0, 200)))
      return { problem: notWanted(body, 'an image') };
    const sha256 = store.addFetched(url, body, headers);
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

function statusProblem(status: number, url: string, { origin, variables }: Credentials): string {
  const isSent = variables.length > 0 && new URL(url).origin === origin;
  if ((status === 401 || status === 403) && isSent)
    return `The response is ${status}: the value${variables.length === 1 ? '' : 's'} in ${variables.join(', ')} ${variables.length === 1 ? 'was' : 'were'} rejected.`;
  if (status === 401 || status === 403)
    return `The response is ${status}: it needs credentials, such as \`--header Authorization=VARIABLE\`.`;
  return `The response is ${status}.`;
}

/** What came instead: a login page, most often. */
function notWanted(body: Buffer, wanted: string): string {
  const sniffed = sniffFormat(body);
  const found = body.length === 0 ? 'empty' : 'other' in sniffed ? sniffed.other : 'an image';
  return `The response is ${found}, not ${wanted}. If it is a login page, pass credentials: \`--header NAME=VARIABLE\`.`;
}

/** A list that was saved as a file, with the images in a folder. */
export class SavedSource implements ImportSource {
  readonly listUrl: string;
  readonly retries = 0;
  readonly #media: ContainedFolder | undefined;

  /** @param mediaDir - holds each image under its URL's path, or the last parts of that */
  constructor(file: string, mediaDir: string | undefined) {
    this.listUrl = file;
    this.#media = mediaDir === undefined ? undefined : new ContainedFolder(mediaDir);
  }

  async list(file: string): Promise<unknown> {
    if (file !== this.listUrl)
      throw new ImportError(`${quote(file)} is a further page of the list, and a file has only one.`);
    const bytes = await readRegularFile(file, JSON_LIMIT);
    if (!Buffer.isBuffer(bytes))
      throw new ImportError(`${quote(file)} cannot be read: ${bytes.problem.replaceAll('-', ' ')}.`);
    try {
      return JSON.parse(bytes.toString());
    } catch {
      throw new ImportError(`${quote(file)} is not JSON.`);
    }
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

  async image(url: string, store: ImportStore, limit: number): Promise<SourceImageResult> {
    const name = this.#nameOf(url);
    const bytes = name === undefined ? undefined : await this.#media?.read(name, limit).catch(() => undefined);
    if (bytes === undefined)
      return { problem: `Its file is missing: there is none in ${path.basename(this.#media?.path ?? '')}/.` };
    const known = await store.known(url, limit);
    const sha256 = store.addFetched(url, bytes, {});
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
