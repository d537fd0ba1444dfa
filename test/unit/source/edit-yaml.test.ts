import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { editYaml } from '../../../src/source/edit-yaml.ts';

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
  it('replaces a value and nothing else', () => {
    expect(edit(THEME, { name: 'Haven: east' })).toBe(THEME.replace('   "Harbor"', ' "Haven: east"'));
    expect(edit(THEME, { logo: 'new.svg' })).toBe(THEME.replace("'logo.svg'", 'new.svg'));
  });

  it('replaces the entries of a list that differ', () => {
    expect(edit(THEME, { palette_preview: ['navy', 'red'] })).toBe(THEME.replace('"#0b5fff"', 'red'));
    expect(edit('palette_preview: [a,  b ]\n', { palette_preview: ['a', '#fff'] })).toBe(
      'palette_preview: [a,  "#fff" ]\n',
    );
  });

  it('replaces a list of another length as a whole', () => {
    expect(edit(THEME, { palette_preview: ['red'] })).toBe(
      THEME.replace(/palette_preview:[^]*/, 'palette_preview:\n  - red\n'),
    );
  });

  it('removes a field with its lines, but not the comments of others', () => {
    expect(edit(THEME, { logo: undefined })).toBe(THEME.replace(/^logo.*\n/m, ''));
    expect(edit(THEME, { palette_preview: undefined })).toBe(THEME.replace(/palette_preview:[^]*/, ''));
    expect(edit(THEME, { extends: undefined })).toBe(THEME);
  });

  it('inserts a field where the order has it', () => {
    expect(edit(THEME, { logo_height: 40 })).toBe(THEME.replace('by hand\n', 'by hand\nlogo_height: 40\n'));
    expect(edit(THEME, { extends: 'base' })).toBe(THEME.replace('id: 1', 'extends: base\nid: 1'));
    expect(edit('id: 1', { name: 'X', logo: 'l.svg' })).toBe('id: 1\nname: X\nlogo: l.svg\n');
  });

  it('fills in a field without a value', () => {
    expect(edit('id: 1\nname:\nlogo: # none yet\n', { name: 'X', logo: 'l.svg' })).toBe(
      'id: 1\nname: X\nlogo: l.svg # none yet\n',
    );
  });

  it('keeps Windows line endings and a byte order mark', () => {
    const text = '\ufeffid: 1\r\nname: a\r\n';
    expect(edit(text, { name: 'b', palette_preview: ['u', 'v'] })).toBe(
      '\ufeffid: 1\r\nname: b\r\npalette_preview:\r\n  - u\r\n  - v\r\n',
    );
  });

  it('replaces block scalars and lists at the end of a file', () => {
    expect(edit('name: |\n  a\n  b\nid: 1\n', { name: 'c' })).toBe('name: c\nid: 1\n');
    expect(edit('palette_preview:\n- a\n- b', { palette_preview: ['c'] })).toBe('palette_preview:\n  - c');
  });

  it.each(['{id: 1}', 'a: [', '- a', 'a: 1\na: 2', ''])('refuses %j', (text) => {
    expect(edit(text, { id: 2 })).toBeUndefined();
  });

  it('is read back as exactly the change, for any values', () => {
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
          const lines = Object.entries(before).map(([name, { value: given, comment: note }]) =>
            Array.isArray(given)
              ? `${name}:${note}\n${given.map((one) => `  - ${JSON.stringify(one)}${note}`).join('\n')}`
              : `${name}: ${JSON.stringify(given)}${note}`,
          );
          const text = `# top\n${lines.join('\n\n')}\n# end\n`.replaceAll('\n', eol);
          const expected: Record<string, unknown> = { ...(parse(text) as Record<string, unknown>), ...changes };
          for (const [name, wanted] of Object.entries(changes)) if (wanted === undefined) delete expected[name];
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
