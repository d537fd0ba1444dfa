import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editYaml } from '../../../src/core/source/edit-yaml.ts';

const ORDER = ['extends', 'id', 'name', 'logo', 'logo_height', 'palette_preview'];
const edit = (text: string, changes: Readonly<Record<string, unknown>>): string | undefined =>
  editYaml(text, new Map(Object.entries(changes)), ORDER);

const THEME = `# A comment.
id: 1   # never change it

name:   "Harbor"
logo: 'logo.svg' # drawn by hand
palette_preview:
  - navy
  # the main colour
  - "#0b5fff"   # blue
`;

describe('editing YAML in place', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['only the value of a field', { name: 'Haven: east' }, THEME.replace('   "Harbor"', ' "Haven: east"')],
    ['only the differing entries of a list', { palette_preview: ['navy', 'red'] }, THEME.replace('"#0b5fff"', 'red')],
    [
      'a list of another length',
      { palette_preview: ['red'] },
      THEME.replace(/palette_preview:[^]*/, 'palette_preview:\n  - red\n'),
    ],
    ['a removed field, together with its line', { logo: undefined }, THEME.replace(/^logo.*\n/m, '')],
    ['a removed list', { palette_preview: undefined }, THEME.replace(/palette_preview:[^]*/, '')],
    ['nothing for an absent field', { extends: undefined }, THEME],
    ['a new field, in its place', { logo_height: 40 }, THEME.replace('by hand\n', 'by hand\nlogo_height: 40\n')],
    ['a new first field', { extends: 'base' }, THEME.replace('id: 1', 'extends: base\nid: 1')],
  ])('changes %s', (_, changes, edited) => {
    expect(edit(THEME, changes)).toBe(edited);
  });

  it('results in exactly the requested change, for any values', () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer(), fc.boolean());
    const list = fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 4 });
    const comment = fc.constantFrom('', ' # a comment', '   # another: {one}');
    const field = fc.record({ value: fc.oneof(value, list), comment });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...ORDER), field, { minKeys: 1 }),
        fc.dictionary(fc.constantFrom(...ORDER), fc.oneof(value, list, fc.constant(undefined))),
        fc.constantFrom('\n', '\r\n'),
        (before, changes, eol) => {
          const lines = Object.entries(before).map(([name, { value: initial, comment: commentText }]) =>
            Array.isArray(initial)
              ? `${name}:${commentText}\n${initial.map((item) => `  - ${JSON.stringify(item)}${commentText}`).join('\n')}`
              : `${name}: ${JSON.stringify(initial)}${commentText}`,
          );
          const text = `# top\n${lines.join('\n\n')}\n# end\n`.replaceAll('\n', eol);
          const expected: Record<string, unknown> = { ...(parse(text) as Record<string, unknown>), ...changes };
          for (const [name, newValue] of Object.entries(changes)) if (newValue === undefined) delete expected[name];
          const edited = edit(text, changes) ?? '';
          expect(parse(edited) ?? {}).toEqual(expected);
          expect(edited.includes(eol === '\n' ? '\r' : '\0')).toBe(false);
          expect(edited.startsWith('# top')).toBe(true);
          expect(edited.endsWith(`# end${eol}`)).toBe(true);
        },
      ),
    );
  });
});
