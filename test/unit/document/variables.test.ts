import { readFileSync } from 'node:fs';
import path from 'node:path';
import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { screenStyle, stylesheet } from '../../../src/core/document/stylesheet.ts';
import { textOn, variableOf, variablesOf } from '../../../src/core/document/variables.ts';
import { fieldsWhere, RECORD_FIELDS, ROWS } from '../../../src/core/theme/fields/fields.ts';
import { HOSTILE, theme } from '../../sample-records.ts';

const NO_ROLES = { roles: {} };
const DARK = Array.from({ length: 9 }, (_, at) => `hsl(${at},50%,80%)`);

describe('text on a colour', () => {
  it('is black or white, whichever has more contrast, and at least 4.5:1', () => {
    const colour = fc.tuple(fc.nat(359), fc.nat(100), fc.nat(100)).map(([h, s, l]) => `hsl(${h},${s}%,${l}%)`);
    fc.assert(
      fc.property(colour, (hsl) => {
        const textColour = textOn(hsl) ?? '';
        const alternative = textColour === '#000' ? '#fff' : '#000';
        expect(wcagContrast(hsl, textColour)).toBeGreaterThanOrEqual(4.5);
        expect(wcagContrast(hsl, textColour)).toBeGreaterThanOrEqual(wcagContrast(hsl, alternative) - 0.01);
      }),
    );
  });
});

describe('the variables of a theme', () => {
  it('has each setting, logo and banner of the table of fields', () => {
    const { both, light } = variablesOf({ record: theme(1) }, NO_ROLES);
    const names = [...both, ...light].map(([name]) => name);
    const shown = RECORD_FIELDS.filter((field) => {
      const row = ROWS[field];
      if (row.kind === 'image') return row.page === 'logos' && !field.endsWith('inverse');
      if (row.kind === 'image_set') return true;
      return row.type === 'pixels' || (row.type === 'choice' && row.mode === undefined);
    });
    expect(names).toEqual(expect.arrayContaining(shown.map(variableOf)));
  });

  it('is what the sample page reads: each length and each colour', () => {
    const css = readFileSync(path.join(import.meta.dirname, '../../../src/core/document/preview/mock.css'), 'utf8');
    const { both } = variablesOf({ record: theme(1) }, NO_ROLES);
    const lengths = fieldsWhere({ type: 'pixels' }).map(variableOf);
    const used = both.map(([name]) => name).filter((name) => lengths.includes(name) || /palette-\d$/.test(name));
    expect(used).toHaveLength(lengths.length + 18);
    for (const name of used) expect(css).toContain(`var(${name}`);
  });

  it('has the dark colours in dark mode alone, and roles that follow the mode', () => {
    const { both, light, dark } = variablesOf({ record: theme(1), palette_dark: DARK }, { roles: { primary: 2 } });
    expect(new Map(dark).get('--theme-palette-2')).toBe('hsl(1,50%,80%)');
    expect(new Map(light).get('--theme-palette-2')).toBe(theme(1).palette_preview[1]);
    expect(new Map(both).get('--theme-palette-2')).toBeUndefined();
    expect(new Map(both).get('--theme-primary')).toBe('var(--theme-palette-2)');
  });

  it.each([...HOSTILE, 'red; } body { display: none', 'hsl(0,0%,0%)}', 'url(https://evil.example)'])(
    'leaves out a value that is no colour: %j',
    (colour) => {
      const styleWith = (first: string): string =>
        screenStyle({ record: theme(1, { palette_preview: [first, 'hsl(0,0%,0%)'] }) }, NO_ROLES);
      expect(styleWith(colour)).toBe(styleWith(''));
    },
  );
});

it('print has the light mode: everything dark is inside media queries for screens', () => {
  const css = stylesheet({ record: theme(1), palette_dark: DARK }, NO_ROLES);
  const onPaper = css.replaceAll(/@media screen[^{]*\{\n[^]*?\n\}\n\}/g, '');
  expect(css).toContain('hsl(1,50%,80%)');
  expect(onPaper).not.toContain('hsl(1,50%,80%)');
});
