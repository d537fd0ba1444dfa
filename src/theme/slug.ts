import type { Location, Report } from '../diagnostics/diagnostic.ts';

/** The folder name of a theme; {@link isSlug} knows which names are reserved. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Device names on Windows: a folder with such a name cannot be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
/** File names that the config folder of `dist/` uses itself. */
const RESERVED_SLUGS = new Set(['index', 'browse', 'options']);
/** The folder, among those of the themes, that holds further files of users. */
export const USERS_FOLDER = 'users';

/** Whether a folder name can be a slug; reports why not. */
export function isSlug(folder: string, location: Location, report: Report): boolean {
  if (RESERVED_SLUGS.has(folder)) report('theme/reserved-slug', location, { folder });
  else if (SLUG.test(folder) && !DEVICE.test(folder)) return true;
  else report('theme/slug', location, { folder, suggestion: slugOf(folder) });
  return false;
}

/** Whether a new theme may have a folder of this name. */
export function canBeSlug(name: string): boolean {
  return SLUG.test(name) && !DEVICE.test(name) && !RESERVED_SLUGS.has(name) && name !== USERS_FOLDER;
}

/** Lower-case Latin letters that are not a letter with a mark, as they are written without. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** The slug closest to a name; undefined if the name has no ASCII letter or digit. */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');
  if (DEVICE.test(slug)) return `${slug}-theme`;
  return SLUG.test(slug) ? slug : undefined;
}
