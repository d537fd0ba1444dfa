import { readFileSync } from 'node:fs';
import { type Template, TEMPLATES } from '../repository.ts';
import { readPackageFile } from './package-files.ts';

export function readTemplates(): Record<Template, string> {
  const entries = TEMPLATES.map((name) => {
    const text = name.endsWith('.mustache')
      ? readFileSync(new URL(`../templates/${name}`, import.meta.url), 'utf8')
      : readPackageFile(`docs/theme-repository/${name}`);
    return [name, text] as const;
  });
  return Object.fromEntries(entries) as Record<Template, string>;
}
