import { expect, it } from 'vitest';
import { parseJson } from '../../../src/http/parse-json.ts';
import { type PageSource, readList } from '../../../src/http/read-list.ts';

const LIST_URL = 'https://old.example.org/api/v2/theme/';

it('drops a byte order mark, and decodes the charset of the response', () => {
  expect(parseJson(Buffer.from('\ufeff[1]'))).toEqual({ json: [1] });
  const latin1 = Buffer.from('"Wald \u00fc"', 'latin1');
  expect(parseJson(latin1, 'application/json; charset=ISO-8859-1')).toEqual({ json: 'Wald \u00fc' });
  expect(parseJson(latin1)).toEqual({ problem: 'It cannot be decoded as `utf-8`.' });
  expect(parseJson(latin1, 'text/json;charset="klingon"')).toEqual({ problem: 'It cannot be decoded as `klingon`.' });
});

it.each([
  ['[\n  {"id": 1, "logo_height": NaN}\n]', /^It is not valid JSON: .*N.*\.$/],
  ['', /^It is not valid JSON: Unexpected end of JSON input\.$/],
  [`${'['.repeat(100)}${']'.repeat(100)}`, /^It has more than 64 levels/],
  [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /^It has more than 64 levels/],
  ['['.repeat(1_000_000), /^It is not valid JSON: /],
])('explains why %j is no list', (text, problem) => {
  expect(parseJson(Buffer.from(text))).toEqual({ problem: expect.stringMatching(problem) as string });
});

/** Reads a list from the given pages, by query. */
function read(pages: Readonly<Record<string, [body: unknown, link?: string]>>): ReturnType<typeof readList> {
  return readList(LIST_URL, async (url): Promise<PageSource> => {
    const [body, link] = pages[url.slice(LIST_URL.length)] ?? [];
    if (body === undefined) throw new Error(`No page ${url}`);
    return { body: Buffer.from(JSON.stringify(body)), headers: link === undefined ? {} : { link } };
  });
}

it.each<[string, Parameters<typeof read>[0], string]>([
  ['an array', { '': [[1, 2]] }, 'an array'],
  [
    'an array in pages',
    {
      '': [[1], `<${LIST_URL}?page=9>; rel="last", </api/v2/theme/?page=2>; title="x"; rel="prefetch NEXT"`],
      '?page=2': [[2], `<?page=1>; rel=prev`],
    },
    'an array in pages (Link)',
  ],
  [
    'an object with pages',
    { '': [{ results: [1], next: '?page=2', count: 2 }], '?page=2': [{ results: [2], next: null, count: 2 }] },
    'an object with count, next, results',
  ],
  [
    'an object with links, as in the guide of Django REST Framework',
    {
      '': [{ links: { next: '?page=2', previous: null }, count: 2, results: [1] }],
      '?page=2': [{ links: { next: null }, count: 2, results: [2] }],
    },
    'an object with count, links, results',
  ],
  [
    'an object with meta',
    {
      '': [{ meta: { next: '?page=2', total: 2 }, results: [1] }],
      '?page=2': [{ meta: { next: null, total: 2 }, results: [2] }],
    },
    'an object with meta, results',
  ],
  [
    'an object with links of JSON:API',
    {
      '': [{ links: { next: { href: '?page=2' } }, results: [1] }],
      '?page=2': [{ links: {}, total: 2, results: [2] }],
    },
    'an object with links, results',
  ],
])('reads %s completely, and reports the form in which clients read it', async (_, pages, form) => {
  expect(await read(pages)).toEqual({ records: [1, 2], pages: Object.keys(pages).length, form });
});

it.each<[string, Parameters<typeof read>[0], string]>([
  ['a cycle', { '': [[1], '<?page=2>; rel=next'], '?page=2': [[1], `<${LIST_URL}>; rel=next`] }, 'form a cycle'],
  ['100,001 records', { '': [Array.from({ length: 100_001 }, () => [])] }, 'It has more than 100,000 themes.'],
  ['fewer themes than its count', { '': [{ results: [], count: 4 }] }, 'has 0 themes, but says that there are 4,'],
  ['fewer themes than its total', { '': [{ results: [1], total: 4 }] }, 'has 1 theme, but says that there are 4,'],
  [
    'fewer themes than the total in its meta',
    { '': [{ results: [1], meta: { total: 4 } }] },
    'has 1 theme, but says that there are 4,',
  ],
  ['pages by number', { '': [{ results: [1], meta: { next: 2 } }] }, 'no URL of the next one'],
  ['pages without a link', { '': [{ results: [1], has_more: true }] }, 'no URL of the next one'],
  ['other JSON', { '': [{ detail: 'no' }] }, 'The response is JSON, but no list of themes.'],
])('rejects %s', async (_, pages, problem) => {
  expect(await read(pages)).toMatchObject({ problem: expect.stringContaining(problem) as string });
});

it('checks X-Total-Count of an array', async () => {
  const list = (total: string): ReturnType<typeof readList> =>
    readList(LIST_URL, async () => ({ body: Buffer.from('[1, 2]'), headers: { 'x-total-count': total } }));
  expect(await list('2')).toMatchObject({ records: [1, 2] });
  expect(await list('20')).toMatchObject({
    problem: expect.stringContaining('has 2 themes, but says that there are 20'),
  });
});

it('stops reading an endless list, in pages and in bytes', async () => {
  let number = 0;
  const readEndlessly = (body: Buffer): ReturnType<typeof readList> =>
    readList(LIST_URL, async () => ({ body, headers: { link: `<?page=${++number}>; rel=next` } }));
  expect(await readEndlessly(Buffer.from('[1]'))).toEqual({ problem: 'It has more than 1,000 pages.' });
  const largeList = await readEndlessly(Buffer.from(`[${' '.repeat(16_000_000)}]`));
  expect(largeList).toEqual({ problem: 'It is larger than 268,435,456 bytes.' });
});
