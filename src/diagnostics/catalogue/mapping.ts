import { count, quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error } from './entry.ts';

// User keys are personal data: messages name the place, never the key.

/** Diagnostics about the mapping of users to themes. */
export const mappingCatalogue = {
  'mapping/header': error('a CSV user file without a header row', {
    message: () => 'The first line must be `user,theme` (or `group,theme`).',
    hint: ({ meant }: { meant: 'user' | 'group' }) =>
      `Write exactly \`${meant},theme\` in the first line, and in each row below it the key, a comma and the theme.`,
  }),
  'mapping/columns': error('a row that does not have two columns', {
    message: ({ found }: { found: number }) =>
      `The row has ${count(found, 'column')}; it must have 2: the key of a user or group, and a theme.`,
    hint: ({ found }) =>
      found === 1 ? 'Write the key, a comma and the folder name of a theme.' : 'Delete what follows the theme.',
  }),
  'mapping/quotes': error('a quoted CSV value that is not closed, or is followed by more text', {
    message: () => 'A quoted value must end with a quote, followed by a comma or the end of the line.',
    hint: () => 'Write a quote inside a quoted value twice: `""`. A value cannot span several lines.',
  }),
  'mapping/more': error('more diagnostics about users than are shown', {
    message: ({ more }: { more: number }) =>
      `${count(more, 'more diagnostic')} about users ${more === 1 ? 'is' : 'are'} not shown.`,
    hint: () => 'Fix the ones shown first: most of the others are probably the same mistake.',
  }),
  'mapping/too-large': error('user files that are too large in total', {
    message: ({ limit }: { limit: number }) =>
      `With this file, the user files exceed ${count(limit, 'byte')} in total.`,
    hint: () => 'Ten million users with the longest possible keys fit: is this the right file?',
  }),
  'mapping/empty-key': error('a user or group without a key', {
    message: () => 'The key is empty.',
    hint: () => 'Write the key, or delete the entry.',
  }),
  'mapping/user-key': error('a key that some hosts cannot store', {
    message: ({ reason }: { reason: string }) => `The key ${reason}.`,
    hint: () =>
      'A user or group key is 1 to 128 of the characters A–Z a–z 0–9 . _ @ + : | = / ~ -, and does not start with ~. Write the key that requests carry, such as the number of the user, or assign the theme to a group.',
  }),
  'mapping/duplicate-user': error('a user or group that is listed twice', {
    message: ({ first }: { first: string }) => `This user or group is already listed in ${quote(first)}.`,
    hint: () => 'Delete one of the two.',
  }),
  'mapping/unknown-theme': error('a user whose theme does not exist', {
    message: ({ isEmpty, users }: { isEmpty: boolean; suggestion: string | undefined; users: number }) =>
      `${isEmpty ? 'The row names no theme' : 'There is no theme with this name'}${users === 1 ? '' : ` (${count(users, 'user')})`}.`,
    hint: ({ suggestion }) =>
      didYouMean(suggestion) ??
      'Write the user first, then the folder name of a theme. For ids of themes, name the column `theme_id`.',
  }),
};
