import { count } from '../diagnostics/quote.ts';
import { sniffFormat } from '../image/format.ts';
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

/** A list or a page of it, paginated like Django REST Framework, or by a `Link` header. */
interface ListPage {
  records: readonly unknown[];
  /** The URL of the next page, which may be relative. */
  next: string | undefined;
  /** The number of themes on all pages, if the service returns it. */
  count: number | undefined;
  form: string;
}

/**
 * Reads a list, page by page.
 * @param url - the URL of the first page
 * @param pageAt - requests a page
 * @returns the list, or a sentence about why there is none
 */
export async function readList(
  url: string,
  pageAt: (url: string) => Promise<PageSource>,
): Promise<WholeList | { problem: string }> {
  const records: unknown[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let form = '';
  for (let next: string | undefined = url; next !== undefined;) {
    if (seen.has(next))
      return { problem: 'The pages of the list form a cycle: a page links to an earlier one as the next.' };
    if (seen.size === MAX_PAGES) return { problem: `It has more than ${count(MAX_PAGES, 'page')}.` };
    seen.add(next);
    const source = await pageAt(next);
    const page = readPage(source);
    if ('problem' in page) return page;
    bytes += source.body.length;
    if (records.length + page.records.length > MAX_THEMES)
      return { problem: `It has more than ${count(MAX_THEMES, 'theme')}.` };
    if (bytes > MAX_LIST_BYTES) return { problem: `It is larger than ${count(MAX_LIST_BYTES, 'byte')}.` };
    for (const record of page.records) records.push(record);
    form ||= page.form;
    if (page.next === undefined && page.count !== undefined && page.count !== records.length) {
      const total = count(records.length, 'theme');
      return {
        problem: `The list has ${total}, but says that there are ${page.count}, and links to no further page. Run the command again if themes have just changed; otherwise let the service return all of them in one response, or link each page in \`next\`.`,
      };
    }
    next = page.next !== undefined && URL.canParse(page.next, next) ? new URL(page.next, next).href : page.next;
  }
  return { records, pages: seen.size, form };
}

/** Describes a body that is not JSON; most often it is a login page. */
export function notJson(body: Buffer): string | undefined {
  if (body.length === 0) return 'empty';
  const sniffed = sniffFormat(body);
  if ('format' in sniffed) return 'an image';
  return /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 200)) ? sniffed.other : undefined;
}

function readPage({ body, headers }: PageSource): ListPage | { problem: string } {
  const parsed = parseJson(body, headers['content-type']);
  if ('problem' in parsed) return parsed;
  const { json } = parsed;
  const next = nextLink(headers['link']);
  if (Array.isArray(json)) {
    const form = next === undefined ? 'an array' : 'an array in pages (Link)';
    return { records: json, next, count: numberOf(headers['x-total-count']), form };
  }
  if (typeof json !== 'object' || json === null || !('results' in json) || !Array.isArray(json.results))
    return { problem: 'The response is JSON, but no list of themes.' };
  const { results } = json;
  const parts = [json, ...['links', '_links', 'meta', 'pagination'].map((name) => partOf(json, name))];
  const nextUrl = parts.map((part) => linkOf(partOf(part, 'next'))).find((url) => url !== undefined);
  const isFollowed = parts.some(
    (part) =>
      typeof partOf(part, 'next') === 'number' || ['has_more', 'has_next'].some((name) => partOf(part, name) === true),
  );
  if (isFollowed && (nextUrl ?? next) === undefined)
    return {
      problem:
        'The list has further pages, but no URL of the next one: let the service return all themes in one response.',
    };
  const totals = parts.flatMap((part) => ['count', 'total', 'total_count'].map((name) => numberOf(partOf(part, name))));
  return {
    records: results,
    next: nextUrl ?? next,
    count: totals.find((number) => number !== undefined) ?? numberOf(headers['x-total-count']),
    form: `an object with ${Object.keys(json).slice(0, 9).toSorted().join(', ')}`,
  };
}

function partOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
}

/** Returns the URL of a page from a text, or from an object of JSON:API: `{href: URL}`. */
function linkOf(next: unknown): string | undefined {
  const url = typeof next === 'string' ? next : partOf(next, 'href');
  return typeof url === 'string' && url !== '' ? url : undefined;
}

function numberOf(value: unknown): number | undefined {
  return /^\d+$/.test(String(value)) ? Number(value) : undefined;
}

/** Returns the URL with the relation `next` in a `Link` header (RFC 8288). */
function nextLink(header = ''): string | undefined {
  for (const [, url, parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, token = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token).toLowerCase().split(/\s+/).includes('next')) return url;
  }
  return undefined;
}
