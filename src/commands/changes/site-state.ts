import { compact } from '../../core/diagnostics/compact.ts';
import { count } from '../../core/diagnostics/quote.ts';
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts';
import { declaredHostnames } from '../../hosts/contract/hostnames.ts';
import type { ImageSource } from '../../core/theme/image-source.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import type { ThemeSource } from '../../core/theme/theme-source.ts';
import type { Site } from '../../core/theme/site/site.ts';
import type { KeyKind } from '../../core/users/key.ts';

/** A side of a comparison, as plain data without user keys, so that it can be cached. */
export interface SiteState {
  site: Site;
  themes: readonly Theme[];
  /** For each slug, the parent theme, the fields of its own file, and its palettes in the author's spelling. */
  authored: Readonly<
    Record<string, { parent: string | undefined; fields: readonly string[]; palettes: ThemeSource['written'] }>
  >;
  /** The published content of each image file, by `slug/path`. */
  images: Readonly<Record<string, { sha256: string; bytes: number }>>;
  /** The number of keys with each theme, by slug. */
  counts: Readonly<Record<string, Record<KeyKind, number>>>;
  /** Whether there are users files. */
  hasUsers: boolean;
  diagnostics: readonly Diagnostic[];
}

/** The number of users, groups and hostnames with a theme. */
export interface Audience {
  users: number;
  groups: number;
  hostnames: number;
  isDefault: boolean;
}

export function audienceOf({ counts, site, themes }: SiteState, slug: string): Audience {
  const { user: users = 0, group: groups = 0 } = counts[slug] ?? {};
  const hostnames = declaredHostnames(site.identity, new Map()).filter(({ theme }) => theme === slug).length;
  return { users, groups, hostnames, isDefault: defaultOf({ themes })?.slug === slug };
}

/** Returns `192 users and 2 hostnames`; empty if there are none. */
export function audienceText({
  users,
  groups,
  hostnames = 0,
}: Pick<Audience, 'users' | 'groups'> & Partial<Audience>): string {
  const parts = compact([
    users > 0 && count(users, 'user'),
    groups > 0 && count(groups, 'group'),
    hostnames > 0 && count(hostnames, 'hostname'),
  ]);
  return parts.join(', ').replace(/, (?!.*, )/, ' and ');
}

export function defaultOf({ themes }: Pick<SiteState, 'themes'>): Theme | undefined {
  return themes.find(({ is_default: isDefault }) => isDefault);
}

/** An image file, relative to the themes folder, or the URL of an external image. */
export type ImagePlace = { file: string; sha256: string; bytes: number } | { url: string };

/** Returns the file or URL of an image; undefined if a diagnostic reports it as unreadable. */
export function placeOf({ images }: SiteState, source: ImageSource): ImagePlace | undefined {
  if ('url' in source) return { url: source.url };
  const file = `${source.slug}/${source.path}`;
  const image = images[file];
  return image === undefined ? undefined : { file, ...image };
}
