import { printable, quote } from '../quote.ts';
import { error } from './entry.ts';

/** Findings in the text of a YAML file, before anything is known about its fields. */
export const yamlCatalogue = {
  'yaml/syntax': error('the file is not well-formed YAML', {
    message: ({ reason }: { reason: string }) => `This is not well-formed YAML: ${printable(reason)}.`,
    hint: () => 'Check the indentation, brackets and quotes here and on the line before.',
  }),
  'yaml/empty': error('the file holds nothing but white space or comments', {
    message: () => 'The file is empty.',
    hint: () => 'Write the fields as `field: value`, one a line, or delete the file.',
  }),
  'yaml/not-a-mapping': error('the file is a list or a single value, not `field: value` lines', {
    message: ({ found }: { found: string }) => `The file must hold \`field: value\` lines, but it holds ${found}.`,
    hint: () => 'Write one `field: value` a line, without a dash in front.',
  }),
  'yaml/tab': error('a tab is used to indent', {
    message: () => 'YAML does not allow tabs as indentation.',
    hint: () => 'Indent with spaces (two a level).',
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
    hint: ({ colour }) => `Put the colour in quotes: "${colour}"`,
  }),
  'yaml/unquoted-function': error('an unquoted `hsl(…)` in a `[…]` list is cut at its commas', {
    message: ({ text }: { text: string }) =>
      `Inside \`[…]\` a comma ends the value, so ${quote(text)} is read as several values.`,
    hint: ({ text }) => `Put the colour in quotes: "${text}"`,
  }),
  'yaml/unquoted-colon': error('an unquoted value holds `: `', {
    message: () => 'This value holds a colon followed by a space, which YAML reads as another `key: value`.',
    hint: () => 'Put the whole value in quotes: name: "Foo: Bar"',
  }),
  'yaml/unquoted-start': error('an unquoted value starts with a character that YAML reserves', {
    message: ({ character }: { character: string }) =>
      `A value that starts with ${character === '`' ? 'a backtick' : quote(character)} must be quoted in YAML.`,
    hint: () => 'Put the whole value in quotes.',
  }),
  'yaml/curly-quotes': error('typographic quotes, which YAML takes as part of the value', {
    message: () => 'Curly quotes do not quote in YAML; they would become part of the value.',
    hint: () => 'Use straight quotes: "…"',
  }),
  'yaml/number-format': error('a number in a form that YAML reads differently from what it looks like', {
    message: ({ source, value }: { source: string; value: string }) =>
      `The number ${quote(source)} would be read as ${value}.`,
    hint: () => 'Write a plain decimal number without leading zeros, or put quotes around a text.',
  }),
  'yaml/anchor': error('an anchor, an alias or a merge key', {
    message: ({ source }: { source: string }) => `Anchors, aliases and merge keys are not supported: ${quote(source)}.`,
    hint: () => 'Write the value out; to share values between themes use `extends`.',
  }),
  'yaml/tag': error('an explicit type tag (`!…`)', {
    message: ({ tag }: { tag: string }) => `Tags are not supported: ${quote(tag)}.`,
    hint: () => 'Delete the tag, or put the value in quotes if it starts with an exclamation mark.',
  }),
  'yaml/directive': error('a `%YAML` or `%TAG` line', {
    message: () => 'Lines that start with `%` are not supported: files are always read as YAML 1.2.',
    hint: () => 'Delete the line.',
  }),
  'yaml/character': error('an invisible or control character', {
    message: ({ character }: { character: string }) => `The file holds the invisible character ${character}.`,
    hint: () => 'Delete it, or type the text again instead of pasting it.',
  }),
  'file/encoding': error('the file is not UTF-8', {
    message: ({ offset }: { offset: number }) => `The file is not UTF-8 text (byte ${offset}).`,
    hint: () => 'Save it with the encoding UTF-8.',
  }),
  'file/too-large': error('a text file over its size limit', {
    message: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `The file has ${bytes.toLocaleString('en')} bytes; at most ${limit.toLocaleString('en')} are read.`,
    hint: () => 'Is this the right file? Pictures belong beside it, not inside it.',
  }),
};
