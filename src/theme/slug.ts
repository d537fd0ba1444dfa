import type { Location, Report } from '../diagnostics/diagnostic.ts';

/** How a folder of a theme is called; what else is reserved, {@link isSlug} knows. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Names that Windows keeps for devices: a folder of such a name cannot be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
/** Names that the config folder of `dist/` uses itself. */
const RESERVED_SLUGS = new Set(['index', 'browse', 'options']);
/** Folder of further files of users, among those of the themes. */
export const USERS_FOLDER = 'users';

/** Whether a folder name can be a slug; reports why not. */
export function isSlug(folder: string, location: Location, report: Report): boolean {
  if (RESERVED_SLUGS.has(folder)) report('theme/reserved-slug', location, { folder });
  else if (SLUG.test(folder) && !DEVICE.test(folder)) return true;
  else report('theme/slug', location, { folder, suggestion: slugOf(folder) });
  return false;
}

/** The slug that a name comes closest to; nothing if it has no letter or digit of ASCII. */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');
  if (DEVICE.test(slug)) return `${slug}-theme`;
  return SLUG.test(slug) ? slug : undefined;
}
