import path from 'node:path';
import { initFiles } from '../../scaffold/init-files.ts';
import { SCRIPTS } from '../../scaffold/repository.ts';
import { editYaml, EditYamlError } from '../../source/edit-yaml.ts';
import { parseYaml } from '../../source/yaml.ts';
import { VALUE_LISTS, type ValueList } from '../../theme/field-rows.ts';
import { editorSchemas } from '../../theme/json-schema.ts';
import { SITE_DEFAULTS } from '../../theme/site.ts';
import { displayPath, readRegularFile } from '../../io/disk/files.ts';
import type { ContainedFolder } from '../../io/disk/contained-folder.ts';
import { writableFolder } from '../../io/disk/tracked.ts';
import { addScripts } from '../../scaffold/io/scripts.ts';
import { findPlace, type Place } from '../../scaffold/io/place.ts';
import { writeSchemas } from '../../scaffold/io/schemas.ts';
import { ownVersion } from '../../scaffold/io/package-files.ts';
import { readTemplates } from '../../scaffold/io/templates.ts';
import { writeNew } from '../../scaffold/io/write-new.ts';
import { TEXT_LIMIT } from '../../io/themes/discover.ts';

const SITE_FILE = 'site.yaml';

/**
 * Makes a working repository around imported themes: what `init` would, and the values that site.yaml does not accept yet.
 * @returns what was done, in lines
 */
export async function completeImport(
  themesDir: string,
  baseUrl: string,
  newValues: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const place = await findPlace(path.dirname(themesDir));
  const themes = writableFolder(themesDir);
  // An empty one is what a killed import leaves.
  const hasSite = ((await themes.read(SITE_FILE, TEXT_LIMIT))?.length ?? 0) > 0;
  const { files } = initFiles(
    {
      folder: path.basename(place.folder),
      name: 'Imported',
      baseUrl,
      hosts: ['nginx'],
      ci: place.forge ?? 'none',
      packageManager: place.packageManager,
      prefix: place.prefix,
      version: ownVersion(),
      templates: readTemplates(),
    },
    { hasSite, hasThemes: true, site: SITE_DEFAULTS },
  );
  // Around a themes folder of another name, or outside of Git, only what the themes themselves need.
  const isUsual = path.basename(themesDir) === 'themes';
  const prefixed = (name: string): string => (place.prefix === '' ? name : `${place.prefix}/${name}`);
  // site.yaml last: what else belongs to a new site is written only if there is none.
  const ordered = new Map([...files].toSorted(([a], [b]) => Number(isSiteFile(a)) - Number(isSiteFile(b))));
  const states = isUsual ? await writeNew(place.root, ordered) : new Map<string, string>();
  if (!isUsual && !hasSite) await themes.replace(SITE_FILE, `base_url: ${baseUrl}\n`, 0o644);
  const created = [...states].filter(([, state]) => state === 'create').map(([name]) => name);
  const paths = created.map((name) => displayPath(path.join(place.root, name), process.cwd()));
  const added = await addValues(themes, newValues);
  const lines = [...added.lines];
  if (created.length > 0) lines.unshift(`around    ${paths.join(', ')}`);
  const hint = created.includes(prefixed('README.md'))
    ? await scriptsLine(place, states.get(prefixed('package.json')))
    : undefined;
  if (hint !== undefined) lines.push(hint);
  await writeSchemas(themesDir, editorSchemas(added.site)).catch(() => []);
  return lines;
}

/** What package.json lacks, if it was there before; nothing if it lacks nothing. */
async function scriptsLine({ folder }: Place, state: string | undefined): Promise<string | undefined> {
  if (state !== 'yours' || (await addScripts(folder, false))) return undefined;
  const file = path.join(folder, 'package.json');
  const bytes = await readRegularFile(file, TEXT_LIMIT);
  const scripts = Buffer.isBuffer(bytes) ? scriptsIn(bytes.toString()) : {};
  const missing = Object.entries(SCRIPTS).filter(([name]) => !Object.hasOwn(scripts, name));
  if (missing.length === 0) return undefined;
  const entries = missing.map(([name, script]) => `"${name}": "${script}"`);
  return `yours     ${displayPath(file, process.cwd())}: add "scripts": { ${entries.join(', ')} }`;
}

function scriptsIn(text: string): object {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    return {};
  }
}

const isSiteFile = (name: string): boolean => path.basename(name) === SITE_FILE;

/** Adds accepted values to site.yaml, and leaves the rest of it as it is. */
async function addValues(
  themes: ContainedFolder,
  newValues: Readonly<Record<string, readonly string[]>>,
): Promise<{ lines: string[]; site: Record<ValueList, readonly string[]> }> {
  const text = (await themes.read(SITE_FILE, TEXT_LIMIT))?.toString() ?? '';
  const data = parseYaml(SITE_FILE, text, () => undefined)?.data ?? {};
  const lists = Object.keys(VALUE_LISTS) as ValueList[];
  const now = Object.fromEntries(
    lists.map((list) => [
      list,
      [...new Set([...((data[list] as string[] | undefined) ?? VALUE_LISTS[list]), ...(newValues[list] ?? [])])],
    ]),
  ) as Record<ValueList, string[]>;
  const changed = lists.filter((list) => (newValues[list] ?? []).length > 0);
  if (changed.length === 0) return { lines: [], site: now };
  const file = displayPath(path.join(themes.path, SITE_FILE), process.cwd());
  const lines = changed.map((list) => `values    ${list}: ${(newValues[list] ?? []).join(', ')}`);
  try {
    const edited = editYaml(text, new Map(changed.map((list) => [list, now[list]])), Object.keys(SITE_DEFAULTS));
    await themes.replace(SITE_FILE, edited, 0o644);
    return { lines: lines.map((line) => `${line} added to ${file}`), site: now };
  } catch (error) {
    if (!(error instanceof EditYamlError)) throw error;
    return { lines: lines.map((line) => `${line} must be added to ${file}, which has errors`), site: now };
  }
}
