import path from 'node:path';
import { editYaml } from '../../../core/source/edit-yaml.ts';
import { parseYaml } from '../../../core/source/yaml.ts';
import { VALUE_LISTS, type ValueList } from '../../../core/theme/fields/field-rows.ts';
import { SITE_DEFAULTS } from '../../../core/theme/site/site.ts';
import { displayPath } from '../../../system/disk/files.ts';
import type { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { TEXT_LIMIT } from '../../../core/theme/themes-folder.ts';

const SITE_FILE = 'site.yaml';

/**
 * Completes a repository after an import: runs `init` if it is new, and adds imported values to site.yaml.
 * @param call - calls another command
 * @returns a line for each change
 */
export async function completeImport(
  themesDir: string,
  baseUrl: string,
  newValues: Readonly<Record<ValueList, readonly string[]>>,
  call: (args: readonly string[]) => Promise<number>,
): Promise<string[]> {
  const themes = writableFolder(themesDir);
  // A killed import leaves an empty file.
  const isNew = ((await themes.read(SITE_FILE, TEXT_LIMIT))?.length ?? 0) === 0;
  // The files of `init` expect a themes folder of the usual name.
  const isUsual = path.basename(themesDir) === 'themes';
  const init = ['--quiet', '--name', 'Imported', '--base-url', baseUrl];
  if (isNew && isUsual) await call(['init', path.dirname(themesDir), ...init]);
  else if (isNew) await themes.replace(SITE_FILE, `base_url: ${baseUrl}\n`, 0o644);
  const added = await addValues(themes, newValues);
  if (added.length > 0) await call(['init', '--schemas', '--quiet', '--themes', themesDir]);
  return [...(isNew && isUsual ? ['new site  the files of `init`'] : []), ...added];
}

/** Adds accepted values to site.yaml, and keeps everything else. @returns a line for each list */
async function addValues(
  themes: ContainedFolder,
  newValues: Readonly<Record<ValueList, readonly string[]>>,
): Promise<string[]> {
  const changed = (Object.keys(VALUE_LISTS) as ValueList[]).filter((list) => newValues[list].length > 0);
  if (changed.length === 0) return [];
  const text = (await themes.read(SITE_FILE, TEXT_LIMIT))?.toString() ?? '';
  const data = parseYaml(SITE_FILE, text, () => undefined)?.data ?? {};
  const valuesOf = (list: ValueList): string[] => [
    ...new Set([...((data[list] as string[] | undefined) ?? VALUE_LISTS[list]), ...newValues[list]]),
  ];
  const file = displayPath(path.join(themes.path, SITE_FILE), process.cwd());
  const lines = changed.map((list) => `values    ${list}: ${newValues[list].join(', ')}`);
  const values = new Map(changed.map((list) => [list, valuesOf(list)]));
  const edited = editYaml(text, values, Object.keys(SITE_DEFAULTS));
  if (edited === undefined) return lines.map((line) => `${line} must be added to ${file}, which has errors`);
  await themes.replace(SITE_FILE, edited, 0o644);
  return lines.map((line) => `${line} added to ${file}`);
}
