import type { Report } from '../diagnostics/diagnostic.ts';
import {
  ANY_IMAGE_FIELDS,
  type ImageField,
  type ImageSetField,
  type Field,
  FIELDS,
  imageFileName,
  OWN_FIELDS,
  SETTING_FIELDS,
  type SettingField,
} from './fields/fields.ts';
import type { ThemeFields } from './schema.ts';
import type { Site } from './site/site.ts';
import { type ImageSource, imageSource } from './image-source.ts';
import { highestId } from './next-id.ts';
import { meantTheme } from './meant-theme.ts';
import { checkDefault, checkIds } from './unique.ts';
import { placeIn, type ThemeSource } from './theme-source.ts';

/** The settings of a theme; lengths are in CSS pixels. */
export type ThemeSettings = { [F in SettingField]: ThemeFields[F] & {} };

/** A theme with all inherited fields and defaults: no field is absent. */
export interface Theme {
  slug: string;
  /** Unique and permanent number. */
  id: number;
  name: string;
  is_default: boolean;
  /** Own and inherited settings, and defaults. */
  settings: ThemeSettings;
  /** Nine colours as `hsl(h,s%,l%)` with whole numbers. */
  palette_preview: readonly string[];
  /** Nine colours for dark mode; absent if they are the same. */
  palette_dark?: readonly string[] | undefined;
  /** The source of each image. */
  images: Record<ImageField | ImageSetField, ImageSource>;
}

/** The valid parts of a theme, however incomplete. */
export interface Draft extends Pick<Theme, 'slug' | 'is_default' | 'settings' | 'palette_dark'> {
  source: ThemeSource;
  id: number | undefined;
  name: string | undefined;
  /** An invalid colour is `null`; the list may be too short. */
  palette_preview: readonly (string | null)[];
  images: Partial<Theme['images']>;
}

/** A theme with some or all of its images. */
export interface NamedImages {
  images: Partial<Theme['images']>;
}

/**
 * Follows `extends`, applies defaults and checks everything that depends on several themes.
 * @param folders - every theme folder, including themes that could not be parsed
 * @returns themes in the order of their ids
 */
export function resolveThemes(
  sources: readonly ThemeSource[],
  folders: ReadonlySet<string>,
  site: Site,
  report: Report,
): Theme[] {
  checkIds(sources, report);
  checkDefault(sources, sources.length === folders.size, report);
  const resolved = followExtends(sources, folders, report);
  let maxId = highestId(sources);
  const idAction = (): string => `Write \`id: ${++maxId}\`: no other theme has it.`;
  const themes = sources.flatMap((source) => {
    const fields = resolved.get(source);
    return fields === undefined ? [] : (resolveTheme(source, fields, site, idAction, report) ?? []);
  });
  return themes.toSorted((a, b) => a.id - b.id);
}

/** The value of each field and the theme that sets it; undefined if it is invalid and reported there. */
type InheritedValues = { [F in keyof ThemeFields]?: { value: ThemeFields[F] & {}; from: ThemeSource } | undefined };

/** The fields that a theme sets or inherits; all other fields are absent. */
export interface InheritedFields {
  fields: InheritedValues;
  extends: boolean;
}

/**
 * Follows `extends` in linear time, however long the chains are: each theme is visited once and inherits the result of its parent.
 * @returns undefined for themes of a broken chain, which is reported at the break
 */
export function followExtends(
  sources: readonly ThemeSource[],
  folders: ReadonlySet<string>,
  report: Report,
): Map<ThemeSource, InheritedFields | undefined> {
  const bySlug = new Map(sources.map((source) => [source.slug, source]));
  const resolved = new Map<ThemeSource, InheritedFields | undefined>();
  for (const source of sources) {
    const chain = new Set<ThemeSource>();
    let next: ThemeSource | undefined = source;
    let isUnbroken = true;
    while (next !== undefined && !resolved.has(next)) {
      if (chain.has(next)) {
        reportCycle([...chain], next, report);
        isUnbroken = false;
        break;
      }
      chain.add(next);
      const slug: string | undefined = next.fields.extends;
      if (slug === undefined) {
        isUnbroken = !next.invalid.includes('extends'); // if invalid, it has been reported
        break;
      }
      if (!folders.has(slug)) {
        const suggestion = meantTheme(slug, [...folders]);
        report('theme/extends-unknown', placeIn(next, 'extends'), { parent: slug, suggestion });
      }
      next = bySlug.get(slug);
      isUnbroken = next !== undefined;
    }
    for (const theme of [...chain].toReversed()) {
      const parent = bySlug.get(theme.fields.extends ?? '');
      const inherited = parent && resolved.get(parent);
      if (parent !== undefined && inherited === undefined) isUnbroken = false;
      resolved.set(theme, isUnbroken ? inheritFields(theme, inherited) : undefined);
    }
  }
  return resolved;
}

function reportCycle(chain: readonly ThemeSource[], again: ThemeSource, report: Report): void {
  const cycle = [...chain.slice(chain.indexOf(again)), again].map(({ slug }) => slug);
  const last = chain.at(-1) ?? again;
  report('theme/extends-cycle', placeIn(last, 'extends'), { chain: cycle });
}

export function inheritFields(source: ThemeSource, inherited: InheritedFields | undefined): InheritedFields {
  const fields: Record<string, unknown> = { ...inherited?.fields };
  for (const field of OWN_FIELDS) delete fields[field];
  // A dark palette belongs to its light palette, so it is not inherited without it.
  if (source.fields.palette_preview !== undefined) delete fields['palette_dark'];
  for (const field of source.invalid) fields[field] = undefined;
  for (const [field, value] of Object.entries(source.fields)) fields[field] = { value, from: source };
  return { fields, extends: inherited !== undefined };
}

/** Returns the valid parts of a theme; reports invalid values of image fields that it sets itself. */
export function draftOf(source: ThemeSource, { fields }: InheritedFields, site: Site, report: Report): Draft {
  const settings: Record<string, unknown> = {};
  for (const field of SETTING_FIELDS) settings[field] = fields[field]?.value ?? FIELDS[field].default;
  const images: Draft['images'] = {};
  for (const field of ANY_IMAGE_FIELDS) {
    const entry = fields[field];
    const image = entry && imageSource(field, entry.value, entry.from, entry.from === source, site, report);
    if (image !== undefined) images[field] = image;
  }
  return {
    source,
    slug: source.slug,
    id: source.fields.id,
    name: fields.name?.value,
    is_default: source.fields.is_default ?? FIELDS.is_default.default,
    settings: settings as ThemeSettings,
    palette_preview: source.partialPalette ?? fields.palette_preview?.value ?? [],
    ...(fields.palette_dark && { palette_dark: fields.palette_dark.value }),
    images,
  };
}

/** Returns a complete theme, or reports the fields that it lacks. */
function resolveTheme(
  source: ThemeSource,
  inherited: InheritedFields,
  site: Site,
  idAction: () => string,
  report: Report,
): Theme | undefined {
  const { source: _, ...theme } = draftOf(source, inherited, site, report);
  const hasImages = Object.keys(theme.images).length === ANY_IMAGE_FIELDS.length;
  if (REQUIRED_FIELDS.every((field) => inherited.fields[field] !== undefined))
    return hasImages ? (theme as Theme) : undefined;
  const required: [field: Field, action: () => string][] = [
    ['id', idAction],
    ['name', () => FIELDS.name.missing],
    ['palette_preview', () => FIELDS.palette_preview.missing],
  ];
  for (const field of ANY_IMAGE_FIELDS) {
    const file = imageFileName(field, 'svg');
    required.push([field, () => `Name the image, like \`${field}: ${file}\`; images have no default.`]);
  }
  const absent = required.filter(([field]) => inherited.fields[field] === undefined);
  // A field that is missing in the whole chain is reported only for its last theme.
  const isReported = (field: Field): boolean => !inherited.extends || OWN_FIELDS.some((name) => name === field);
  const missing = absent.filter(([field]) => isReported(field) && !source.invalid.includes(field));
  const [action] = missing.map(([, toDo]) => toDo());
  if (action !== undefined)
    report('field/missing', placeIn(source), {
      fields: missing.map(([field]) => field),
      action:
        missing.length === 1
          ? action
          : 'Add them, or inherit them: write `extends:` and the folder name of a theme that has them.',
    });
  return absent.length === 0 && hasImages ? (theme as Theme) : undefined;
}

/** The fields without a default. */
export const REQUIRED_FIELDS: readonly Field[] = ['id', 'name', 'palette_preview', ...ANY_IMAGE_FIELDS];
