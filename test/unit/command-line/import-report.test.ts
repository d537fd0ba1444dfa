import { expect, it } from 'vitest';
import { importReport } from '../../../src/commands/import/io/report.ts';
import { planThemes } from '../../../src/commands/import/plan-themes.ts';
import type { ImportResult } from '../../../src/commands/import/io/import-themes.ts';
import type { RefusedImage } from '../../../src/commands/import/io/check-images.ts';
import { record } from '../../import/service.ts';

/** Returns the report on a list with some rejected images. */
function report(records: readonly unknown[], rejectedImagesOf: (slug: string) => RefusedImage[] = () => []): string {
  const plan = planThemes(JSON.parse(JSON.stringify(records).replaceAll('"URL/', '"https://old.example/')), {
    slugs: new Map(),
    taken: new Set(),
    accepted: { logo_types: ['NORMAL', 'INVERSE'], logo_alignments: ['left'] },
    defaultId: undefined,
    imageBase: 'https://old.example/',
  });
  const result: ImportResult = {
    plan,
    pages: 1,
    files: new Map(),
    images: { all: 0, fetched: 0, unchanged: 0, failed: 0 },
    refused: plan.themes.flatMap(({ slug }) => rejectedImagesOf(slug)),
    redirects: { written: 0, refused: 0 },
    missing: [],
  };
  const options = { themes: 'themes', quiet: true, added: [], source: 'https://old.example' };
  return importReport(result, options).text;
}

const rejectedImage = (
  slug: string,
  field: RefusedImage['field'],
  problem: string,
  url = 'https://cdn.example/a.svg',
) => {
  return { slug, field, url, problem };
};

it('lists problems in the order of themes, with the fields and images of each theme together', () => {
  const records = [
    { id: 0 },
    record(5, { name: 'Five', logo_height: -1 }),
    'x',
    record(2, { name: 'Two', logo: null }),
  ];
  const text = report(records, (slug) => [rejectedImage(slug, 'favicon', `The response to ${slug} is 404.`)]);
  expect(text.match(/^ {4}.*/gm)?.map((line) => line.trim())).toEqual([
    'theme 1 of the list',
    'themes/five/theme.yaml: `logo_height`',
    'themes/five/theme.yaml: `favicon` (https://cdn.example/a.svg)',
    'theme 3 of the list',
    'themes/two/theme.yaml: `logo`',
    'themes/two/theme.yaml: `favicon` (https://cdn.example/a.svg)',
  ]);
});

it('shows URLs without their query, and on one line', () => {
  const url = 'https://jo:s3cret@cdn.example/a.svg\n✘ forged?key=s3cret';
  const text = report([record(1)], (slug) => [rejectedImage(slug, 'logo', 'The response is 404.', url)]);
  expect(text).toBe(
    '✘ Left out: The response is 404.\n    themes/theme-1/theme.yaml: `logo` (https://cdn.example/a.svg\\n✘ forged)\n',
  );
});

it('shows at most 100 problems of a kind, however many themes the list has', () => {
  const text = report(Array.from({ length: 10_000 }, (_, index) => ({ id: -index })));
  expect(text.split('\n')).toHaveLength(202);
  expect(text).toMatch(/\n {2}and 9,900 more\n$/);
});
