import { count, quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './entry.ts';

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' };

const KEY_HINTS: Readonly<Record<KeyMistake, string>> = {
  empty: 'Write the key, or delete the entry.',
  space: 'Delete the space before or after the key.',
  escape: 'Write the character instead of its escape, like `@` instead of `%40`: cookies are decoded.',
};

export interface HeaderArguments {
  meant: 'user' | 'group';
  separator?: string;
  mistake?: 'swapped' | 'empty' | undefined;
}

// User keys are personal data: messages have the location, never the key.

export const mappingCatalogue = {
  'mapping/header': error('a CSV user file without a header row', {
    message: ({ meant, separator = ',' }: HeaderArguments) =>
      `The first line must be ${quote(`${meant}${separator}theme`)} (or \`${meant === 'user' ? 'group' : 'user'}${separator}theme\`).`,
    hint: ({ meant, separator = ',', mistake }) => {
      const line = quote(`${meant}${separator}theme`);
      const name = SEPARATOR_NAMES[separator];
      if (mistake === 'swapped')
        return `Swap the columns in every row: ${line} in the first line, the key before the theme.`;
      if (mistake === 'empty')
        return `Delete the empty columns: ${line} in the first line, and nothing after the theme.`;
      return `Write exactly ${line} in the first line, and in each row below it the key, ${name} and the theme.`;
    },
  }),
  'mapping/date': warning('keys that look like dates, which spreadsheets make of other texts', {
    message: () => 'This key looks like a date that a spreadsheet has made of another text.',
    hint: () => 'If so, format the column as text, and enter or import the keys again.',
  }),
  'mapping/rounded-number': warning('long numbers that all end in zeros, as spreadsheets round them', {
    message: () =>
      'All long numbers of this file end in zeros after their first 15 digits, as a spreadsheet rounds them.',
    hint: () => 'Export the keys again, without opening the file in a spreadsheet, or format the column as text first.',
  }),
  'mapping/not-a-table': error('a file of another format in place of a CSV user file', {
    message: ({ found }: { found: string }) => `This is ${found}, not CSV.`,
    hint: ({ found }) =>
      found === 'an HTML page'
        ? 'This is a page that shows the table: download the table itself as CSV.'
        : found === 'JSON'
          ? 'Write it as CSV: `user,theme` in the first line, then a row for each user.'
          : 'Open it in a spreadsheet program and save it as CSV (in Excel: “CSV UTF-8”).',
  }),
  'mapping/columns': error('a row that does not have two columns', {
    message: ({ found }: { found: number; separator: string; isOther: boolean }) =>
      `The row has ${count(found, 'column')}; it must have 2: the key of a user or group, and a theme.`,
    hint: ({ found, separator, isOther }) =>
      found > 1
        ? 'Delete everything after the theme.'
        : isOther
          ? `Write ${SEPARATOR_NAMES[separator]} between the key and the theme, as in the first line.`
          : `Write the key, ${SEPARATOR_NAMES[separator]} and the folder name of a theme.`,
  }),
  'mapping/quotes': error('a quoted CSV value that is not closed, or is followed by more text', {
    message: () => 'A quoted value must end with a quote, followed by a comma or the end of the line.',
    hint: () => 'Write a quote inside a quoted value twice: `""`. A value cannot span several lines.',
  }),
  'mapping/user-key': error('a key that some hosts cannot store', {
    message: ({ reason }: { reason: string; mistake?: KeyMistake | undefined }) => `The key ${reason}.`,
    hint: ({ mistake }) => keyHint(mistake),
  }),
  'mapping/shortened-number': error('a key that a spreadsheet shortened to a number like `1.23457E+11`', {
    message: () => 'A spreadsheet shortened this key to a number with an exponent, and its last digits are lost.',
    hint: () => 'Set the cell format of the column to Text, enter or import the keys again, and save it as CSV.',
  }),
  'mapping/duplicate-user': error('a user or group that is listed twice', {
    message: ({ first }: { first: string }) => `This user or group is already listed in ${quote(first)}.`,
    hint: () => 'Delete one of the two.',
  }),
  'mapping/unknown-theme': error('a user whose theme does not exist', {
    message: ({ isEmpty, isId, isSpaced, users, theme }: UnknownThemeArguments) => {
      if (theme !== undefined && !isSpaced)
        return `There is no theme ${quote(theme)}, which ${count(users, 'user')} have.`;
      const name = isId ? 'id' : 'name';
      const problem = isEmpty
        ? 'The row has no theme'
        : isSpaced
          ? `There is a space before or after the ${name} of the theme`
          : `There is no theme with this ${name}`;
      return `${problem}${users === 1 ? '' : ` (${count(users, 'user')})`}.`;
    },
    hint: ({ isEmpty, isId, isNumber, isSpaced, suggestion }) => {
      if (isEmpty) return `Write the ${isId ? 'id' : 'folder name'} of a theme, or delete the row.`;
      if (isSpaced) return 'Delete the space.';
      if (isId)
        return isNumber
          ? 'Write the `id` from the theme.yaml of a theme.'
          : 'Write the `id` from the theme.yaml of a theme, in digits; for folder names, call the column `theme`.';
      return (
        didYouMean(suggestion) ??
        (isNumber
          ? 'Write the folder name of a theme; for ids of themes, call the column `theme_id`.'
          : 'Write the folder name of a theme in the second column, after the key.')
      );
    },
  }),
  'mapping/not-csv': error('a YAML file of users', {
    message: ({ name }: { name: string }) => `Users are listed in CSV files, not in ${quote(name)}.`,
    hint: ({ name }) =>
      `Write \`users.csv\`: the line \`user,theme\`, then a line such as \`KEY,meadow\` for each user. Groups go into a file in \`users/\` that begins with \`group,theme\`. Then delete ${quote(name)}.`,
  }),
};

type KeyMistake = 'empty' | 'space' | 'escape';

/** Returns a hint about how to correct a key. */
export function keyHint(mistake: KeyMistake | undefined): string {
  return mistake === undefined
    ? 'A user or group key is 1 to 128 of the characters `A–Z a–z 0–9 . _ @ + : | = / ~ -`, and does not start with `~`. Write the key that requests carry, such as the number of the user, or assign the theme to a group.'
    : KEY_HINTS[mistake];
}

export interface UnknownThemeArguments {
  /** The name, if several users have it, so that it is no key. */
  theme?: string | undefined;
  isEmpty: boolean;
  /** Whether the column contains ids. */
  isId?: boolean;
  isNumber?: boolean;
  isSpaced?: boolean;
  suggestion: string | undefined;
  users: number;
}
