import { sha256Of } from '../disk/files.ts';
import { VALUE_LISTS, type ValueList } from '../theme/field-rows.ts';
import type { Site } from '../theme/site.ts';
import type { ThemeFiles } from './theme-files.ts';

/** Returns a digest of the inputs that all themes share, for {@link keyOf}. It is known before any theme is read. */
export function settingsKey(site: Site, display: (file: string) => string, program: string): string {
  const derived = [site.derived, site.web_app !== undefined];
  return sha256Of(JSON.stringify([program, display(''), choicesOf(site), site.limits, derived]));
}

/** Returns a digest of everything except file contents that a theme is compiled from. */
export function keyOf({ slug, entries, unusable, unreadable }: ThemeFiles, settings: string): string {
  const names = entries.map(({ path, kind }) => `${kind} ${path}`);
  return sha256Of(JSON.stringify([settings, slug, names, unusable, unreadable]));
}

/** Returns the settings of a site that the fields of a theme depend on. */
function choicesOf(site: Site): Pick<Site, ValueList> {
  return Object.fromEntries(Object.keys(VALUE_LISTS).map((name) => [name, site[name as ValueList]])) as Pick<
    Site,
    ValueList
  >;
}
