import { editorSchemas } from '../theme/json-schema.ts';
import type { Site } from '../theme/site.ts';
import { slugOf } from '../theme/slug.ts';
import { newTheme } from './new-theme.ts';
import { REPOSITORY_README } from './readme.ts';
import { type Repository, siteFiles, supportFiles, workflow } from './repository.ts';

/** The themes that a folder has already. */
export interface ExistingThemes {
  /** Whether there is a `site.yaml` or a `theme.yaml`: then neither is made. */
  hasThemes: boolean;
  /** The values that its site.yaml lists. */
  site: Pick<Site, 'logo_types' | 'logo_alignments'>;
}

/** All files of a new repository. */
export interface InitFiles {
  /** By name below the root of the Git repository. */
  files: Map<string, string | Uint8Array>;
  /** Folder name of the first theme; nothing where there are themes already. */
  firstTheme: string | undefined;
}

/** Everything that `init` writes where nothing is yet. */
export function initFiles(repository: Repository, { hasThemes, site }: ExistingThemes): InitFiles {
  const { prefix, name } = repository;
  const slug = slugOf(name) ?? 'default';
  const schemas = Object.entries(editorSchemas(site)).map(([file, text]) => [`themes/${file}`, text] as const);
  const inside = new Map<string, string | Uint8Array>([
    ...(hasThemes ? [] : [...siteFiles(repository), ...firstTheme(name, slug)]),
    ...schemas,
    ...supportFiles(repository),
    ['README.md', REPOSITORY_README],
  ]);
  const files = new Map([...inside].map(([file, content]) => [prefix === '' ? file : `${prefix}/${file}`, content]));
  const checks = workflow(repository);
  if (checks !== undefined) files.set(...checks);
  return { files, firstTheme: hasThemes ? undefined : slug };
}

function firstTheme(name: string, slug: string): [string, string | Uint8Array][] {
  const given = { name, id: 1, isDefault: true, parent: undefined, logo: undefined, palette: undefined };
  return [...newTheme(given).files].map(([file, content]) => [`themes/${slug}/${file}`, content]);
}
