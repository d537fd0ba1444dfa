import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { FORMATS } from '../image/format.ts';
import type { ImageUrls } from '../document/record.ts';
import { splitRow } from '../users/csv.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField, thumbnailSpecOf } from '../theme/fields.ts';
import type { ImageSource } from '../theme/image-source.ts';
import { meantTheme } from '../theme/meant-theme.ts';
import type { EdgeRules } from './contract.ts';

/** The first line of `redirects.csv`. */
export const REDIRECTS_HEADER = 'old_path,theme,image';

/** An old path of an image, and the image that it leads to now. */
export interface Redirect {
  /** As a client sends it: percent-encoded. */
  from: string;
  /** Folder name of a theme; in the file also its id, which stays when the folder is renamed. */
  theme: string;
  field: AnyImageField;
  isThumbnail: boolean;
}

/** A redirect of `redirects.csv`, and where it has the old path. */
export interface LocatedRedirect extends Redirect {
  location: Location;
}

/** What rows are checked against. */
interface Known {
  rules: EdgeRules;
  themes: readonly { slug: string; id: number; images: Partial<Record<AnyImageField, ImageSource>> }[];
  /** The folders of all themes, also of those with errors of their own. */
  slugs: ReadonlySet<string>;
}

/** The value of the column `image`: a field, or the thumbnail of one. */
export function imageName(field: AnyImageField, isThumbnail: boolean): string {
  return isThumbnail ? `${field}.thumbnail` : field;
}

const IMAGE_NAMES = ANY_IMAGE_FIELDS.flatMap((field) =>
  thumbnailSpecOf(field) === undefined ? [field] : [field, imageName(field, true)],
);

/** The redirects of `redirects.csv`; reports every row that cannot become one. */
export function parseRedirects(file: string, text: string, known: Known, report: Report): LocatedRedirect[] {
  const [header = '', ...rows] = text.split(/\r?\n/);
  if (header !== REDIRECTS_HEADER) {
    report('redirect/header', at(file, 1, header), {});
    return [];
  }
  const seen = new Map<string, number>();
  const themes = new Map(known.themes.map((theme) => [theme.slug, theme]));
  // `import` writes ids: one comes before a folder of that name.
  for (const theme of known.themes) themes.set(String(theme.id), theme);
  return rows.flatMap((row, index) => {
    const line = index + 2;
    if (row === '') return [];
    const redirect = parseRow(
      row,
      (column, length) => at(file, line, ' '.repeat(length), column),
      { ...known, themeOf: (name) => themes.get(name) },
      report,
    );
    if (redirect === undefined) return [];
    const path = comparedPath(redirect.from);
    const first = seen.get(path);
    if (first !== undefined) {
      report('redirect/duplicate', at(file, line, redirect.from), { path: redirect.from, first });
      return [];
    }
    seen.set(path, line);
    return [redirect];
  });
}

function at(file: string, line: number, text: string, column = 1): Location {
  return { file, start: { line, column }, end: { line, column: column + text.length } };
}

type Place = (column: number, length: number) => Location;

function parseRow(
  row: string,
  place: Place,
  { rules, themes, themeOf, slugs }: Known & { themeOf: (name: string) => Known['themes'][number] | undefined },
  report: Report,
): LocatedRedirect | undefined {
  const cells = splitRow(row);
  const [from, slug, image] = cells ?? [];
  if (cells?.length !== 3 || from === undefined || slug === undefined || image === undefined) {
    report('redirect/columns', place(1, row.length), { found: cells?.length ?? 0 });
    return undefined;
  }
  const location = place(from.column, from.text.length);
  const reason = oldPathProblem(from.text, rules);
  if (reason !== undefined) report('redirect/path', location, { path: from.text, reason });
  const theme = themeOf(slug.text);
  // The ids of themes with errors are not known.
  const mayBe = slugs.has(slug.text) || (/^\d+$/.test(slug.text) && themes.length < slugs.size);
  if (theme === undefined && !mayBe) {
    report('redirect/theme', place(slug.column, slug.text.length), {
      theme: slug.text,
      suggestion: meantTheme(slug.text, [...slugs]),
    });
  }
  const target = parseImage(image.text);
  const where = place(image.column, image.text.length);
  if (target === undefined) {
    report('redirect/image', where, { image: image.text, suggestion: suggest(image.text, IMAGE_NAMES) });
    return undefined;
  }
  if (reason !== undefined || theme === undefined) return undefined;
  const source = theme.images[target.field];
  if (source !== undefined && 'url' in source) {
    report('redirect/elsewhere', where, { theme: theme.slug, field: target.field });
    return undefined;
  }
  return { from: from.text, theme: theme.slug, ...target, location };
}

function parseImage(name: string): Pick<Redirect, 'field' | 'isThumbnail'> | undefined {
  const isThumbnail = name.endsWith('.thumbnail');
  const field = ANY_IMAGE_FIELDS.find((one) => imageName(one, isThumbnail) === name);
  return field === undefined || !IMAGE_NAMES.includes(name) ? undefined : { field, isThumbnail };
}

/**
 * The rules with these redirects.
 * @param urls - of the images of each theme; a target of the greatest length stands in for one that was not rendered
 */
export function withRedirects(
  rules: EdgeRules,
  redirects: readonly Redirect[],
  urls: ReadonlyMap<string, Partial<ImageUrls>>,
): EdgeRules {
  if (redirects.length === 0) return rules;
  const { baseUrl, mediaUrl } = rules;
  const isOwn = new URL(mediaUrl).origin === new URL(baseUrl).origin;
  const targetOf = (redirect: Redirect): string => {
    const url = publishedUrl(redirect, urls.get(redirect.theme)) ?? `${mediaUrl}/${redirect.theme}/${STAND_IN}`;
    return isOwn ? new URL(url).pathname : url;
  };
  return { ...rules, redirects: Object.fromEntries(redirects.map((redirect) => [redirect.from, targetOf(redirect)])) };
}

function publishedUrl({ field, isThumbnail }: Redirect, urls: Partial<ImageUrls> | undefined): string | undefined {
  const value = urls?.[field];
  return typeof value === 'object' ? value[isThumbnail ? 'thumbnail' : 'original'] : value;
}

/** As long as the longest published name. */
const STAND_IN = `${'x'.repeat(64)}.${'0'.repeat(16)}-thumbnail-1000x1000.webp`;

/** The text of `redirects.csv`. */
export function redirectsText(redirects: readonly Redirect[]): string {
  const lines = redirects.map(
    ({ from, theme, field, isThumbnail }) =>
      `${from.includes(',') ? `"${from}"` : from},${theme},${imageName(field, isThumbnail)}`,
  );
  return `${[REDIRECTS_HEADER, ...lines].join('\n')}\n`;
}

/** Pairs of an old path and what it leads to; none for most sites. */
export function redirectPairs({ redirects = {} }: Pick<EdgeRules, 'redirects'>): [from: string, to: string][] {
  return Object.entries(redirects);
}

/** The store of CloudFront takes keys of 512 bytes. */
const MAX_PATH_LENGTH = 400;
/** What a client sends for a file name: characters that every host can compare, and percent-encoded ones. */
const PATH = /^(?:\/(?:[\w.~+@,=()!&';[\]-]|%[0-9A-Fa-f]{2})+)+$/;
const DECODED = /^[\p{L}\p{M}\p{N}._~+@,=()!&';[\]/-]+$/u;
const IMAGE = new RegExp(
  `[.](?:${[...Object.values(FORMATS).flatMap(({ extensions }) => extensions), 'bmp', 'tiff?'].join('|')})$`,
  'i',
);
/** `name.<hash>.png`, `name.<hash>-thumbnail-250x250.png`. */
const PUBLISHED = /\/media\/[a-z0-9-]+\/[^/]+\.[0-9a-f]{16}[.-][^/]+$/;

/** Why a path cannot be redirected on every host, as a phrase that completes “The old path …”; nothing if it can. */
export function oldPathProblem(path: string, { endpoints }: Pick<EdgeRules, 'endpoints'>): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return 'does not start with one `/`';
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  const decoded = decodedPath(path);
  if (!PATH.test(path) || decoded === undefined || !DECODED.test(decoded))
    return "has characters other than letters, digits and `._~+@,=()!&';[]-`, or percent-encoded letters";
  // Encoded, a slash or a dot would be one for some hosts only.
  if (/%2[ef]/i.test(path)) return 'has a `.` or `/` that is percent-encoded';
  if (decoded.split('/').some((part) => /^\.+$/.test(part))) return 'has a part of dots alone';
  if (!IMAGE.test(path)) return 'does not end like an image (`.png`, `.svg` and so on)';
  const { list } = endpoints;
  if ([list.path, list.folder].some((folder) => decoded.startsWith(decodeURIComponent(folder))))
    return `is below the endpoint ${list.path}`;
  if (PUBLISHED.test(decoded)) return 'is that of a published image';
  return undefined;
}

/** What two old paths must differ in: some hosts compare them decoded, and nginx without regard to case. */
export function comparedPath(path: string): string {
  return (decodedPath(path) ?? path).toLowerCase();
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
