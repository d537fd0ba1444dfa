import { readFileSync } from 'node:fs';
import type { ClientSources } from '../../scaffold/client-file.ts';
import { type Template, TEMPLATES } from '../../scaffold/repository.ts';

/** The files of a theme repository that the package brings. */
export function readTemplates(): Record<Template, string> {
  const entries = TEMPLATES.map((name) => [name, read(`docs/theme-repository/${name}`)] as const);
  return Object.fromEntries(entries) as Record<Template, string>;
}

/** What `themecast client` writes, from the package. */
export function readClientSources(): ClientSources {
  return {
    types: read('src/client/types.ts'),
    client: read('src/client/client.ts'),
    licence: read('LICENSE'),
    version: ownVersion(),
  };
}

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(read('package.json')) as { version: string }).version;
}

function read(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
}
