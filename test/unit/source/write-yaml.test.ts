import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/core/source/yaml.ts';
import { writeYaml } from '../../../src/core/source/write-yaml.ts';
import { diagnosticsOf } from '../collect.ts';
import { sampledRuns } from '../../long-test.ts';

const HOSTILE_STRINGS = [
  ['', ' ', 'yes', 'No', 'on', 'OFF', 'y', 'n', 'true', 'null', '~', '007', '0o7', '1e3', '0x1f', '.inf', '.NaN', '+1'],
  ['12:30', '12:30:00', '2026-01-01', '1_000', '=', '<<', '#0b5fff', 'a #b', 'a: b', 'a:', '- a', '? a', '---', '...'],
  ['%YAML 1.1', ...'@a `a` &a *a !a | > [a]'.split(' '), '{a: b}', "it's", '"a"', 'a\\b', '\t', 'a\nb', '\na\n\n'],
  ['“a”', ' a', 'a ', 'Łódź', '東京', '\u0000', '\u0085', '\u2028', '\ud800', 'é', 'e\u0301', 'hsl(1,2%,3%)'],
  ['x'.repeat(2000), `${'word '.repeat(300)}\n${'word '.repeat(300)}`],
].flat();

const text = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 9 }),
  // A key `<<` merges in YAML 1.1, so another test covers it.
  fc.dictionary(
    text.filter((key) => key !== '<<'),
    text,
    { maxKeys: 3 },
  ),
);
const fields = fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), value, { minKeys: 1, maxKeys: 5 });

describe('written YAML', () => {
  it('is read back unchanged by both versions of YAML, and without a diagnostic about its form', () => {
    fc.assert(
      fc.property(fields, (originals) => {
        const written = writeYaml(Object.entries(originals));
        for (const version of ['1.1', '1.2'] as const)
          expect({ ...parse(written, { version }) }).toEqual({ ...originals });
        const codes = diagnosticsOf((report) => parseYaml('a.yaml', written, report)).map(({ code }) => code);
        expect(codes.filter((code) => code !== 'file/character')).toEqual([]);
      }),
      { numRuns: sampledRuns(1000) },
    );
  });
});
