import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/system/http/parse-json.ts';
import { type ListOptions, type PageSource, readList } from '../../../src/system/http/read-list.ts';

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
  ['a cycle', { '': [[1], '<?page=2>; rel=next'], '?page=2': [[1], `<${LIST_URL}>; rel=next`] }, 'form a cycle'],
  ['100,001 records', { '': [Array.from({ length: 100_001 }, () => [])] }, 'It has more than 100,000 themes.'],
  ['other JSON', { '': [{ detail: 'no' }] }, 'The response is JSON, but no list of themes.'],
])('rejects %s', async (_, pages, problem) => {
  expect(await read(pages)).toMatchObject({ problem: expect.stringContaining(problem) as string });
});

const THEMES = [{ id: 1 }, { id: 2 }];

describe('a list of two themes', () => {
  it('has as many themes as expected, whatever it says', async () => {
    const list = (expected: number): ReturnType<typeof readList> =>
      readList(
        LIST_URL,
        async () => ({ body: Buffer.from('[{"id":1},{"id":2}]'), headers: { 'x-total-count': '9' } }),
        {
          expected,
        },
      );
    expect(await list(2)).toMatchObject({ records: THEMES });
    expect(await list(3)).toEqual({ problem: 'It has 2 themes, not 3.', isUncertain: true });
  });
});

describe('a list that does not mention its pages', () => {
  const paged = (pages: readonly (readonly object[])[], parameter: string, options: ListOptions) =>
    readList(
      LIST_URL,
      async (url) => {
        const page = Number(new URL(url).searchParams.get(parameter) ?? 1);
        const records = pages[page - 1];
        return records && { body: Buffer.from(JSON.stringify(records)), headers: {} };
      },
      options,
    );
  const TWO = [THEMES, [{ id: 3 }]];

  it('is found out by its second page, which is no reason if it has the same themes or none', async () => {
    expect(await paged(TWO, 'page', { probes: true })).toMatchObject({
      problem: 'It has 2 themes, and has other themes with `?page=2`: there may be more.',
    });
    for (const pages of [[THEMES], [THEMES, THEMES], [THEMES, []]])
      expect(await paged(pages, 'page', { probes: true })).toMatchObject({ records: THEMES });
  });

  it.each([[TWO], [[...TWO, []]], [[...TWO, [{ id: 3 }]]]])(
    'is read by the number of the page until one adds no theme: %j',
    async (pages) => {
      expect(await paged(pages, 'p', { pageParameter: 'p' })).toMatchObject({ records: [...THEMES, { id: 3 }] });
    },
  );
});

it('stops reading an endless list, in pages and in bytes', async () => {
  let number = 0;
  const readEndlessly = (body: Buffer): ReturnType<typeof readList> =>
    readList(LIST_URL, async () => ({ body, headers: { link: `<?page=${++number}>; rel=next` } }));
  expect(await readEndlessly(Buffer.from('[1]'))).toEqual({ problem: 'It has more than 1,000 pages.' });
  const largeList = await readEndlessly(Buffer.from(`[${' '.repeat(16_000_000)}]`));
  expect(largeList).toEqual({ problem: 'It is larger than 268,435,456 bytes.' });
});
