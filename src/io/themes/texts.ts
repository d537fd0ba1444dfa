import path from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { decodeText } from '../../source/text.ts';
import { readIfFile } from '../disk/files.ts';
import { TEXT_LIMIT } from '../../theme/themes-folder.ts';
import type { Content } from './discover.ts';

/** Maximum size of an SVG that is shown with a diagnostic, in bytes. */
const SVG_LIMIT = 25 * 1024 * 1024;

/**
 * The files that diagnostics point into, by the names that these use, with their paths. Without files of users: their keys are
 * personal data, and a code frame would show them in the log of a build.
 */
export function diagnosedFiles(
  diagnostics: readonly Diagnostic[],
  { themesDir, display, site, redirects, themes }: Content,
): [file: string, path: string][] {
  const texts = new Map(themes.map(({ file, path: name }) => [file, name]));
  if (site !== undefined) texts.set(site.file, path.join(themesDir, 'site.yaml'));
  if (redirects !== undefined) texts.set(redirects.file, redirects.path);
  const prefix = `${display()}/`;
  const files = new Map<string, string>();
  for (const { location } of diagnostics) {
    const { file, start } = location;
    if (start === undefined) continue;
    const isSvg = file.endsWith('.svg') && file.startsWith(prefix);
    const name = isSvg ? path.join(themesDir, file.slice(prefix.length)) : texts.get(file);
    if (name !== undefined) files.set(file, name);
  }
  return [...files];
}

/** The texts of such files; those that cannot be read are left out. */
export function readTexts(files: readonly (readonly [file: string, path: string])[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [file, name] of files) {
    const isSvg = file.endsWith('.svg');
    const bytes = readIfFile(name, isSvg ? SVG_LIMIT : TEXT_LIMIT);
    const text = bytes && (isSvg ? new TextDecoder().decode(bytes) : decodeText({ file, bytes }, () => undefined));
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}
