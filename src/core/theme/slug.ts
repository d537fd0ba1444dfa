import type { Location, Report } from '../diagnostics/diagnostic.ts';

/** Matches the folder name of a theme; {@link isSlug} also excludes reserved names. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Matches device names of Windows: a folder of such a name cannot be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
/** File names in the config folder of `dist/`, which a theme would overwrite. */
const RESERVED_SLUGS = new Set(['index', 'browse', 'options']);
/** The folder, beside the themes, with further users files. */
export const USERS_FOLDER = 'users';

/** Checks whether a folder name can be a slug; reports why not. */
export function isSlug(folder: string, location: Location, report: Report): boolean {
  const isReserved = RESERVED_SLUGS.has(folder);
  const isValid = SLUG.test(folder) && !DEVICE.test(folder) && !isReserved;
  if (!isValid)
    report('theme/slug', location, { folder, suggestion: isReserved ? undefined : slugOf(folder), isReserved });
  return isValid;
}

export function canBeSlug(name: string): boolean {
  return SLUG.test(name) && !DEVICE.test(name) && !RESERVED_SLUGS.has(name) && name !== USERS_FOLDER;
}

/** Lower-case Latin letters that Unicode does not decompose, with their usual transcriptions. */
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

/** Returns the slug closest to a name; undefined if the name has no ASCII letter or digit. */
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
