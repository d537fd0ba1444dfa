import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { apart, edited, offsets } from '../../../src/source/edits.ts';
import { parseYaml } from '../../../src/source/yaml.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { validateTheme } from '../../../src/theme/validate.ts';
import { findings } from '../collect.ts';
import { sampledRuns } from '../../long-test.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example.org', media_url: 'https://a.example.org/media' };

/** Fields as they are right, and ways to write each wrong that have one certain fix. */
const FIELDS: readonly (readonly [right: string, ...wrong: string[]])[] = [
  ['id: 7', 'id: "7"', 'Id: 7'],
  ['name: "Harbor: east"', 'nmae: "Harbor: east"', 'name: 2024'],
  ["logo: 'logo.svg'", 'lgoo: "logo.svg"', 'Logo: logo.svg'],
  ['logo_height: 48', 'logo_height: 48px', "logo_height: '48'", 'logo-height: 48', 'logoHeight: 48'],
  ['logo_alignment: center', 'logo_alignment: centre', 'logo_alignment: "Center"', 'logo_alignmnet: center'],
  ['light_mode_logo_type: INVERSE', 'light_mode_logo_type: inverse', 'light_mode_logo_typ: INVERSE'],
  ['is_default: false', 'is_default: no', "is_default: 'off'", 'isDefault: false'],
  [
    'palette_preview: ["#0b5fff", navy, teal, "hsl(1, 2%, 3%)", white, gray, red, black, gold]',
    'palette_preview: [#0b5fff, navy, teal, "hsl(1, 2%, 3%)", white, gray, red, black, gold]',
    'palette_preview: ["#0b5fff", navy, teal, hsl(1, 2%, 3%), white, gray, red, black, gold]',
    'palette_preview: ["#0b5fff", navy, teal, "hsl(1, 2%, 3%)", white, gray, red, black, #0ff]',
    'palette_preview: [0b5fff, navvy, teal, "hsl(1, 2%, 3%)", white, gray, red, black, gold]',
    'palete_preview: ["#0b5fff", navy, teal, "hsl(1, 2%, 3%)", white, gray, red, black, gold]',
    'palette_preview: [#0b5fff, "#0ff", #0b1b3f, "hsl(1, 2%, 3%)", white, gray, red, black, gold]',
  ],
];

function check(text: string): Diagnostic[] {
  return findings((report) => {
    const document = parseYaml('a.yaml', text, report);
    if (document !== undefined) validateTheme('a', document, SITE, report);
  });
}

/** Applies the fixes of one check. @returns the text, and what is between the changes */
function fixed(text: string): { text: string; between: string[] } {
  const offset = offsets(text);
  const edits = apart(
    check(text).flatMap(({ fix, location: { start, end } }) =>
      fix === undefined || start === undefined || end === undefined
        ? []
        : [{ start: offset(start), end: offset(end), text: fix.replacement }],
    ),
  );
  const ends = [0, ...edits.map(({ end }) => end)];
  const between = [...edits.map(({ start }) => start), text.length].map((start, index) =>
    text.slice(ends[index], start),
  );
  return { text: edited(text, edits), between };
}

it('seeded mistakes in any layout are fixed, and nothing else is changed', () => {
  const space = fc.constantFrom('', '\n', '\n\n', '# a comment: #fff, [not, closed\n', '  # "indented"\n');
  const end = fc.constantFrom('', ' # nmae: Logo.svg', '   ');
  const seeded = fc.record({ wrong: fc.nat(6), before: space, after: end });
  fc.assert(
    fc.property(
      fc.array(seeded, { minLength: FIELDS.length, maxLength: FIELDS.length }),
      fc.shuffledSubarray([...FIELDS.keys()], { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      (seeds, order, eol) => {
        const lines = order.map((index) => {
          const { wrong, before, after } = seeds[index] ?? { wrong: 0, before: '', after: '' };
          const [right = '', ...others] = FIELDS[index] ?? [];
          const line = [right, ...others][wrong % (others.length + 1)] ?? right;
          // What follows an unquoted value cannot be distinguished from it.
          return `${before}${line}${/\]$|: #/.test(line) ? '' : after}\n`;
        });
        let text = lines.join('').replaceAll('\n', eol);
        const comments = text.match(/# (?:a comment|"indented"|nmae).*/g);
        for (let round = 0; round < 12 && check(text).length > 0; round++) {
          const next = fixed(text);
          expect(next.text, JSON.stringify(check(text))).not.toBe(text);
          let at = 0;
          for (const part of next.between) {
            expect(next.text.indexOf(part, at)).not.toBe(-1);
            at = next.text.indexOf(part, at) + part.length;
          }
          text = next.text;
        }
        expect(check(text)).toEqual([]);
        expect(text.match(/# (?:a comment|"indented"|nmae).*/g)).toEqual(comments);
        expect(text.split(eol)).toHaveLength(lines.join('').split('\n').length);
      },
    ),
    { numRuns: sampledRuns(300) },
  );
});

it.each([
  ['two fields that were meant to be the same', 'lgoo: a\nloog: b'],
  ['a field that is there under its name', 'logo: a\nlgoo: b'],
  ['a comment under a field without a value', 'name:\n#fff'],
  ['a colour without a comma before it', 'palette_preview: [\n navy\n #fff,\n teal]'],
  ['another unit', 'logo_height: 2em'],
  ['a value over two lines', 'logo_alignment: >-\n  centre'],
  ['the default theme', 'is_default: yes'],
  ['a value with an escape', String.raw`logo_alignment: "cent\x72e"`],
])('there is no fix of %s', (_, text) => {
  const found = check(text).filter(({ code }) => code !== 'palette/count');
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ fix }) => fix !== undefined)).toEqual([]);
});
