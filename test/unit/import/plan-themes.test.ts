import { describe, expect, it } from 'vitest';
import { type RepositoryState, type ImportPlan, planThemes } from '../../../src/commands/import/plan-themes.ts';
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
  describe('folder names', () => {
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

  it('collects each value that the site does not accept yet once', () => {
    const { newValues } = plan([
      record(1, { logo_alignment: 'justify' }),
      record(2, { logo_alignment: 'justify', dark_mode_logo_type: 'X' }),
    ]);
    expect(newValues).toEqual({ logo_types: ['X'], logo_alignments: ['justify'] });
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
