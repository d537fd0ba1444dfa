import type { Location, Report } from '../../core/diagnostics/diagnostic.ts';
import { suggest } from '../../core/diagnostics/suggest.ts';
import { FORMATS } from '../../core/image/format.ts';
import type { ImageUrls } from '../../core/document/record.ts';
import { type Cell, splitRow } from '../../core/users/csv.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField, thumbnailSpecOf } from '../../core/theme/fields/fields.ts';
import type { ImageSource } from '../../core/theme/image-source.ts';
import { meantTheme } from '../../core/theme/meant-theme.ts';
import type { EdgeRules } from './contract.ts';

export const REDIRECTS_HEADER = 'old_path,theme,image';

/** An old path of an image, and its target. */
export interface Redirect {
  /** As a client sends it: percent-encoded. */
  from: string;
  /** The folder name of a theme; in redirects.csv also its id, which survives a rename of the folder. */
  theme: string;
  field: AnyImageField;
  isThumbnail: boolean;
}

/** A redirect, and the location of its old path in `redirects.csv`. */
export interface LocatedRedirect extends Redirect {
  location: Location;
}

/** The site that redirects are checked against. */
interface RedirectTargets {
  rules: EdgeRules;
  themes: readonly { slug: string; id: number; images: Partial<Record<AnyImageField, ImageSource>> }[];
  /** The folders of all themes, including themes with errors. */
  slugs: ReadonlySet<string>;
}

/** Returns the value of the column `image`: a field, or the thumbnail of a field. */
export function imageName(field: AnyImageField, isThumbnail: boolean): string {
  return isThumbnail ? `${field}.thumbnail` : field;
}

const IMAGE_NAMES = ANY_IMAGE_FIELDS.flatMap((field) =>
  thumbnailSpecOf(field) === undefined ? [field] : [field, imageName(field, true)],
);

/** Returns the redirects of `redirects.csv`; reports every row with an error. */
export function parseRedirects(
  file: string,
  text: string,
  targets: RedirectTargets,
  report: Report,
): LocatedRedirect[] {
  const at = (line: number, { column, text: cell }: Cell): Location => {
    return { file, start: { line, column }, end: { line, column: column + cell.length } };
  };
  const [header = '', ...rows] = text.split(/\r?\n/);
  if (header !== REDIRECTS_HEADER) {
    report('redirect/columns', at(1, { column: 1, text: header }), { isHeader: true });
    return [];
  }
  const seen = new Map<string, number>();
  const themes = new Map(targets.themes.map((theme) => [theme.slug, theme]));
  // `import` writes ids, so an id wins over a folder of the same name.
  for (const theme of targets.themes) themes.set(String(theme.id), theme);
  return rows.flatMap((row, index) => {
    const line = index + 2;
    if (row === '') return [];
    const redirect = parseRow(row, (cell) => at(line, cell), themes, targets, report);
    if (redirect === undefined) return [];
    const path = comparedPath(redirect.from);
    const first = seen.get(path);
    if (first === undefined) seen.set(path, line);
    else report('redirect/duplicate', at(line, { column: 1, text: redirect.from }), { path: redirect.from, first });
    return first === undefined ? [redirect] : [];
  });
}

function parseRow(
  row: string,
  at: (cell: Cell) => Location,
  byName: ReadonlyMap<string, RedirectTargets['themes'][number]>,
  { rules, themes, slugs }: RedirectTargets,
  report: Report,
): LocatedRedirect | undefined {
  const cells = splitRow(row);
  const [from, slug, image] = cells ?? [];
  if (cells?.length !== 3 || from === undefined || slug === undefined || image === undefined) {
    report('redirect/columns', at({ column: 1, text: row }), { isHeader: false });
    return undefined;
  }
  const reason = oldPathProblem(from.text, rules);
  if (reason !== undefined) report('redirect/path', at(from), { path: from.text, reason });
  const wrong = (cell: Cell, suggestion?: string): void =>
    report('redirect/target', at(cell), { target: cell.text, suggestion });
  const theme = byName.get(slug.text);
  // A theme with errors has no id here, so any id could be its own.
  const mayBe = slugs.has(slug.text) || (/^\d+$/.test(slug.text) && themes.length < slugs.size);
  if (theme === undefined && !mayBe) wrong(slug, meantTheme(slug.text, [...slugs]));
  const target = parseImage(image.text);
  const source = target && theme?.images[target.field];
  const isElsewhere = source !== undefined && 'url' in source;
  if (target === undefined || isElsewhere) wrong(image, suggest(image.text, isElsewhere ? [] : IMAGE_NAMES));
  if (reason !== undefined || theme === undefined || target === undefined || isElsewhere) return undefined;
  return { from: from.text, theme: theme.slug, ...target, location: at(from) };
}

function parseImage(name: string): Pick<Redirect, 'field' | 'isThumbnail'> | undefined {
  const isThumbnail = name.endsWith('.thumbnail');
  const field = ANY_IMAGE_FIELDS.find((candidate) => imageName(candidate, isThumbnail) === name);
  return field === undefined || !IMAGE_NAMES.includes(name) ? undefined : { field, isThumbnail };
}

/**
 * Returns the rules with these redirects.
 * @param urls - the image URLs of each theme; a target that was not rendered gets a URL of the greatest possible length
 */
export function withRedirects(
  rules: EdgeRules,
  redirects: readonly Redirect[],
  urls: ReadonlyMap<string, Partial<ImageUrls>>,
): EdgeRules {
  if (redirects.length === 0) return rules;
  const { baseUrl, mediaUrl } = rules;
  const isSameOrigin = new URL(mediaUrl).origin === new URL(baseUrl).origin;
  const targetOf = (redirect: Redirect): string => {
    const url = publishedUrl(redirect, urls.get(redirect.theme)) ?? `${mediaUrl}/${redirect.theme}/${STAND_IN}`;
    return isSameOrigin ? new URL(url).pathname : url;
  };
  return { ...rules, redirects: Object.fromEntries(redirects.map((redirect) => [redirect.from, targetOf(redirect)])) };
}

function publishedUrl({ field, isThumbnail }: Redirect, urls: Partial<ImageUrls> | undefined): string | undefined {
  const value = urls?.[field];
  return typeof value === 'object' ? value[isThumbnail ? 'thumbnail' : 'original'] : value;
}

/** As long as the longest published name. */
const STAND_IN = `${'x'.repeat(64)}.${'0'.repeat(16)}-thumbnail-1000x1000.webp`;

export function redirectsText(redirects: readonly Redirect[]): string {
  const lines = redirects.map(
    ({ from, theme, field, isThumbnail }) =>
      `${from.includes(',') ? `"${from}"` : from},${theme},${imageName(field, isThumbnail)}`,
  );
  return `${[REDIRECTS_HEADER, ...lines].join('\n')}\n`;
}

/** Returns pairs of an old path and its target; most sites have none. */
export function redirectPairs({ redirects = {} }: Pick<EdgeRules, 'redirects'>): [from: string, to: string][] {
  return Object.entries(redirects);
}

/** Maximum length of an old path, in characters: the store of CloudFront limits keys to 512 bytes. */
const MAX_PATH_LENGTH = 400;
/** Matches a path as clients send it: characters that every host can compare, and percent-encoded characters. */
const PATH = /^(?:\/(?:[\w.~+@,=()!&';[\]-]|%[0-9A-Fa-f]{2})+)+$/;
const DECODED = /^[\p{L}\p{M}\p{N}._~+@,=()!&';[\]/-]+$/u;
const IMAGE = new RegExp(
  `[.](?:${[...Object.values(FORMATS).flatMap(({ extensions }) => extensions), 'bmp', 'tiff?'].join('|')})$`,
  'i',
);
/** `name.<hash>.png`, `name.<hash>-thumbnail-250x250.png`. */
const PUBLISHED = /\/media\/[a-z0-9-]+\/[^/]+\.[0-9a-f]{16}[.-][^/]+$/;

/** Returns why some host could not redirect a path, as a phrase that completes “The old path …”. */
export function oldPathProblem(
  path: string,
  { endpoints: { list } }: Pick<EdgeRules, 'endpoints'>,
): string | undefined {
  const decoded = decodedPath(path) ?? '';
  // Some hosts decode a slash or a dot before they compare, others do not.
  const isPlain = PATH.test(path) && DECODED.test(decoded) && !/%2[ef]/i.test(path) && !/\/\.+(?:\/|$)/.test(decoded);
  if (!isPlain || path.length > MAX_PATH_LENGTH || !IMAGE.test(path))
    return `is not the path of an image, of at most ${MAX_PATH_LENGTH} letters, digits, percent-encoded letters and \`._~+@,=()!&';[]-\``;
  const isOurs = [list.path, list.folder].some((folder) => decoded.startsWith(decodeURIComponent(folder)));
  return isOurs || PUBLISHED.test(decoded) ? 'is published here' : undefined;
}

/** Returns a path as the least strict hosts compare it: some decode it, and nginx ignores case. */
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
