import { type Template, TEMPLATES } from '../repository.ts';
import { readPackageFile } from './package-files.ts';

/** The files of a theme repository that the package brings. */
export function readTemplates(): Record<Template, string> {
  const entries = TEMPLATES.map((name) => [name, readPackageFile(`docs/theme-repository/${name}`)] as const);
  return Object.fromEntries(entries) as Record<Template, string>;
}
