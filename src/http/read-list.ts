import { count } from '../diagnostics/quote.ts';
import { sniffFormat } from '../image/format.ts';
import { parseJson } from './parse-json.ts';

/** Bytes of a page. A theme has about 2,500. */
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
  /** What clients have to read: `an array`, `an object with count, next, previous, results`. */
  form: string;
}

/** A page of a list: all of it, or one of those of Django REST Framework's pagination or of a `Link` header. */
interface ListPage {
  records: readonly unknown[];
  /** The URL of the next page, as it is named. */
  next: string | undefined;
  /** How many themes all pages have together, if the service says so. */
  count: number | undefined;
  form: string;
}

/**
 * Reads a list, page by page.
 * @param url - that of the first page
 * @param pageAt - gets a page by its URL
 * @returns the list; or why it is none, as a sentence
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
    if (seen.has(next)) return { problem: 'The pages of the list form a cycle: one names an earlier one as the next.' };
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
      const held = count(records.length, 'theme');
      return { problem: `The pages hold ${held}, but say that there are ${page.count}. Run the command again.` };
    }
    next = page.next !== undefined && URL.canParse(page.next, next) ? new URL(page.next, next).href : page.next;
  }
  return { records, pages: seen.size, form };
}

/** What a response or a file is in place of JSON: a login page, most often. */
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
  const { link } = headers;
  if (Array.isArray(json)) {
    const next = nextLink(link);
    const form = next === undefined ? 'an array' : 'an array in pages (Link)';
    return { records: json, next, count: undefined, form };
  }
  if (typeof json !== 'object' || json === null || !('results' in json) || !Array.isArray(json.results))
    return { problem: 'The response is JSON, but no list of themes.' };
  const { results, next, count: all } = json as { results: unknown[]; next?: unknown; count?: unknown };
  return {
    records: results,
    next: typeof next === 'string' && next !== '' ? next : nextLink(link),
    count: typeof all === 'number' ? all : undefined,
    form: `an object with ${Object.keys(json).slice(0, 9).toSorted().join(', ')}`,
  };
}

/** The URL that a `Link` header (RFC 8288) names with the relation `next`. */
function nextLink(header = ''): string | undefined {
  for (const [, url, parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, token = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token).toLowerCase().split(/\s+/).includes('next')) return url;
  }
  return undefined;
}
