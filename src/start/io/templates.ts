import { type Template, TEMPLATES } from '../repository.ts';
import { readPackageFile } from './package-files.ts';

/** Reads the template files of this package for a theme repository. */
export function readTemplates(): Record<Template, string> {
  const folderOf = (name: Template): string =>
    name.endsWith('.mustache') ? 'src/start/templates' : 'docs/theme-repository';
  const entries = TEMPLATES.map((name) => [name, readPackageFile(`${folderOf(name)}/${name}`)] as const);
  return Object.fromEntries(entries) as Record<Template, string>;
}
