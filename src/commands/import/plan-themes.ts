import { jsonText, quote, shownUrl, visible } from '../../core/diagnostics/quote.ts';
import { hasInvisible } from '../../core/source/text.ts';
import { normaliseColour } from '../../core/theme/colour/colour.ts';
import type { ValueList } from '../../core/theme/fields/field-rows.ts';
import {
  type AnyImageField,
  CHOICE_FIELDS,
  FIELDS,
  type Field,
  RECORD_FIELDS,
  rowOf,
  ROWS,
  type SettingField,
  SETTING_FIELDS,
} from '../../core/theme/fields/fields.ts';
import { themeSchema } from '../../core/theme/schema.ts';
import { canBeSlug, slugOf } from '../../core/theme/slug.ts';

/** A field of a record that cannot be imported. */
export interface Refusal {
  field: string;
  /** A sentence. */
  reason: string;
}

/** A theme to write, before its images are fetched. */
export interface PlannedTheme {
  /** Its position in the list, from 1. */
  at: number;
  id: number;
  slug: string;
  /** Undefined if the record has no valid name. */
  name: string | undefined;
  isDefault: boolean;
  settings: Partial<Record<SettingField, string | number>>;
  /** The settings that the service has as text: `"40"`. */
  asText: ReadonlySet<SettingField>;
  palette: readonly string[] | undefined;
  /** URLs of the originals. */
  images: ReadonlyMap<AnyImageField, string>;
  /** URLs of the thumbnails of image sets. */
  thumbnails: ReadonlyMap<AnyImageField, string>;
  refused: readonly Refusal[];
}

/** The themes of a list to import. */
export interface ImportPlan {
  themes: readonly PlannedTheme[];
  /** Records that are no themes, by their position in the list, from 1. */
  unusable: readonly { at: number; reason: string }[];
  /** Values that the site does not accept yet. */
  newValues: Readonly<Record<ValueList, readonly string[]>>;
}

/** The state of the repository and the source before the list is read. */
export interface RepositoryState {
  /** Folder names of existing themes, by id. */
  slugs: ReadonlyMap<number, string>;
  /** Further folder names in use. */
  taken: ReadonlySet<string>;
  /** Values that the site accepts. */
  accepted: Readonly<Record<ValueList, readonly string[]>>;
  /** The id of the theme of anonymous clients. */
  defaultId: number | undefined;
  /** The base of relative image URLs. */
  imageBase: string;
}

/** Plans the themes of a list: their folder names, settings and images, and the fields that cannot be imported. */
export function planThemes(records: readonly unknown[], repository: RepositoryState): ImportPlan {
  const taken = new Set([...repository.taken, ...repository.slugs.values()]);
  const ids = new Set<number>();
  const themes: PlannedTheme[] = [];
  const unusable: { at: number; reason: string }[] = [];
  const typed = records.map((record) => (isObject(record) ? typedRecord(record) : record));
  const defaults = defaultIds(typed, repository.defaultId);
  for (const [index, record] of typed.entries()) {
    const written = records[index];
    const problem = recordProblem(record, ids);
    if (problem !== undefined) {
      unusable.push({ at: index + 1, reason: problem });
      continue;
    }
    const fields = record as Readonly<Record<string, unknown>>;
    const id = fields['id'] as number;
    ids.add(id);
    const theme = planTheme(id, fields, repository, taken);
    taken.add(theme.slug);
    const asText = new Set(SETTING_FIELDS.filter((field) => isObject(written) && written[field] !== fields[field]));
    themes.push({ ...theme, at: index + 1, isDefault: defaults.has(id), asText });
  }
  const newValues = (list: ValueList): string[] => {
    const fields = CHOICE_FIELDS.filter((field) => FIELDS[field].values === list);
    const values = themes.flatMap(({ settings }) => fields.flatMap((field) => settings[field] ?? []));
    return [...new Set(values.map(String))].filter((value) => !repository.accepted[list].includes(value));
  };
  return {
    themes,
    unusable,
    newValues: { logo_types: newValues('logo_types'), logo_alignments: newValues('logo_alignments') },
  };
}

/** Returns the id of the default theme: the theme of anonymous clients, or the first default theme of the list. */
function defaultIds(records: readonly unknown[], anonymous: number | undefined): Set<unknown> {
  if (anonymous !== undefined) return new Set([anonymous]);
  const defaults = records.filter((record) => isObject(record) && record['is_default'] === true);
  return new Set(defaults.slice(0, 1).map((record) => (record as Record<string, unknown>)['id']));
}

/** Returns a record in which numbers and booleans are what they are, although some services send them as text. */
function typedRecord(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      const row = rowOf(field);
      const type = row?.kind === 'setting' ? row.type : undefined;
      const isNumber = (type === 'integer' || type === 'pixels') && /^\d{1,15}$/.test(String(value));
      if (typeof value !== 'string') return [field, value];
      if (isNumber) return [field, Number(value)];
      return [field, type === 'boolean' && /^(?:true|false)$/i.test(value) ? /^true$/i.test(value) : value];
    }),
  );
}

function recordProblem(record: unknown, ids: ReadonlySet<number>): string | undefined {
  if (!isObject(record)) return 'It is no JSON object.';
  const { id } = record;
  if (!themeSchema.shape.id.safeParse(id).success || typeof id !== 'number')
    return `Its id is ${id === undefined ? 'missing' : quote(jsonText(id))}, not a positive whole number.`;
  return ids.has(id) ? `An earlier theme has the id ${id} too.` : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function planTheme(
  id: number,
  record: Readonly<Record<string, unknown>>,
  repository: RepositoryState,
  taken: ReadonlySet<string>,
): Omit<PlannedTheme, 'at' | 'isDefault' | 'asText'> {
  const refused: Refusal[] = [];
  const settings: Partial<Record<SettingField, string | number>> = {};
  const images = new Map<AnyImageField, string>();
  const thumbnails = new Map<AnyImageField, string>();
  let name: string | undefined;
  let palette: readonly string[] | undefined;
  for (const field of RECORD_FIELDS) {
    const value = record[field];
    const row = ROWS[field];
    const url = (size: 'original' | 'thumbnail'): string | undefined =>
      httpUrl(urlIn(value, size), repository.imageBase);
    const original = row.kind === 'setting' ? undefined : url('original');
    const reason = fieldProblem(field, value, original);
    if (reason !== undefined) refused.push({ field, reason });
    else if (row.kind !== 'setting') {
      const thumbnail = url('thumbnail');
      if (original !== undefined) images.set(field as AnyImageField, original);
      if (thumbnail !== undefined) thumbnails.set(field as AnyImageField, thumbnail);
    } else if (field === 'name') name = value as string;
    else if (field === 'palette_preview') palette = value as string[];
    else if (field !== 'id' && field !== 'is_default') settings[field as SettingField] = value as string | number;
  }
  for (const field of Object.keys(record))
    if (rowOf(field) === undefined) refused.push({ field: visible(field), reason: 'The interface has no such field.' });
  const slug = repository.slugs.get(id) ?? freeSlug(id, name, taken);
  return { id, slug, name, settings, palette, images, thumbnails, refused };
}

/** Chooses a folder name from the name, or from the id if that is invalid or in use. Later imports find the folder by the id. */
function freeSlug(id: number, name: string | undefined, taken: ReadonlySet<string>): string {
  const slug = name === undefined ? undefined : slugOf(name);
  const isFree = (candidate: string): boolean => canBeSlug(candidate) && !taken.has(candidate);
  const candidates = slug === undefined ? [] : [slug, `${slug.slice(0, 48).replace(/-+$/, '')}-${id}`];
  return [...candidates, `theme-${id}`].find(isFree) ?? `theme-${id}-${taken.size}`;
}

/** Returns a sentence why a field cannot be imported. */
function fieldProblem(field: Field, value: unknown, image: string | undefined): string | undefined {
  if (value === undefined) return 'The service has no value for this field.';
  if (value === null) return 'Its value is null.';
  const row = ROWS[field];
  if (row.kind !== 'setting') {
    const url = urlIn(value, 'original');
    if (url === '') return 'It has no image.';
    return image === undefined ? `${quote(shownUrl(url))} is no http or https URL.` : undefined;
  }
  if (row.type === 'choice')
    return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
      ? undefined
      : `Its value ${quote(value)} cannot be accepted by a site.`;
  if (row.type === 'colours') return paletteProblem(value);
  if (typeof value === 'string' && hasInvisible(value)) return `${quote(value)} contains invisible characters.`;
  return themeSchema.shape[field].safeParse(value).success
    ? undefined
    : `Its value ${quote(jsonText(value))} is not valid.`;
}

function paletteProblem(value: unknown): string | undefined {
  const { count } = FIELDS.palette_preview;
  if (!Array.isArray(value) || value.length !== count) return `It does not have ${count} colours.`;
  const wrong = value.find((colour) => typeof colour !== 'string' || 'problem' in normaliseColour(colour));
  return wrong === undefined ? undefined : `${quote(wrong)} is no colour that can be published.`;
}

/** Returns the URL of an image, or a URL of an image set. */
function urlIn(value: unknown, size: 'original' | 'thumbnail'): string {
  if (typeof value === 'string') return size === 'original' ? value : '';
  const url = isObject(value) ? value[size] : undefined;
  return typeof url === 'string' ? url : '';
}

/** Returns an absolute http or https URL, without line breaks; undefined for other URLs. */
function httpUrl(text: string, base: string): string | undefined {
  if (text === '' || !URL.canParse(text, base)) return undefined;
  const { protocol, href } = new URL(text, base);
  return /^https?:$/.test(protocol) ? href : undefined;
}
