import { editorSchemas } from '../theme/json-schema.ts';
import type { ValueList } from '../theme/field-rows.ts';
import { slugOf } from '../theme/slug.ts';
import { newTheme } from '../document/new-theme.ts';
import { type Repository, siteFile, supportFiles, workflows } from './repository.ts';

/** The themes that a folder has already. */
export interface ExistingThemes {
  /** Whether there is a `site.yaml`: then none is made. */
  hasSite: boolean;
  /** Whether there is a `theme.yaml`: then no theme is made. */
  hasThemes: boolean;
  /** The values that its site.yaml lists. */
  site: Readonly<Record<ValueList, readonly string[]>>;
}

/** All files of a new repository. */
export interface InitFiles {
  /** By name. */
  files: Map<string, string | Uint8Array>;
  /** Folder name of the first theme; nothing where there are themes already. */
  firstTheme: string | undefined;
}

/** Everything that `init` writes where nothing is yet. */
export function initFiles(repository: Repository, { hasSite, hasThemes, site }: ExistingThemes): InitFiles {
  const { name } = repository;
  const slug = slugOf(name) ?? 'default';
  const schemas = Object.entries(editorSchemas(site)).map(([file, text]) => [`themes/${file}`, text] as const);
  const files = new Map<string, string | Uint8Array>([
    ...workflows(repository),
    ...(hasSite ? [] : [['themes/users.csv', 'user,theme\n'] as const]),
    ...(hasSite || hasThemes ? [] : firstTheme(name, slug)),
    ...schemas,
    ...supportFiles(repository),
    // Last, so that it stands for all that is made only where there is none.
    ...(hasSite ? [] : [['themes/site.yaml', siteFile(repository)] as const]),
  ]);
  return { files, firstTheme: hasSite || hasThemes ? undefined : slug };
}

function firstTheme(name: string, slug: string): [string, string | Uint8Array][] {
  const given = { name, id: 1, isDefault: true, parent: undefined, logo: undefined, palette: undefined };
  return [...newTheme(given).files].map(([file, content]) => [`themes/${slug}/${file}`, content]);
}
