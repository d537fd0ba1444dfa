import { describe, expect, it } from 'vitest';
import { type RepositoryState, type ImportPlan, planThemes } from '../../../src/commands/import/plan-themes.ts';
import { ANY_IMAGE_FIELDS } from '../../../src/core/theme/fields.ts';
import { SLUG } from '../../../src/core/theme/slug.ts';
import { record as recordOfService } from '../../import/service.ts';

/** Returns a complete record with absolute URLs. */
const record = (id: number, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...(JSON.parse(JSON.stringify(recordOfService(id)).replaceAll('URL/', 'https://old.example/')) as object),
  ...changes,
});

const plan = (records: readonly unknown[], repository: Partial<RepositoryState> = {}): ImportPlan =>
  planThemes(records, {
    slugs: new Map(),
    taken: new Set(),
    accepted: { logo_types: ['NORMAL', 'INVERSE'], logo_alignments: ['left', 'center'] },
    defaultId: undefined,
    imageBase: 'https://old.example/api/v2/theme/',
    ...repository,
  });
const slugs = (names: readonly string[], repository: Partial<RepositoryState> = {}): string[] =>
  plan(
    names.map((name, index) => record(index + 1, { name })),
    repository,
  ).themes.map(({ slug }) => slug);

describe('planThemes', () => {
  it('resolves relative image URLs against the list, and composes accents', () => {
    const changes = {
      name: 'Cafe\u0301',
      logo: '/media/a.svg',
      logo_site: { original: 'o.png', thumbnail: '//cdn.example/t.png' },
    };
    const [theme] = plan([record(1, changes)]).themes;
    expect([theme?.name, theme?.slug, theme?.refused]).toEqual(['Caf\u00e9', 'cafe', []]);
    expect([theme?.images.get('logo'), theme?.images.get('logo_site'), theme?.thumbnails.get('logo_site')]).toEqual([
      'https://old.example/media/a.svg',
      'https://old.example/api/v2/theme/o.png',
      'https://cdn.example/t.png',
    ]);
  });

  describe('folder names', () => {
    it('are derived from names, in letters that every host and file system supports', () => {
      expect(slugs(['Wald & Wiese', 'Größe', 'Łódź', 'Harbor--2', 'Café №5'])).toEqual([
        'wald-wiese',
        'grosse',
        'lodz',
        'harbor-2',
        'cafe-no5',
      ]);
    });

    it('are derived from the id if the name is in another script, or missing', () => {
      expect(slugs(['森', 'Лес', '🌲', 'غابة'])).toEqual(['theme-1', 'theme-2', 'theme-3', 'theme-4']);
      expect(plan([record(7, { name: undefined })]).themes[0]).toMatchObject({ slug: 'theme-7', name: undefined });
    });

    it('are unique: the later theme has its id appended', () => {
      expect(slugs(['Forest', 'forest', 'FOREST!', 'forest-2'])).toEqual([
        'forest',
        'forest-2',
        'forest-3',
        'forest-2-4',
      ]);
      expect(slugs(['Forest'], { taken: new Set(['forest']) })).toEqual(['forest-1']);
      expect(slugs(['Theme 2', '森'])).toEqual(['theme-2', 'theme-2-1']);
    });

    it('stay with the id when the name changes', () => {
      expect(slugs(['New', 'Old'], { slugs: new Map([[1, 'old']]) })).toEqual(['old', 'old-2']);
    });

    it('never lead out of the folder, and are never reserved by a file system or a build', () => {
      const hostile = [
        '../../etc',
        '..',
        '.',
        '/',
        'C:\\x',
        'CON',
        'nul',
        'index',
        'users',
        'browse',
        'a'.repeat(300),
        '-',
        'a\u0000b',
        '\u202Egnp',
      ];
      const folderNames = slugs(hostile);
      for (const slug of folderNames) expect(slug).toMatch(SLUG);
      expect(new Set(folderNames).size).toBe(hostile.length);
      for (const reserved of ['con', 'nul', 'index', 'users', 'browse']) expect(folderNames).not.toContain(reserved);
    });
  });

  it('omits records without a usable id, and reports their positions', () => {
    const records = [
      record(1),
      'x',
      null,
      [],
      {},
      record(1),
      record(0),
      record(-1),
      record(1.5),
      { ...record(2), id: '2.5' },
    ];
    const { themes, unusable } = plan(records);
    expect(themes.map(({ id }) => id)).toEqual([1]);
    expect(unusable.map(({ at }) => at)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(unusable[4]?.reason).toBe('An earlier theme has the id 1 too.');
    expect(unusable.at(-1)?.reason).toBe('Its id is `"2.5"`, not a positive whole number.');
  });

  it.each([
    ['logo', null, 'Its value is null.'],
    ['logo', '', 'It has no image.'],
    ['logo', 'file:///etc/passwd', 'is no http or https URL.'],
    ['logo', 'ftp://jo:s3cret@old.example/a.svg?key=s3cret\n✘', '`ftp://old.example/a.svg` is no http or https URL.'],
    ['logo', 'javascript:alert(1)', 'is no http or https URL.'],
    ['logo', 'data:image/svg+xml,<svg/>', 'is no http or https URL.'],
    ['logo', 7, 'It has no image.'],
    ['logo_site', { thumbnail: 'https://old.example/t.png' }, 'It has no image.'],
    ['logo_height', '40px', 'is not valid.'],
    ['logo_height', -1, 'is not valid.'],
    ['logo_alignment', 'a b', 'cannot be accepted by a site.'],
    ['palette_preview', ['red'], 'It does not have 9 colours.'],
    ['palette_preview', Array(9).fill('url(x)'), 'is no colour that can be published.'],
    ['name', 'a\u202Eb', 'contains invisible characters.'],
    ['name', 'x'.repeat(101), 'is not valid.'],
    ['favicon', undefined, 'The service has no value for this field.'],
  ])('skips %s with the value %j, and imports all other values', (field, value, reason) => {
    const [theme] = plan([record(1, { [field]: value })]).themes;
    expect(theme?.refused).toHaveLength(1);
    expect(theme?.refused[0]?.field).toBe(field);
    expect(theme?.refused[0]?.reason).toContain(reason);
    expect(theme?.images.size).toBe(ANY_IMAGE_FIELDS.filter((imageField) => imageField !== field).length);
  });

  it('reports unknown fields in safe characters', () => {
    const [theme] = plan([record(1, { 'x\u001b[2J': 1 })]).themes;
    expect(theme?.refused).toEqual([{ field: 'x\\u001b[2J', reason: 'The interface has no such field.' }]);
  });

  it('silently drops a thumbnail that is no URL, because the build makes its own', () => {
    const original = 'https://old.example/a.png';
    const [theme] = plan([record(1, { logo_site: { original, thumbnail: 'x:y' } })]).themes;
    expect([theme?.refused, theme?.images.get('logo_site'), theme?.thumbnails.has('logo_site')]).toEqual([
      [],
      original,
      false,
    ]);
  });

  it('collects each value that the site does not accept yet once', () => {
    const { newValues } = plan([
      record(1, { logo_alignment: 'justify' }),
      record(2, { logo_alignment: 'justify', dark_mode_logo_type: 'X' }),
    ]);
    expect(newValues).toEqual({ logo_types: ['X'], logo_alignments: ['justify'] });
  });

  it('takes numbers and booleans that the service sends as text, and notes which settings they are', () => {
    const changes = { id: '7', is_default: 'True', logo_height: '48', logo_margin_top: 3 };
    const { themes, unusable } = plan([record(7, changes)]);
    expect(unusable).toEqual([]);
    expect(themes).toMatchObject([
      { id: 7, isDefault: true, refused: [], settings: { logo_height: 48, logo_margin_top: 3 } },
    ]);
    expect([...(themes[0]?.asText ?? [])]).toEqual(['logo_height']);
  });

  it('has a single default: the theme of an anonymous client, otherwise the first default in the list', () => {
    const defaults = (defaultId: number | undefined): number[] =>
      plan([record(1, { is_default: false }), record(2, { is_default: true }), record(3, { is_default: true })], {
        defaultId,
      })
        .themes.filter(({ isDefault }) => isDefault)
        .map(({ id }) => id);
    expect([defaults(undefined), defaults(3), defaults(9)]).toEqual([[2], [3], []]);
  });
});
