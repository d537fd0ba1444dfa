import { readFileSync } from 'node:fs';
import { type Template, TEMPLATES } from '../../scaffold/repository.ts';

/** The files of a theme repository that the package brings. */
export function readTemplates(): Record<Template, string> {
  const entries = TEMPLATES.map((name) => [name, read(`docs/theme-repository/${name}`)] as const);
  return Object.fromEntries(entries) as Record<Template, string>;
}

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(read('package.json')) as { version: string }).version;
}

function read(file: string): string {
  return readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
}
