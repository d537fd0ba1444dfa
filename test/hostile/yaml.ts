import { type Case, type Cases, meadow } from './case.ts';

const FILE = 'meadow/theme.yaml';

/** The second theme with another text. */
function text(about: string, content: string | Buffer, code: Case['code'], at: string = FILE): Case {
  return { about, files: { [FILE]: content }, code, at };
}

/** The second theme with an additional fifth line. */
function line(about: string, content: string, code: Case['code'], column = 1): Case {
  return { about, files: meadow({}, `${content}\n`), code, at: `${FILE}:5:${column}` };
}

/** The second theme with another value of a field. */
function field(about: string, name: string, value: string, code: Case['code'], column: number): Case {
  const row = { id: 2, name: 3 }[name] ?? 5;
  return { about, files: meadow({ [name]: value }), code, at: `${FILE}:${row}:${column}` };
}

const palette = (colours: readonly string[]): string => `[${colours.map((colour) => `"${colour}"`).join(', ')}]`;
const blue = (count: number): string[] => Array.from({ length: count }, () => '#00f');
const aliases = Array.from({ length: 9 }, (_, at) => `  - &a${at + 1} [${`*a${at}, `.repeat(9)}]`).join('\n');

/** Cases 63 to 92. */
export const yaml: Cases = {
  63: [
    text('an empty file', '', 'yaml/empty'),
    text('nothing but comments', '# a\n# b\n', 'yaml/empty'),
    text('a lonely ---', '---\n', 'yaml/empty'),
  ],
  64: [
    text('a list as the root', '- id: 2\n', 'yaml/not-a-mapping', `${FILE}:1:1`),
    text('a string as the root', 'Meadow\n', 'yaml/not-a-mapping', `${FILE}:1:1`),
  ],
  65: [text('two documents', 'id: 2\n---\nid: 3\n', 'yaml/multiple-documents', `${FILE}:2:1`)],
  66: [text('a tab as indentation', 'id: 2\npalette_preview:\n\t- "#fff"\n', 'yaml/tab', `${FILE}:3:1`)],
  67: [text('an unclosed quote', 'id: 2\nname: "Meadow\n', 'yaml/unclosed', `${FILE}:2:7`)],
  68: [
    line('a duplicate key', 'name: Again', 'yaml/duplicate-key'),
    line('a duplicate key, once in quotes', '"name": Again', 'yaml/duplicate-key'),
  ],
  69: [text('1 and "1" as keys', '1: a\n"1": b\n', 'yaml/duplicate-key', `${FILE}:2:1`)],
  70: [
    text('nested keys', '? '.repeat(500), 'yaml/too-deep', `${FILE}:1`),
    text('a list as a key', '? [a]\n: b\n', 'yaml/syntax', `${FILE}:1:3`),
  ],
  71: [{ ...line('an alias bomb', `extra:\n  - &a0 [a]\n${aliases}`, 'yaml/anchor'), at: `${FILE}:6:5` }],
  72: [line('an undefined alias', 'logo_alignment: *none', 'yaml/anchor', 17)],
  73: [line('a merge key', '<<: {id: 3}', 'yaml/anchor')],
  74: [
    line('a binary tag', 'logo_alignment: !!binary aGk=', 'yaml/tag', 17),
    line('a function tag', "logo_alignment: !!js/function 'a'", 'yaml/tag', 17),
    line('a custom tag', 'logo_alignment: !x left', 'yaml/tag', 17),
  ],
  75: [
    text('YAML 1.1', '%YAML 1.1\n---\nid: 2\n', 'yaml/directive', `${FILE}:1:1`),
    text('an unknown directive', '%FOO\n---\nid: 2\n', 'yaml/directive', `${FILE}:1:1`),
  ],
  76: [text('a file over 256 KiB', Buffer.alloc(256 * 1024 + 1, 'a'), 'file/too-large')],
  77: [
    text('brackets 100,000 deep', `a: ${'['.repeat(100_000)}`, 'yaml/too-deep', `${FILE}:1`),
    line('a list 9 deep', 'logo_alignment: [[[[[[[[left]]]]]]]]', 'yaml/too-deep', 24),
    text('very many values', `extra:\n${'  - b\n'.repeat(6000)}`, 'yaml/too-many-values', `${FILE}:5001:3`),
  ],
  78: [text('Latin-1', Buffer.from('id: 2\nname: Caf\xe9\n', 'latin1'), 'file/encoding', `${FILE}:2:10`)],
  79: [
    { about: 'a byte order mark at the start', files: { [FILE]: `\ufeff${meadow()[FILE]}` }, code: 'fine' },
    field('a byte order mark inside', 'name', 'Mea\ufeffdow', 'file/character', 10),
  ],
  80: [
    ...['\u0000', '\u001b', '\u202e', '\u2066', '\u0085', '\u200b'].map((character) =>
      field(
        `the character ${JSON.stringify(character).slice(1, -1)} U+${character.codePointAt(0)?.toString(16)}`,
        'name',
        `Mea${character}dow`,
        'file/character',
        10,
      ),
    ),
    ...['\\0', '\\e', '\\u202e', '\\ud800'].map((escape) =>
      field(`the escape ${escape}`, 'name', `"Mea${escape}dow"`, 'file/character', 7),
    ),
    field('a combining accent', 'name', 'Cafe\u0301', 'file/composition', 7),
  ],
  81: [{ about: 'CRLF', files: { [FILE]: `${meadow()[FILE]}`.replaceAll('\n', '\r\n') }, code: 'fine' }],
  82: [
    ...['012', '0x1F', '1e3', '+1', '0o17'].map((id) => field(`the id ${id}`, 'id', id, 'yaml/number-format', 5)),
    field('an id in quotes', 'id', '"7"', 'field/unit', 5),
  ],
  83: [field('an id of 2⁵³+1', 'id', '9007199254740993', 'yaml/number-format', 5)],
  84: [field('the id −1', 'id', '-1', 'field/range', 5), field('the id 0', 'id', '0', 'field/range', 5)],
  85: ['.nan', '.inf', '1e400'].map((height) =>
    field(`a height of ${height}`, 'logo_height', height, 'yaml/number-format', 14),
  ),
  86: ['yes', 'No', 'on'].map((word) => field(`is_default: ${word}`, 'is_default', word, 'field/yes-no', 13)),
  87: [text('a colour without quotes', 'palette_preview:\n  - #fff\n', 'yaml/unquoted-colour', `${FILE}:2:5`)],
  88: [
    line('eight colours', `palette_preview: ${palette(blue(8))}`, 'palette/count'),
    line('ten colours', `palette_preview: ${palette(blue(10))}`, 'palette/count'),
    line('hsl without %', `palette_preview: ${palette([...blue(8), 'hsl(1,2,3,4,5)'])}`, 'palette/colour', 83),
    line('an invalid colour', `palette_preview: ${palette([...blue(8), '#ggg'])}`, 'palette/colour', 83),
  ],
  89: [line('a misspelt field', 'logo_hight: 40', 'field/unknown')],
  90: [
    line('__proto__', '__proto__: {is_default: true}', 'field/unknown'),
    line('constructor', 'constructor: 1', 'field/unknown'),
    line('toString', 'toString: 1', 'field/unknown'),
  ],
  91: [
    field('a name of 101 characters', 'name', 'a'.repeat(101), 'field/range', 7),
    text('a name of 250 KB', `name: ${'a'.repeat(250_000)}\n`, 'field/range', `${FILE}:1:7`),
  ],
  92: [
    field('a name of two lines', 'name', '"Mea\\ndow"', 'field/format', 7),
    field('a name with ANSI colours', 'name', '"\\e[31mMeadow"', 'file/character', 7),
    field('a name with markup', 'name', '"</script><script>alert(1)</script>"', 'fine', 7),
  ],
};
