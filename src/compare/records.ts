import { jsonText, printable } from '../diagnostics/quote.ts';
import { normaliseColour } from '../theme/colour.ts';
import { FIELDS, type Field, RECORD_FIELDS } from '../theme/fields.ts';
import { type Compared, compareTexts, differs, same, shownPair } from './result.ts';

/** A theme as a service lists it: any fields. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** Two URLs of what should be the same image. */
export interface ImagePair {
  what: string;
  old: string;
  new: string;
  /** Whether it is made by the service: two services make different bytes of it. */
  isThumbnail: boolean;
}

/** Two lists, compared by the ids of their themes. */
export interface ComparedLists {
  /** In the order of OLD, with the images in their places: they are yet to compare, their URLs always differ. */
  rows: (Compared | ImagePair)[];
  /** The themes that both have, by id. */
  pairs: ReadonlyMap<string, RecordPair>;
}

export interface RecordPair {
  old: AnyRecord;
  new: AnyRecord;
}

export const isImagePair = (row: Compared | ImagePair): row is ImagePair => 'isThumbnail' in row;

export function compareLists(old: readonly unknown[], now: readonly unknown[]): ComparedLists {
  const [before, after] = [byId(old), byId(now)];
  const rows: (Compared | ImagePair)[] = [];
  const pairs = new Map<string, RecordPair>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [oldTheme, newTheme] = [before.get(id), after.get(id)];
    const what = `theme ${printable(id)}`;
    if (oldTheme === undefined || newTheme === undefined) {
      rows.push(differs('themes', what, nameOf(oldTheme), nameOf(newTheme)));
      continue;
    }
    pairs.set(id, { old: oldTheme, new: newTheme });
    for (const row of compareFields(what, oldTheme, newTheme)) rows.push(row);
  }
  const order = (records: ReadonlyMap<string, AnyRecord>): string =>
    [...records.keys()].filter((id) => pairs.has(id)).join(', ');
  if (order(before) !== order(after)) rows.push(compareTexts('themes', 'order', order(before), order(after)));
  for (const [records, ids, side] of [
    [old, before, 'OLD'],
    [now, after, 'NEW'],
  ] as const)
    if (records.length !== ids.size)
      rows.push(differs('themes', `ids of ${side}`, `${records.length} themes`, `${ids.size} different ids`));
  return { rows, pairs };
}

function compareFields(theme: string, old: AnyRecord, now: AnyRecord): (Compared | ImagePair)[] {
  return [...new Set([...RECORD_FIELDS, ...Object.keys(old), ...Object.keys(now)])].flatMap(
    (field): (Compared | ImagePair)[] => {
      const what = `${theme} ${printable(field)}`;
      const [before, after] = [old[field], now[field]];
      const parts = isImageField(field) ? imageParts(before, after) : undefined;
      return (
        parts?.map(({ part, ...urls }) => {
          return { what: part === undefined ? what : `${what}.${part}`, isThumbnail: part === 'thumbnail', ...urls };
        }) ?? [compareValues(what, field, before, after)]
      );
    },
  );
}

/** The URLs of an image field; nothing if either service has anything else there. */
function imageParts(old: unknown, now: unknown): { part: string | undefined; old: string; new: string }[] | undefined {
  if (typeof old === 'string' && typeof now === 'string') return [{ part: undefined, old, new: now }];
  if (!isImageSet(old) || !isImageSet(now)) return undefined;
  return (['original', 'thumbnail'] as const).map((part) => ({ part, old: old[part], new: now[part] }));
}

function isImageSet(value: unknown): value is { original: string; thumbnail: string } {
  const { original, thumbnail, ...rest } = (value ?? {}) as Record<string, unknown>;
  return typeof original === 'string' && typeof thumbnail === 'string' && Object.keys(rest).length === 0;
}

function compareValues(what: string, field: string, old: unknown, now: unknown): Compared {
  const [before, after] = [old, now].map((value) => normalised(field, value));
  return textOf(before) === textOf(after)
    ? same('themes', what)
    : differs('themes', what, ...shownValues(before, after));
}

/** A palette in the form that themes are published with, and text with its accents composed, as `import` writes both. */
function normalised(field: string, value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (field !== 'palette_preview' || !Array.isArray(value)) return value;
  return value.map((colour: unknown) => {
    const found = typeof colour === 'string' ? normaliseColour(colour) : { problem: 'syntax' };
    return 'hsl' in found ? found.hsl : colour;
  });
}

function shownValues(old: unknown, now: unknown): [old: string, new: string] {
  return shownPair(textOf(old) ?? 'missing', textOf(now) ?? 'missing');
}

/** Fields of CONFIG that are named. */
const MAX_FIELDS = 5;

/** How the responses of CONFIG to one requester differ, beyond what the lists of both services say already. */
export function compareConfigs(
  old: AnyRecord,
  now: AnyRecord,
  pairs: ReadonlyMap<string, RecordPair>,
): { old: string; new: string } | undefined {
  if (idOf(old) !== idOf(now)) return { old: themeName(old), new: themeName(now) };
  const listed = pairs.get(idOf(old));
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((field) => {
    const [before, after] = [plainUrls(old[field]), plainUrls(now[field])];
    if (before === after) return false;
    // Differences of the lists are reported once, there.
    const isListed = before === plainUrls(listed?.old[field]) && after === plainUrls(listed?.new[field]);
    return !isListed;
  });
  if (changed.length === 0) return undefined;
  const fields = changed.slice(0, MAX_FIELDS).map((field) => ({
    name: printable(field),
    values: shownValues(old[field], now[field]),
  }));
  const more = changed.length > MAX_FIELDS ? [`${changed.length - MAX_FIELDS} more`] : [];
  const [before, after] = [0, 1].map((side) =>
    [...fields.map(({ name, values }) => `${name} ${values[side]}`), ...more].join(', '),
  ) as [string, string];
  return { old: before, new: after };
}

/** A value whose URLs have neither scheme nor query: a service may be reached by both, and sign its URLs. */
export function plainUrls(value: unknown): string | undefined {
  return textOf(value)?.replaceAll(/"https?:(\/\/[^"?#]*)[^"]*"/g, '"$1"');
}

/** The id of a theme as text. */
export function idOf(record: AnyRecord): string {
  return textOf(record['id']) ?? 'without id';
}

export function themeName(record: AnyRecord): string {
  return `theme ${printable(idOf(record))}`;
}

function byId(records: readonly unknown[]): Map<string, AnyRecord> {
  const objects = records.filter((record): record is AnyRecord => typeof record === 'object' && record !== null);
  return new Map(objects.map((record) => [idOf(record), record]));
}

function nameOf(record: AnyRecord | undefined): string {
  return record === undefined ? 'missing' : printable(textOf(record['name']) ?? 'missing');
}

function isImageField(field: string): boolean {
  return Object.hasOwn(FIELDS, field) && FIELDS[field as Field].kind !== 'setting';
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : jsonText(value);
}
