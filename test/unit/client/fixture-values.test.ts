import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import defaultTheme from '../../../src/client/fixtures/default.json' with { type: 'json' };
import emoji from '../../../src/client/fixtures/emoji.json' with { type: 'json' };
import emptyPalette from '../../../src/client/fixtures/empty-palette.json' with { type: 'json' };
import everyValue from '../../../src/client/fixtures/every-value.json' with { type: 'json' };
import list from '../../../src/client/fixtures/list.json' with { type: 'json' };
import longestName from '../../../src/client/fixtures/longest-name.json' with { type: 'json' };
import rightToLeft from '../../../src/client/fixtures/right-to-left.json' with { type: 'json' };
import unknownField from '../../../src/client/fixtures/unknown-field.json' with { type: 'json' };
import unknownValue from '../../../src/client/fixtures/unknown-value.json' with { type: 'json' };
import type { ThemeRecord } from '../../../src/client/types.ts';
import { VALUE_LISTS } from '../../../src/core/theme/fields/field-rows.ts';
import { type Field, RECORD_FIELDS, ROWS } from '../../../src/core/theme/fields/fields.ts';

const FOLDER = path.join(import.meta.dirname, '../../../src/client/fixtures');
// The type also proves in `npm run typecheck` that each fixture is a record.
const RECORDS: Readonly<Record<string, readonly ThemeRecord[]>> = {
  default: [defaultTheme],
  emoji: [emoji],
  'empty-palette': [emptyPalette],
  'every-value': everyValue,
  list,
  'longest-name': [longestName],
  'right-to-left': [rightToLeft],
  'unknown-field': [unknownField],
  'unknown-value': [unknownValue],
};

describe('the fixtures', () => {
  it('are all exported by name, and listed here', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
    expect(Object.keys(RECORDS).toSorted()).toEqual(names.toSorted());
    const exported = Object.entries(manifest.exports).filter(([name]) => name.startsWith('./fixtures/'));
    expect(exported).toEqual(names.map((name) => [`./fixtures/${name}.json`, `./src/client/fixtures/${name}.json`]));
    for (const name of names) expect(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')).toMatch(/^[[{]\n/);
  });

  it('contain the values that their names promise', () => {
    expect(defaultTheme).toMatchObject({ is_default: true, palette_preview: [] });
    expect(emptyPalette).toMatchObject({ is_default: false, palette_preview: [] });
    expect(Array.from(longestName.name)).toHaveLength(100);
    expect(rightToLeft.name).toMatch(/\p{Script=Hebrew}.*\p{Script=Latin}.*\p{Script=Arabic}/u);
    expect(emoji.name).toMatch(/\p{Extended_Pictographic}\u200d/u);
    for (const themes of [list, everyValue]) {
      const ids = themes.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
      expect(themes.filter((theme) => theme.is_default)).toHaveLength(1);
    }
  });

  it('contain every value, and the smallest and largest lengths', () => {
    const valuesOf = (field: Field) => new Set((everyValue as ThemeRecord[]).map((theme) => theme[field]));
    for (const field of RECORD_FIELDS) {
      const row = ROWS[field];
      if (row.kind !== 'setting') continue;
      if (row.type === 'choice') expect(valuesOf(field)).toEqual(new Set(VALUE_LISTS[row.values]));
      if (row.type === 'boolean') expect(valuesOf(field)).toEqual(new Set([true, false]));
      if (row.type === 'pixels') expect(valuesOf(field)).toEqual(new Set([row.min, row.max]));
    }
  });
});
