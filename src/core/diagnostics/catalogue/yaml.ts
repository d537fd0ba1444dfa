import { count, inQuotes, printable, quote } from '../quote.ts';
import { error, warning } from './entry.ts';
import { isWindowsPath, pathHint } from './path-hint.ts';

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Diagnostics about the text of a file, before its fields are parsed. */
export const yamlCatalogue = {
  'yaml/syntax': error('a file that is not well-formed YAML', {
    message: ({ reason }: { reason: string }) => `This is not well-formed YAML: ${printable(reason)}.`,
    hint: () => 'Check the indentation, brackets and quotes here and on the line before.',
  }),
  'yaml/colon': error('a line without a field name, a colon and a space', {
    message: () => 'This line is not of the form `field: value`.',
    hint: ({ source }: { source: string }) => {
      const [, field, value] =
        /^([\w-]+):(\S.*)$/.exec(source) ??
        /^([\w-]+)\s*=+\s*(.*)$/.exec(source) ??
        /^([\w-]+)\s+(.*)$/.exec(source) ??
        [];
      if (source.startsWith('//')) return 'Start a comment with `#` and a space.';
      if (/^-\S/.test(source)) return `Write ${quote(`- ${source.slice(1)}`)}, with a space after the dash.`;
      return field === undefined
        ? 'Write the name of a field, a colon, a space and the value.'
        : `Write ${quote(`${field}: ${value}`)}, with a colon and a space after the field name.`;
    },
  }),
  'yaml/indentation': error('a line whose indentation does not match the lines around it', {
    message: () => 'The indentation of this line does not match the lines around it.',
    hint: () => 'Align it with the other lines of its level; indent nested lines by two spaces.',
  }),
  'yaml/unclosed': error('a quote or bracket that is not closed', {
    message: ({ character }: { character: string }) =>
      `The ${/["']/.test(character) ? 'quote' : 'bracket'} ${quote(character)} that opens here is not closed.`,
    hint: ({ character }) => `Close it with ${quote(CLOSING[character] ?? character)}, on the same line if possible.`,
  }),
  'yaml/after-quotes': error('text after a closing quote or bracket', {
    message: () => 'There is text after the closing quote or bracket of this value.',
    hint: () =>
      'Put the whole value in one pair of quotes: "…" if it contains an apostrophe, \'…\' if it contains `"`.',
  }),
  'yaml/escape': error('an invalid escape sequence in double quotes', {
    message: ({ escape }: { escape: string; text: string }) =>
      `In double quotes a backslash starts an escape sequence, and ${quote(escape)} is not a valid one.`,
    hint: ({ text }) =>
      isWindowsPath(text) ? pathHint(text) : "Use single quotes ('…'), or write each backslash twice.",
  }),
  'yaml/empty': error('a file with nothing but white space or comments', {
    message: () => 'The file has no `field: value` lines.',
    hint: ({ isSite = false }: { isSite?: boolean }) =>
      isSite
        ? 'Write the URL where the service is published, like `base_url: https://community.example.org`.'
        : 'Write the fields as `field: value`, one per line.',
  }),
  'yaml/look-alike': error('a character that looks like one with a meaning in YAML', {
    message: ({ character }: { character: string; meant: string }) =>
      `Here is ${character}, which YAML reads as part of the text.`,
    hint: ({ meant }) =>
      meant === ' '
        ? 'Replace it with a space of the space bar.'
        : `Write ${quote(meant)} instead${/[:,-]/.test(meant) ? ', and a space after it' : ''}.`,
  }),
  'yaml/comment': warning('a value that ends at a `#`, which starts a comment', {
    message: ({ value, comment }: { value: string; comment: string }) =>
      `In YAML, a \`#\` after a space starts a comment, so ${quote(comment)} is not part of the value ${quote(value)}.`,
    hint: ({ value, comment }) =>
      `If it belongs to the value, put all of it in quotes: ${inQuotes(`${value} ${comment}`)}. If it is a comment, write a space after the \`#\`.`,
  }),
  'yaml/bullet': error('`*` in place of `-` before an entry of a list', {
    message: () => 'In YAML, an entry of a list begins with `-`, not with `*`.',
    hint: ({ entry }: { entry: string }) => `Write \`- ${entry}\`, here and in the lines below.`,
  }),
  'yaml/nested': error('a file whose fields are all below one key', {
    message: ({ key }: { key: string }) =>
      `All fields are below ${quote(key)}, but they must be at the start of the line.`,
    hint: ({ key }) => `Delete the line ${quote(`${key}:`)}, and the spaces before each line below it.`,
  }),
  'yaml/not-a-mapping': error('a file that is a list or a single value, not `field: value` lines', {
    message: ({ found }: { found: string }) =>
      `The file must contain \`field: value\` lines, but it contains ${found}.`,
    hint: () => 'Write one `field: value` per line, with a colon and without a leading dash.',
  }),
  'yaml/tab': error('a tab used for indentation', {
    message: () => 'YAML does not allow tabs for indentation.',
    hint: () => 'Indent with two spaces per level, here and in the lines below.',
  }),
  'yaml/duplicate-key': error('a duplicate key', {
    message: ({ key }: { key: string }) => `The key ${quote(key)} is duplicated.`,
    hint: () => 'Delete one of the two lines.',
  }),
  'yaml/multiple-documents': error('a `---` line starts a second document', {
    message: () => 'The line `---` starts a second YAML document, which would be ignored.',
    hint: () => 'Keep one document per file: delete the `---` line, or everything after it.',
  }),
  'yaml/unquoted-colour': error('`#` starts a comment, so an unquoted hex colour is an empty value', {
    message: ({ colour }: { colour: string }) =>
      `In YAML, \`#\` starts a comment, so the colour ${quote(colour)} is ignored.`,
    hint: ({ colour }) => `Put the colour in quotes: ${inQuotes(colour)}`,
  }),
  'yaml/unquoted-function': error('an unquoted `hsl(…)` in a `[…]` list is cut at its commas', {
    message: ({ text }: { text: string }) =>
      `Inside \`[…]\`, a comma ends the value, so ${quote(text)} is read as several values.`,
    hint: ({ text }) => `Put the colour in quotes: ${inQuotes(text)}`,
  }),
  'yaml/unquoted-colon': error('an unquoted value that contains `: `', {
    message: ({ value }: { value: string }) =>
      `The value ${quote(value)} contains a colon followed by a space, which YAML reads as another \`field: value\`.`,
    hint: ({ value }) => `Put the whole value in quotes: ${inQuotes(value)}`,
  }),
  'yaml/unquoted-start': error('an unquoted value that starts with a character that YAML reserves', {
    message: ({ character }: { character: string; value: string }) =>
      `In YAML, a value that starts with ${character === '`' ? 'a backtick' : quote(character)} must be quoted.`,
    hint: ({ value }) =>
      /["\],}]/.test(value) ? 'Put the whole value in quotes.' : `Put the whole value in quotes: ${inQuotes(value)}`,
  }),
  'yaml/curly-quotes': error('typographic quotes, which YAML reads as part of the value', {
    message: () => 'YAML does not recognise curly quotes: they would become part of the value.',
    hint: ({ meant }: { meant: string }) => `Use straight quotes: ${inQuotes(meant)}`,
  }),
  'yaml/number-format': error('a number that YAML reads differently from how it looks', {
    message: ({ source, value }: { source: string; value: string; colour?: string | undefined }) =>
      `YAML reads ${quote(source)} as the number ${value}.`,
    hint: ({ source, value, colour }) =>
      colour !== undefined
        ? `Write a colour with \`#\` and in quotes: ${inQuotes(colour)}`
        : Number.isSafeInteger(Number(value))
          ? `Write ${quote(value)} for the number, or ${inQuotes(source)} in quotes for the text.`
          : `Write a number of at most 15 digits, or ${inQuotes(source)} in quotes for the text.`,
  }),
  'yaml/anchor': error('an anchor, an alias or a merge key', {
    message: ({ source }: { source: string }) =>
      `Anchors, aliases and merge keys (\`&\`, \`*\`, \`<<\`) are not supported: ${quote(source)}.`,
    hint: ({ source }) =>
      source.startsWith('<<')
        ? 'Write the fields out; to share them between themes, use `extends`.'
        : `Write the value out, in quotes if it starts with ${quote(source.charAt(0))}; to share values between themes, use \`extends\`.`,
  }),
  'yaml/tag': error('an explicit type tag (`!…`)', {
    message: ({ tag }: { tag: string }) => `Tags (\`!\`) are not supported: ${quote(tag)}.`,
    hint: () => 'Delete it, or put the whole value in quotes if the exclamation mark is part of it.',
  }),
  'yaml/directive': error('a `%YAML` or `%TAG` line', {
    message: () => 'Lines that start with `%` are not supported: files are always read as YAML 1.2.',
    hint: () => 'Delete the line.',
  }),
  'yaml/too-deep': error('lists and groups that are nested too deeply', {
    message: ({ limit }: { limit: number }) =>
      `Lists and groups are nested more than ${count(limit, 'level')} deep here.`,
    hint: () => 'No file that themecast reads is nested this deeply: remove the extra brackets or indentation.',
  }),
  'yaml/too-many-values': error('a YAML file with more values than any theme has', {
    message: () => 'The file contains too many values; the rest of it is not read.',
    hint: () => 'Is this the right file? Long lists of users belong in `users.csv`.',
  }),
  'file/character': error('an invisible or control character', {
    message: ({ character, escaped }: { character: string; escaped: boolean }) =>
      `The ${escaped ? 'text' : 'file'} contains ${character}, which is invisible${escaped ? ', written as an escape' : ''}.`,
    hint: ({ character, escaped }) =>
      character.includes('U+000D') && !escaped
        ? 'Save the file with LF or CRLF line endings.'
        : 'Delete it, or retype the text instead of pasting it.',
  }),
  'file/more': error('more diagnostics in one file than are shown', {
    message: ({ more }: { more: number }) =>
      `${count(more, 'more diagnostic')} in this file ${more === 1 ? 'is' : 'are'} not shown.`,
    hint: () => 'Fix the diagnostics that are shown: most of the others probably have the same cause.',
  }),
  'file/encoding': error('a file that is not UTF-8', {
    message: () => 'From here on, the file is not valid UTF-8.',
    hint: ({ csv }: { csv: boolean }) => `Save it as UTF-8${csv ? ' (in Excel: “CSV UTF-8”)' : ''}.`,
  }),
  'file/conflict': error('an unresolved merge conflict', {
    message: () => 'The file contains an unresolved merge conflict.',
    hint: () => 'Keep one version, and delete the lines that start with `<<<<<<<`, `=======` and `>>>>>>>`.',
  }),
  'file/not-a-file': error('a folder, a link or a special file where something else is expected', {
    message: ({ name, kind }: { name: string; kind: 'file' | 'folder' | 'link' | 'special' }) =>
      `${quote(name)} is a ${kind === 'special' ? 'special file (a pipe, a socket or a device)' : kind}, which themecast does not read here.`,
    hint: ({ kind }) =>
      kind === 'link' ? 'Put the file or folder itself here.' : 'Delete it, or move it out of the themes folder.',
  }),
  'file/name': error('a file or folder whose name is not UTF-8, or contains an invisible character', {
    message: ({ name }: { name: string }) =>
      `A name in this folder is not plain text: ${quote(name)} (other characters as \`\\u{…}\`).`,
    hint: () => 'Rename it, using only a–z, 0–9 and hyphens, or delete it.',
  }),
  'file/lfs-pointer': error('a text file that Git LFS has not fetched', {
    message: () => 'Git LFS has not fetched this file: it is only a pointer to it.',
    hint: () => 'Run `git lfs pull`; in CI, check out with LFS.',
  }),
  'file/fence': error('a line of Markdown around the content of a text file', {
    message: () => 'This line is Markdown, and no part of the file.',
    hint: () => 'Delete the lines with ```.',
  }),
  'file/secret': error('a password, token or private key in a file of the themes', {
    message: ({ line, field }: { line: number; field: string | undefined }) =>
      `Line ${line} has a secret${field === undefined ? '' : `, ${quote(field)}`}; it is not repeated here.`,
    hint: () => 'Delete it, and replace the secret where it is used: Git keeps every version, so others can read it.',
  }),
  'file/unreadable': error('a file or folder that cannot be read', {
    message: ({ folder, reason }: { folder: boolean; reason: string }) =>
      `This ${folder ? 'folder' : 'file'} cannot be read: ${reason}.`,
    hint: ({ folder }) =>
      `Make it readable for the user who runs the build, for example with \`chmod a+r${folder ? 'x' : ''}\`; also check its owner.`,
  }),
  'file/too-large': error('a text file that exceeds its size limit', {
    message: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `The file is ${count(bytes, 'byte')} long; the limit is ${count(limit, 'byte')}.`,
    hint: () => 'Is this the right file? Images belong beside it, not inside it.',
  }),
};
