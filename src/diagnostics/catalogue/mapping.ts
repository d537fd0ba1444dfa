import { count, quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './entry.ts';
import { type MeantTheme, meantTheme } from './meant-theme.ts';

/** What is wrong with the first line of a CSV file. */
export type HeaderProblem = keyof typeof HEADER_HINTS;

const HEADER_HINTS = {
  missing: 'Put the line HEADER first, above the rows.',
  semicolons: 'Write HEADER in this line, and commas instead of semicolons in every row.',
  tabs: 'Write HEADER in this line, and commas instead of tabs in every row.',
  case: 'Write HEADER in this line, exactly so and in lower case.',
  swapped: 'Write HEADER in this line, and the key before the theme in every row.',
  columns: 'Write HEADER in this line, and two columns in every row: the key and the theme.',
} as const;

// User keys are personal data: messages name the place, never the key.

/** Findings about who gets which theme. */
export const mappingCatalogue = {
  'mapping/header': error('a CSV file of users without its header row', {
    message: () => 'The first line must be `user,theme` (or `group,theme`).',
    hint: ({ problem, meant }: { problem: HeaderProblem; meant: 'user' | 'group' }) =>
      HEADER_HINTS[problem].replace('HEADER', `\`${meant},theme\``),
  }),
  'mapping/columns': error('a row that has not two columns', {
    message: ({ found }: { found: number }) =>
      `The row has ${count(found, 'column')}; it must have 2: the key of a user or group, and a theme.`,
    hint: ({ found }) =>
      found === 1 ? 'Write the key, a comma and the folder name of a theme.' : 'Delete what follows the theme.',
  }),
  'mapping/quotes': error('a quoted CSV value that does not end, or goes on after its quotes', {
    message: () => 'A quoted value must end with a quote, followed by a comma or the end of the line.',
    hint: () => 'A quote inside a quoted value is written twice: `""`; a value does not go over several lines.',
  }),
  'mapping/object': error('a line of NDJSON that is not a key and its theme', {
    message: () => 'The line is not a JSON object with `user` (or `group`) and `theme`, each once, and nothing else.',
    hint: () => 'Write `{"user": "…", "theme": "…"}`, one object a line; the theme is the name of a folder.',
  }),
  'mapping/list': error('a list of keys that `users.yaml` names and that there is not', {
    message: ({ path }: { path: string | undefined; suggestion: string | undefined }) =>
      `There is no list ${path === undefined ? 'of this name' : quote(path)}.`,
    hint: ({ suggestion }) =>
      didYouMean(suggestion) ??
      'Write the path of a `.txt` file in `users/`, with one key a line: `users/testers.txt`.',
  }),
  'mapping/list-twice': error('a list of keys that `users.yaml` names twice', {
    message: ({ path }: { path: string }) => `The list ${quote(path)} is named twice.`,
    hint: () => 'Name it under one theme alone.',
  }),
  'mapping/list-unused': warning('a list of keys that `users.yaml` does not name', {
    message: ({ path }: { path: string }) => `Nothing reads the list ${quote(path)}.`,
    hint: () => 'Name it under `files` in users.yaml, or delete it.',
  }),
  'mapping/more': error('more findings about users than are shown', {
    message: ({ more }: { more: number }) =>
      `${count(more, 'more finding')} about users ${more === 1 ? 'is' : 'are'} not shown.`,
    hint: () => 'Mend those that are shown first: most of the others will be the same mistake.',
  }),
  'mapping/too-large': error('files of users that are too large together', {
    message: ({ limit }: { limit: number }) =>
      `With this file, the files of users have more than ${count(limit, 'byte')}.`,
    hint: () => 'Ten million users fit, with the longest keys there are: is this the right file?',
  }),
  'mapping/empty-key': error('a user or group without a key', {
    message: () => 'The key is empty.',
    hint: () => 'Write the key, or delete the entry.',
  }),
  'mapping/user-key': error('a key with a character that some host cannot hold', {
    message: ({ reason }: { reason: string }) => `The key ${reason}.`,
    hint: () =>
      'A key of a user or group is 1 to 128 of the characters A–Z a–z 0–9 . _ @ + : | = / ~ -, and does not start with ~.',
  }),
  'mapping/duplicate-user': error('a user or group that is listed twice', {
    message: ({ first }: { first: string }) => `This user or group is already listed in ${quote(first)}.`,
    hint: () => 'Keep one of the two.',
  }),
  'mapping/unknown-theme': error('a user is given a theme that does not exist', {
    message: ({ theme, users, swapped }: UnknownTheme) => {
      if (swapped > 0)
        return `The user and the theme are swapped${swapped === 1 ? '' : ` here and in ${count(swapped - 1, 'more place')}`}.`;
      if (theme === '')
        return `The row names no theme${users === 1 ? '' : `, nor ${users === 2 ? 'does' : 'do'} ${count(users - 1, 'more row')}`}.`;
      const name = theme === undefined ? 'of this name' : quote(theme);
      return `There is no theme ${name}${users === 1 ? '' : `, which ${count(users, 'user')} are given`}.`;
    },
    hint: ({ suggestion, isRenamed, swapped }) =>
      swapped > 0
        ? 'Write `user,theme` in this order in CSV files, `{"user": "…", "theme": "…"}` in NDJSON, and `theme: [user, …]` in users.yaml.'
        : (meantTheme({ suggestion, isRenamed }) ?? 'Write the folder name of a theme.'),
  }),
};

export interface UnknownTheme extends MeantTheme {
  /** Nothing if it may be a user key. */
  theme: string | undefined;
  /** How many are given it. */
  users: number;
  /** How often a theme stands in the place of the user, and no theme in its own. */
  swapped: number;
}
