import { sha256Of } from '../../system/disk/files.ts';
import { VALUE_LISTS, type ValueList } from '../../core/theme/fields/field-rows.ts';
import type { Site } from '../../core/theme/site/site.ts';
import type { CompiledTheme } from '../model.ts';

/** Returns a digest of the inputs that all themes share, for {@link keyOf}. It is known before any theme is read. */
export function settingsKey(site: Site, program: string): string {
  const lists = (Object.keys(VALUE_LISTS) as ValueList[]).map((name) => site[name]);
  return sha256Of(JSON.stringify([program, lists, site.limits, site.derived, site.web_app !== undefined]));
}

/** A name in the folder of a theme, with the digest of a file. */
export type KeyedEntry = readonly [name: string, kind: string, sha256: string];

/** Returns the key of a compiled theme: a digest of everything that it is compiled from. No path of this machine is part of it. */
export function keyOf(slug: string, entries: readonly KeyedEntry[], settings: string): string {
  return sha256Of(JSON.stringify(['theme', settings, slug, entries]));
}

/** Stands for the themes folder in a compiled theme. */
const FOLDER = '\0/';

/** Names a file of a theme independently of the place of the themes folder. */
export const storedName = (file: string): string => FOLDER + file;

/** Returns a compiled theme from its JSON. @param display - returns the path of a file in the themes folder for diagnostics */
export function parseTheme(json: string, display: (file: string) => string): CompiledTheme {
  const folder = display('x').slice(0, -1);
  // No text of an author contains the marker: in a JSON string, a quote is escaped. From a folder of a theme, paths are shorter.
  const placed = folder.startsWith('../')
    ? json.replaceAll(
        /"file":("\\u0000\/(?:[^"\\]|\\.)*")/g,
        (_, name: string) => `"file":${JSON.stringify(display((JSON.parse(name) as string).slice(FOLDER.length)))}`,
      )
    : json.replaceAll(`"file":"\\u0000/`, () => `"file":${JSON.stringify(folder).slice(0, -1)}`);
  return JSON.parse(placed) as CompiledTheme;
}
