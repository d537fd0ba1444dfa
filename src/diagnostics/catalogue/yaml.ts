import { count, inQuotes, printable, quote } from '../quote.ts';
import { error } from './entry.ts';
import { isWindowsPath, pathHint } from './path-hint.ts';

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Findings in the text of a file, before anything is known about its fields. */
export const yamlCatalogue = {
  'yaml/syntax': error('the file is not well-formed YAML', {
    message: ({ reason }: { reason: string }) => `This is not well-formed YAML: ${printable(reason)}.`,
    hint: () => 'Check the indentation, brackets and quotes here and on the line before.',
  }),
  'yaml/colon': error('a line without a field name, a colon and a space', {
    message: () => 'This line is not of the form `field: value`.',
    hint: ({ source }: { source: string }) => {
      const [, field, value] = /^([\w-]+):(\S.*)$/.exec(source) ?? /^([\w-]+)\s+(.*)$/.exec(source) ?? [];
      if (/^-\S/.test(source)) return `Write ${quote(`- ${source.slice(1)}`)}, with a space after the dash.`;
      return field === undefined
        ? 'Write the name of a field, a colon, a space and the value.'
        : `Write ${quote(`${field}: ${value}`)}, with a colon and a space after the field name.`;
    },
  }),
  'yaml/indentation': error('a line that is indented otherwise than those it belongs to', {
    message: () => 'The indentation of this line does not fit the lines around it.',
    hint: () =>
      'Start it in the same column as the line that it belongs beside; indent what belongs under it by two spaces.',
  }),
  'yaml/unclosed': error('a quote or bracket that is not closed', {
    message: ({ character }: { character: string }) =>
      `The ${/["']/.test(character) ? 'quote' : 'bracket'} ${quote(character)} that opens here is not closed.`,
    hint: ({ character }) =>
      `Write ${quote(CLOSING[character] ?? character)} at its end, on the same line if possible.`,
  }),
  'yaml/after-quotes': error('text that goes on after a closing quote or bracket', {
    message: () => 'The value ends with the quote or bracket before this text.',
    hint: () => 'Put the whole value in one pair of quotes: "…" if it holds an apostrophe, \'…\' if it holds `"`.',
  }),
  'yaml/escape': error('an invalid escape sequence in double quotes', {
    message: ({ escape }: { escape: string; text: string }) =>
      `In double quotes a backslash starts an escape sequence, and ${quote(escape)} is not a valid one.`,
    hint: ({ text }) =>
      isWindowsPath(text) ? pathHint(text) : "Use single quotes ('…'), or write each backslash twice.",
  }),
  'yaml/empty': error('the file holds nothing but white space or comments', {
    message: () => 'The file holds no `field: value` line.',
    hint: () => 'Write the fields as `field: value`, one a line.',
  }),
  'yaml/not-a-mapping': error('the file is a list or a single value, not `field: value` lines', {
    message: ({ found }: { found: string }) => `The file must hold \`field: value\` lines, but it holds ${found}.`,
    hint: () => 'Write one `field: value` a line, with a colon and without a dash in front.',
  }),
  'yaml/tab': error('a tab is used to indent', {
    message: () => 'YAML does not allow tabs as indentation.',
    hint: () => 'Indent with spaces, two a level, here and in the lines below.',
  }),
  'yaml/duplicate-key': error('the same key stands twice', {
    message: ({ key }: { key: string }) => `The key ${quote(key)} stands twice.`,
    hint: () => 'Keep one of the two lines.',
  }),
  'yaml/multiple-documents': error('a `---` line starts a second document', {
    message: () => 'A line `---` starts a second YAML document here, which would be ignored.',
    hint: () => 'Keep one document a file: delete the `---` line or what follows it.',
  }),
  'yaml/unquoted-colour': error('`#` starts a comment, so an unquoted hex colour is an empty value', {
    message: ({ colour }: { colour: string }) =>
      `In YAML \`#\` starts a comment, so the colour ${quote(colour)} is not read.`,
    hint: ({ colour }) => `Put the colour in quotes: ${inQuotes(colour)}`,
  }),
  'yaml/unquoted-function': error('an unquoted `hsl(…)` in a `[…]` list is cut at its commas', {
    message: ({ text }: { text: string }) =>
      `Inside \`[…]\` a comma ends the value, so ${quote(text)} is read as several values.`,
    hint: ({ text }) => `Put the colour in quotes: ${inQuotes(text)}`,
  }),
  'yaml/unquoted-colon': error('an unquoted value holds `: `', {
    message: ({ value }: { value: string }) =>
      `The value ${quote(value)} holds a colon and a space, which YAML reads as another \`field: value\`.`,
    hint: ({ value }) => `Put the whole value in quotes: ${inQuotes(value)}`,
  }),
  'yaml/unquoted-start': error('an unquoted value starts with a character that YAML reserves', {
    message: ({ character }: { character: string; value: string }) =>
      `A value that starts with ${character === '`' ? 'a backtick' : quote(character)} must be in quotes in YAML.`,
    hint: ({ value }) =>
      /["\],}]/.test(value) ? 'Put the whole value in quotes.' : `Put the whole value in quotes: ${inQuotes(value)}`,
  }),
  'yaml/curly-quotes': error('typographic quotes, which YAML takes as part of the value', {
    message: () => 'Curly quotes do not quote in YAML; they would become part of the value.',
    hint: ({ meant }: { meant: string }) => `Use straight quotes: ${inQuotes(meant)}`,
  }),
  'yaml/number-format': error('a number in a form that YAML reads differently from what it looks like', {
    message: ({ source, value }: { source: string; value: number }) =>
      `YAML reads ${quote(source)} as the number ${value}.`,
    hint: ({ source, value }) =>
      Number.isSafeInteger(value)
        ? `Write ${quote(String(value))} for the number, or ${inQuotes(source)} in quotes for the text.`
        : `Write a number of at most 15 digits, or ${inQuotes(source)} in quotes for the text.`,
  }),
  'yaml/anchor': error('an anchor, an alias or a merge key', {
    message: ({ source }: { source: string }) =>
      `References (\`&\`, \`*\` and \`<<\`) are not supported: ${quote(source)}.`,
    hint: ({ source }) =>
      source.startsWith('<<')
        ? 'Write the fields out; to share them between themes use `extends`.'
        : `Write the value out, in quotes if it starts with ${quote(source.charAt(0))}; to share values between themes use \`extends\`.`,
  }),
  'yaml/tag': error('an explicit type tag (`!…`)', {
    message: ({ tag }: { tag: string }) => `Tags (\`!\`) are not supported: ${quote(tag)}.`,
    hint: () => 'Delete it, or put the whole value in quotes if the exclamation mark belongs to it.',
  }),
  'yaml/directive': error('a `%YAML` or `%TAG` line', {
    message: () => 'Lines that start with `%` are not supported: files are always read as YAML 1.2.',
    hint: () => 'Delete the line.',
  }),
  'yaml/too-deep': error('lists and groups that are nested too deep', {
    message: ({ most }: { most: number }) => `Lists and groups are nested more than ${count(most, 'level')} deep here.`,
    hint: () => 'Nothing that themecast reads is as deep: delete the brackets or the indentation that are too many.',
  }),
  'yaml/too-many-values': error('a YAML file with more values than any theme has', {
    message: () => 'The file holds too many values; it is not read beyond this place.',
    hint: () => 'Is this the right file? Long lists of users belong in `users.csv`.',
  }),
  'file/character': error('an invisible or control character', {
    message: ({ character, escaped }: { character: string; escaped: boolean }) =>
      `The ${escaped ? 'text' : 'file'} holds the invisible character ${character}${escaped ? ', written as an escape' : ''}.`,
    hint: ({ character, escaped }) =>
      character === 'U+000D' && !escaped
        ? 'Save the file with LF or CRLF line ends.'
        : 'Delete it, or type the text again instead of pasting it.',
  }),
  'file/composition': error('letters and their accents as separate characters, which look the same and are not', {
    message: ({ text }: { text: string }) => `In ${quote(text)} a letter and its accent are two characters.`,
    hint: () => 'Type the text again instead of pasting it: file names of macOS are written like this.',
  }),
  'file/more': error('more findings in one file than are shown', {
    message: ({ more }: { more: number }) =>
      `${count(more, 'more finding')} in this file ${more === 1 ? 'is' : 'are'} not shown.`,
    hint: () => 'Mend those that are shown first: most of the others will be the same mistake.',
  }),
  'file/encoding': error('the file is not UTF-8', {
    message: () => 'From here on the file is not UTF-8 text.',
    hint: ({ csv }: { csv: boolean }) => `Save it with the encoding UTF-8${csv ? ' (in Excel: “CSV UTF-8”)' : ''}.`,
  }),
  'file/conflict': error('a merge conflict that was not resolved', {
    message: () => 'The file holds a merge conflict: two versions of the same lines.',
    hint: () => 'Keep one version, and delete the lines that start with `<<<<<<<`, `=======` and `>>>>>>>`.',
  }),
  'file/not-a-file': error('a folder, a link or a special file where something else is expected', {
    message: ({ name, kind }: { name: string; kind: 'file' | 'folder' | 'link' | 'special' }) =>
      `${quote(name)} is a ${kind === 'special' ? 'special file (a pipe, a socket or a device)' : kind}, which themecast does not read here.`,
    hint: ({ kind }) =>
      kind === 'link' ? 'Put the file or folder itself here.' : 'Delete it, or move it out of the themes folder.',
  }),
  'file/name': error('a file or folder whose name is not UTF-8, or holds an invisible character', {
    message: ({ name }: { name: string }) =>
      `A name in this folder is not plain text: ${quote(name)} (bytes after \`\\x\` in hexadecimal).`,
    hint: () => 'Rename it with the letters a–z, digits and hyphens, or delete it.',
  }),
  'file/unreadable': error('a file or folder that cannot be read', {
    message: ({ folder, reason }: { folder: boolean; reason: string }) =>
      `This ${folder ? 'folder' : 'file'} cannot be read: ${reason}.`,
    hint: ({ folder }) =>
      `Let the user who builds read it, for example with \`chmod a+r${folder ? 'x' : ''}\`; see also who owns it.`,
  }),
  'file/too-large': error('a text file over its size limit', {
    message: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `The file has ${count(bytes, 'byte')}; the limit is ${count(limit, 'byte')}.`,
    hint: () => 'Is this the right file? Pictures belong beside it, not inside it.',
  }),
};
