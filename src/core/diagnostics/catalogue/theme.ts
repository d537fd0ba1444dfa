import { characterName } from '../characters.ts';
import { count, inQuotes, quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './entry.ts';

const SLUG_RULE = '1 to 64 of the characters a–z, 0–9 and `-`, not starting or ending with `-`.';

/** Diagnostics about theme folders, how themes relate to each other, and their palettes. */
export const themeCatalogue = {
  'theme/folder-missing': error('a themes folder that does not exist', {
    message: ({ isFile }: { isFile: boolean; suggestion: string | undefined }) =>
      isFile ? 'This is a file, not a folder of themes.' : 'The themes folder does not exist.',
    hint: ({ isFile, suggestion }) =>
      suggestion === undefined
        ? isFile
          ? 'Name the folder with `--themes DIR`.'
          : 'Start one with `npx themecast init`, or name another folder with `--themes DIR`.'
        : `Write ${quote(suggestion)}, with \`/\` between folders.`,
  }),
  'theme/folder-link': warning('a themes folder that is a link', {
    message: ({ name }: { name: string }) => `${quote(name)} is a link: it is read, but no command writes through it.`,
    hint: () => 'Put the folder itself here, or pass its path with `--themes DIR`.',
  }),
  'theme/site-missing': error('a themes folder without `site.yaml`', {
    message: () => 'There is no file `site.yaml`.',
    hint: () =>
      'Create it with the URL where the service is published, like `base_url: https://community.example.org`.',
  }),
  'theme/none': error('a themes folder without a theme', {
    message: () => 'There are no themes in this folder.',
    hint: () => 'Start with `npx themecast init`, or add a theme with `npx themecast new NAME`.',
  }),
  'theme/not-checked-out': error('a theme folder that is in Git, but not in the checkout', {
    message: ({ folder }: { folder: string }) =>
      `Git has the theme folder ${quote(folder)}, but this sparse checkout leaves it out.`,
    hint: () =>
      'Run `git sparse-checkout disable`, or add the folder with `git sparse-checkout add`; in CI, check out everything.',
  }),
  'theme/file-missing': error('a folder without `theme.yaml`', {
    message: ({ folder }: { folder: string; found: string | undefined; nested: string | undefined }) =>
      `The folder ${quote(folder)} has no \`theme.yaml\`.`,
    hint: ({ folder, found, nested }) =>
      found === undefined && nested !== undefined
        ? `Move ${quote(`${folder}/${nested}`)} up: theme folders are directly in the themes folder.`
        : found === undefined
          ? 'Create the file, or move the folder out of the themes folder.'
          : `Rename ${quote(found)} to \`theme.yaml\`.`,
  }),
  'theme/second-file': error('a second file with a name like `theme.yaml`', {
    message: ({ file }: { file: string }) => `${quote(file)} is ignored: only \`theme.yaml\` is read.`,
    hint: () => 'Keep one of the two, named `theme.yaml`.',
  }),
  'theme/unexpected-file': error('a file in the themes folder that themecast does not read', {
    message: ({ name }: { name: string; suggestion: string | undefined; isTaken: boolean }) =>
      `${quote(name)} is not a file that themecast reads here.`,
    hint: ({ name, suggestion, isTaken }) => {
      if (isTaken)
        return `Move it out of the themes folder, or delete it: ${quote(suggestion)} is the file that is read.`;
      if (/\.(?:xlsx?|ods|numbers)$/i.test(name))
        return `Save it as CSV (in Excel: “CSV UTF-8”), as ${quote(suggestion ?? name.replace(/[^.]*$/, 'csv'))}, and delete this file.`;
      if (suggestion?.startsWith('users/') === true) return `If it assigns themes, move it to ${quote(suggestion)}.`;
      if (suggestion !== undefined) return `Rename it to ${quote(suggestion)}.`;
      if (name === 'users/theme.yaml') return 'Give the theme folder another name: `users` is reserved for user files.';
      return name.startsWith('users/')
        ? 'User files are named `….csv`.'
        : 'Move it into a theme folder, or out of the themes folder.';
    },
  }),
  'theme/slug': error('a folder name that cannot be a slug', {
    message: ({ folder, isReserved }: { folder: string; suggestion: string | undefined; isReserved: boolean }) =>
      `The folder name ${quote(folder)} ${isReserved ? 'is reserved for a published file' : 'cannot be used in URLs and file names'}.`,
    hint: ({ suggestion, isReserved }) =>
      isReserved
        ? 'Give the folder another name.'
        : `Rename the folder${suggestion === undefined ? '' : `, for example to ${quote(suggestion)}`}: ${SLUG_RULE}`,
  }),
  'theme/duplicate-id': error('two themes with the same id', {
    message: ({ id, other }: { id: number; other: string; free: number }) =>
      `The id ${id} is already used in ${quote(other)}.`,
    hint: ({ free }) =>
      `Ids are unique and permanent: the older theme keeps this one; give the newer theme the next free id, ${free}.`,
  }),
  'theme/no-default': error('no default theme', {
    message: () => 'No theme has `is_default: true`.',
    hint: () => 'Write `is_default: true` in the theme for anonymous and unknown visitors.',
  }),
  'theme/second-default': error('more than one default theme', {
    message: ({ other }: { other: string }) => `\`is_default: true\` is already set in ${quote(other)}.`,
    hint: () => 'Only one theme can be the default: delete the line in all others.',
  }),
  'theme/extends-unknown': error('`extends` refers to a theme that does not exist', {
    message: ({ parent }: { parent: string; suggestion: string | undefined }) =>
      `There is no theme ${quote(parent)} to extend.`,
    hint: ({ suggestion }) => didYouMean(suggestion) ?? 'Write the folder name of another theme.',
  }),
  'theme/extends-cycle': error('themes that extend each other in a cycle', {
    message: ({ chain }: { chain: readonly string[] }) =>
      `The themes extend each other in a cycle: ${quote(chain.join(' → '))}.`,
    hint: () => 'Delete `extends` in one of them.',
  }),
  'theme/accept-unused': warning('an entry of `accept` without such a warning', {
    message: ({ field, code }: { field: string; code: string }) =>
      `There is no warning ${quote(code)} about ${quote(field)}.`,
    hint: () => 'Delete the entry, so that it does not hide a later warning.',
  }),
  'schema/stale': warning('a JSON schema for editors that is out of date', {
    message: ({ name }: { name: string }) =>
      `${quote(name)} does not match this version of themecast, or the values in site.yaml.`,
    hint: () => 'Run `npx themecast init --schemas` to write it again; move a file of your own away first.',
  }),
  'palette/count': error('a palette that does not have nine colours', {
    message: ({ found }: { found: number }) => `The palette has ${count(found, 'colour')}; it must have 9.`,
    hint: ({ found }) => (found < 9 ? `Add ${9 - found} more.` : `Delete ${count(found - 9, 'colour')}.`),
  }),
  'palette/colour': error('a value that is not an opaque CSS colour of its own', {
    message: ({ value, problem }: PaletteColour) => {
      const letter = /[^\u0000-\u007f]/u.exec(value)?.[0];
      const reason = letter === undefined ? '' : `: it contains ${characterName(letter)}, no letter of a colour`;
      return `${quote(value)} ${problem === 'syntax' ? `is not a CSS colour${reason}` : problem === 'alpha' ? 'is not opaque, but palette colours must be' : 'has no fixed value outside a page'}.`;
    },
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Write an opaque colour itself, like "#0b5fff", "hsl(219,100%,52%)", "oklch(0.6 0.2 260)" or navy.'
        : `Did you mean ${inQuotes(suggestion)}?`,
  }),
};

export interface PaletteColour {
  value: string;
  problem: 'syntax' | 'alpha' | 'not-a-fixed-colour';
  suggestion: string | undefined;
}
