import { count, printable } from '../../core/diagnostics/quote.ts';
import { sniffFormat } from '../../core/image/format.ts';
import { parseJson } from './parse-json.ts';

/** Maximum size of a page, in bytes; a theme has about 2,500. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const MAX_LIST_BYTES = 16 * MAX_PAGE_BYTES;
const MAX_THEMES = 100_000;
const MAX_PAGES = 1000;

/** A response to LIST, or a file. */
export interface PageSource {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** All themes of a service. */
export interface WholeList {
  records: unknown[];
  pages: number;
  /** The structure that clients read: `an array`, `an object with count, next, previous, results`. */
  form: string;
}

/** Why there is no list; `isUncertain` if it was read, but may lack themes. */
export interface NoList {
  problem: string;
  isUncertain?: true;
}

/** A list or a page of it, paginated like Django REST Framework, or by a `Link` header. */
interface ListPage {
  records: readonly unknown[];
  /** The URL of the next page, which may be relative. */
  next: string | undefined;
  form: string;
  /** What the response says beside the themes. */
  facts: readonly Fact[];
}

/** A value beside the themes, by its path: `meta.pagination.next_cursor`, `X-Total-Count`. */
interface Fact {
  name: string;
  value: unknown;
}

export interface ListOptions {
  /** The query parameter with the number of the page, from 1: pages are read until one adds no id. */
  pageParameter?: string | undefined;
  /** The number of themes; decides instead of what the service says. */
  expected?: number | undefined;
  /** Whether a second page is requested of a list that does not mention pages. */
  probes?: boolean;
}

/** Requests a page; undefined if it does not exist (404), which only a page after the first may. */
type PageAt = (url: string, mayBeMissing: boolean) => Promise<PageSource | undefined>;

/**
 * Reads a list, page by page. No theme is lost silently: everything beside the themes that may mean a further page, and is not understood, is a
 * reason for no list.
 * @param url - the URL of the first page
 * @returns the list, or a sentence about why there is none
 */
export async function readList(url: string, pageAt: PageAt, options: ListOptions = {}): Promise<WholeList | NoList> {
  const { pageParameter, expected, probes = false } = options;
  const reading = new ListReading(url);
  let last: ListPage | undefined;
  for (
    let next: string | undefined = pageParameter === undefined ? url : withPage(url, pageParameter, 1);
    next !== undefined;
  ) {
    const stop = reading.begin(next);
    if (stop !== undefined) return stop;
    const source = await pageAt(next, reading.pages > 1);
    if (source === undefined) break;
    const page = readPage(source);
    if ('problem' in page) return page;
    const before = reading.ids.size;
    const problem = reading.add(page, source.body.length);
    if (problem !== undefined) return problem;
    last = page;
    if (pageParameter !== undefined)
      next = reading.ids.size === before ? undefined : withPage(url, pageParameter, reading.pages + 1);
    else next = page.next !== undefined && URL.canParse(page.next, next) ? new URL(page.next, next).href : page.next;
  }
  const { records } = reading;
  if (expected !== undefined && records.length !== expected)
    return { problem: `It has ${count(records.length, 'theme')}, not ${expected}.`, isUncertain: true };
  const isGiven = expected !== undefined || pageParameter !== undefined;
  const doubt = isGiven || last === undefined ? undefined : reading.doubtOf(last);
  if (doubt !== undefined) return uncertain(records.length, doubt);
  if (probes && !isGiven && reading.pages === 1) {
    const second = await pageAt(withPage(url, 'page', 2), true).catch(() => undefined);
    const page = second && readPage(second);
    const others = page !== undefined && 'records' in page ? page.records.map(idOf) : [];
    if (others.some((id) => id !== undefined && !reading.ids.has(id)))
      return uncertain(records.length, 'has other themes with `?page=2`');
  }
  return { records, pages: reading.pages, form: reading.form };
}

function uncertain(read: number, doubt: string): NoList {
  return { problem: `It has ${count(read, 'theme')}, and ${doubt}: there may be more.`, isUncertain: true };
}

function withPage(url: string, parameter: string, page: number): string {
  const target = new URL(url);
  target.searchParams.set(parameter, String(page));
  return target.href;
}

function idOf(record: unknown): unknown {
  return partOf(record, 'id');
}

/** The pages that were read so far. */
class ListReading {
  readonly records: unknown[] = [];
  readonly ids = new Set<unknown>();
  form = '';
  readonly #first: string;
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(first: string) {
    this.#first = first;
  }

  get pages(): number {
    return this.#seen.size;
  }

  /** Notes a page that is about to be requested. @returns why it must not be */
  begin(url: string): NoList | undefined {
    if (this.#seen.has(url))
      return { problem: 'The pages of the list form a cycle: a page links to an earlier one as the next.' };
    if (this.#seen.size === MAX_PAGES) return { problem: `It has more than ${count(MAX_PAGES, 'page')}.` };
    this.#seen.add(url);
    return undefined;
  }

  add({ records, form }: ListPage, bytes: number): NoList | undefined {
    this.#bytes += bytes;
    if (this.records.length + records.length > MAX_THEMES)
      return { problem: `It has more than ${count(MAX_THEMES, 'theme')}.` };
    if (this.#bytes > MAX_LIST_BYTES) return { problem: `It is larger than ${count(MAX_LIST_BYTES, 'byte')}.` };
    for (const record of records) {
      const id = idOf(record);
      // Pages by number may repeat the last one.
      if (id !== undefined && this.ids.has(id) && this.pages > 1) continue;
      this.ids.add(id ?? record);
      this.records.push(record);
    }
    this.form ||= form;
    return undefined;
  }

  /** Returns what the last page says that may mean a further page; undefined if all of it is understood. */
  doubtOf({ facts, records }: ListPage): string | undefined {
    const doubt = facts.find(({ name, value }) => {
      const words = wordsOf(name);
      return (
        words.some((word) => PAGING.has(word)) && !isNothing(value) && !this.#isUnderstood(words, value, records.length)
      );
    });
    return doubt && `says \`${printable(`${doubt.name}: ${String(doubt.value)}`).slice(0, 100)}\``;
  }

  /** @param own - the number of records on the last page */
  #isUnderstood(words: readonly string[], value: unknown, own: number): boolean {
    const read = this.records.length;
    const text = String(value);
    const number = numberOf(value);
    const has = (...names: string[]): boolean => names.some((name) => words.includes(name));
    if (number === undefined) return this.#isKnownPage(text);
    const isSize = has('limit', 'size') || (has('per') && has('page'));
    // Pages that were linked are as large as they say; a single one must not be full.
    if (isSize) return number > read || this.pages > 1;
    if (has('offset', 'skip')) return this.pages > 1 && number === read - own;
    if (has('count', 'total') && !has('page', 'pages')) return number === read;
    return this.pages > 1 && (number === this.pages || number === read) && !has('next');
  }

  /** Whether a text is the URL of a page that was read, or a range of all themes: `items 0-11/12`. */
  #isKnownPage(text: string): boolean {
    const [, total] = /^\w+ 0-\d+\/(\d+)$/.exec(text) ?? [];
    if (total !== undefined) return Number(total) === this.records.length;
    const url = URL.canParse(text, this.#first) && /[/?]/.test(text) ? new URL(text, this.#first) : undefined;
    if (url === undefined) return false;
    const isFirst = [...url.searchParams.values()].every((value) => /^[01]?$/.test(value));
    return this.#seen.has(url.href) || (isFirst && url.pathname === new URL(this.#first).pathname);
  }
}

/** Words of names that may mean a further page. */
const PAGING = new Set(['next', 'more', 'cursor', 'total', 'count', 'page', 'pages', 'last', 'limit', 'offset']);

/** Splits a name at punctuation and capitals: `X-Next-Page`, `meta.totalCount`, `per_page`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === false ||
    value === 0 ||
    value === 1 ||
    (typeof value === 'string' && /^(?:|false|null|none|0|1)$/i.test(value.trim()))
  );
}

/** Headers whose names have words of pages, and which never mean one. */
const OTHER_HEADERS = /^last-modified$|rate-?limit/i;

/** Describes a body that is not JSON; most often it is a login page. */
export function describeNonJson(body: Buffer): string | undefined {
  if (body.length === 0) return 'empty';
  const sniffed = sniffFormat(body);
  if ('format' in sniffed) return 'an image';
  return /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 200)) ? sniffed.other : undefined;
}

function readPage({ body, headers }: PageSource): ListPage | NoList {
  const parsed = parseJson(body, headers['content-type']);
  if ('problem' in parsed) return parsed;
  const { json } = parsed;
  const linked = nextLink(headers['link']);
  const headerFacts = Object.entries(headers).flatMap(([name, value]): Fact[] =>
    name === 'link'
      ? linkRelations(value).flatMap(([url, relations]) =>
          relations.includes('last') ? [{ name: 'Link: last', value: url }] : [],
        )
      : OTHER_HEADERS.test(name)
        ? []
        : [{ name: name === 'content-range' ? 'Content-Range' : name, value }],
  );
  if (Array.isArray(json)) {
    const form = linked === undefined ? 'an array' : 'an array in pages (Link)';
    return { records: json, next: linked, form, facts: headerFacts };
  }
  if (typeof json !== 'object' || json === null || !('results' in json) || !Array.isArray(json.results))
    return { problem: 'The response is JSON, but no list of themes.' };
  const { results, ...rest } = json;
  const facts = factsOf(rest);
  const nextUrl = facts.find(({ name, value }) => isNextUrl(name, value));
  return {
    records: results,
    next: nextUrl === undefined ? linked : String(nextUrl.value),
    form: `an object with ${Object.keys(json).slice(0, 9).toSorted().join(', ')}`,
    facts: [...facts.filter((fact) => fact !== nextUrl), ...headerFacts],
  };
}

/** Whether a value is the URL of the next page: `next`, `links.next`, or `links.next.href` of JSON:API. */
function isNextUrl(name: string, value: unknown): boolean {
  return (
    /(?:^|\.)next(?:_?(?:url|link|page_url))?(?:\.href)?$/i.test(name) &&
    typeof value === 'string' &&
    /[/?]/.test(value)
  );
}

/** Returns every value in an object by its path. */
function factsOf(json: unknown, path = ''): Fact[] {
  if (typeof json !== 'object' || json === null) return [{ name: path, value: json }];
  return Object.entries(json).flatMap(([key, value]) => factsOf(value, path === '' ? key : `${path}.${key}`));
}

function partOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
}

function numberOf(value: unknown): number | undefined {
  return /^\d+$/.test(String(value)) ? Number(value) : undefined;
}

/** Returns the URL with the relation `next` in a `Link` header (RFC 8288). */
function nextLink(header = ''): string | undefined {
  return linkRelations(header).find(([, relations]) => relations.includes('next'))?.[0];
}

/** Returns the URLs of a `Link` header, each with its relations in lower case. */
function linkRelations(header: string): [url: string, relations: string[]][] {
  return [...header.matchAll(/<([^<>]*)>([^<]*)/g)].map(([, url = '', parameters = '']) => {
    const [, quoted, token = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    return [url, (quoted ?? token).toLowerCase().split(/\s+/)];
  });
}
