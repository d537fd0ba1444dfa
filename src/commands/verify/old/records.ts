import { jsonText, printable } from '../../../core/diagnostics/quote.ts';
import { normaliseColour } from '../../../core/theme/colour.ts';
import { FIELDS, type Field, RECORD_FIELDS } from '../../../core/theme/fields.ts';
import { type CompareResult, compareTexts, differs, same, formatPair } from './result.ts';

/** A theme as a service lists it: any fields. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** The URLs of an image at both services. */
export interface ImagePair {
  what: string;
  old: string;
  new: string;
  /** Whether the service generated it: the bytes then always differ between services. */
  isThumbnail: boolean;
}

/** Two lists, compared by the ids of their themes. */
export interface ListComparison {
  /** In the order of OLD. Images are compared later, because their URLs always differ. */
  rows: (CompareResult | ImagePair)[];
  /** Themes in both lists, by id. */
  pairs: ReadonlyMap<string, RecordPair>;
}

export interface RecordPair {
  old: AnyRecord;
  new: AnyRecord;
}

export const isImagePair = (row: CompareResult | ImagePair): row is ImagePair => 'isThumbnail' in row;

export function compareLists(old: readonly unknown[], now: readonly unknown[]): ListComparison {
  const [before, after] = [byId(old), byId(now)];
  const rows: (CompareResult | ImagePair)[] = [];
  const pairs = new Map<string, RecordPair>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [oldTheme, newTheme] = [before.get(id), after.get(id)];
    const label = `theme ${printable(id)}`;
    if (oldTheme === undefined || newTheme === undefined) {
      rows.push(differs('themes', label, nameOf(oldTheme), nameOf(newTheme)));
      continue;
    }
    pairs.set(id, { old: oldTheme, new: newTheme });
    for (const row of compareFields(label, oldTheme, newTheme)) rows.push(row);
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

function compareFields(theme: string, old: AnyRecord, now: AnyRecord): (CompareResult | ImagePair)[] {
  return [...new Set([...RECORD_FIELDS, ...Object.keys(old), ...Object.keys(now)])].flatMap(
    (field): (CompareResult | ImagePair)[] => {
      const label = `${theme} ${printable(field)}`;
      const [before, after] = [old[field], now[field]];
      const parts = isImageField(field) ? imageParts(before, after) : undefined;
      return (
        parts?.map(({ part, ...urls }) => {
          return { what: part === undefined ? label : `${label}.${part}`, isThumbnail: part === 'thumbnail', ...urls };
        }) ?? [compareValues(label, field, before, after)]
      );
    },
  );
}

/** Returns the URLs of an image field; undefined if either service has another type of value. */
function imageParts(old: unknown, now: unknown): { part: string | undefined; old: string; new: string }[] | undefined {
  if (typeof old === 'string' && typeof now === 'string') return [{ part: undefined, old, new: now }];
  if (!isImageSet(old) || !isImageSet(now)) return undefined;
  return (['original', 'thumbnail'] as const).map((part) => ({ part, old: old[part], new: now[part] }));
}

function isImageSet(value: unknown): value is { original: string; thumbnail: string } {
  const { original, thumbnail, ...unknown } = (value ?? {}) as Record<string, unknown>;
  return typeof original === 'string' && typeof thumbnail === 'string' && Object.keys(unknown).length === 0;
}

function compareValues(what: string, field: string, old: unknown, now: unknown): CompareResult {
  const [before, after] = [old, now].map((value) => normalise(field, value));
  return textOf(before) === textOf(after)
    ? same('themes', what)
    : differs('themes', what, ...formatValues(before, after));
}

/** Normalises colours and Unicode text as `import` does, so that an imported theme equals its source. */
function normalise(field: string, value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (field !== 'palette_preview' || !Array.isArray(value)) return value;
  return value.map((colour: unknown) => {
    const result = typeof colour === 'string' ? normaliseColour(colour) : { problem: 'syntax' };
    return 'hsl' in result ? result.hsl : colour;
  });
}

function formatValues(old: unknown, now: unknown): [old: string, new: string] {
  return formatPair(textOf(old) ?? 'missing', textOf(now) ?? 'missing');
}

const MAX_FIELDS = 5;

/** Compares the responses of CONFIG to a requester, except differences that the lists of both services have too. */
export function compareConfigs(
  old: AnyRecord,
  now: AnyRecord,
  pairs: ReadonlyMap<string, RecordPair>,
): { old: string; new: string } | undefined {
  if (idOf(old) !== idOf(now)) return { old: themeName(old), new: themeName(now) };
  const listPair = pairs.get(idOf(old));
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((field) => {
    const [before, after] = [plainUrls(old[field]), plainUrls(now[field])];
    if (before === after) return false;
    // Differences of the lists are reported there.
    const isListed = before === plainUrls(listPair?.old[field]) && after === plainUrls(listPair?.new[field]);
    return !isListed;
  });
  if (changed.length === 0) return undefined;
  const fields = changed.slice(0, MAX_FIELDS).map((field) => ({
    name: printable(field),
    values: formatValues(old[field], now[field]),
  }));
  const more = changed.length > MAX_FIELDS ? [`${changed.length - MAX_FIELDS} more`] : [];
  const [before, after] = [0, 1].map((side) =>
    [...fields.map(({ name, values }) => `${name} ${values[side]}`), ...more].join(', '),
  ) as [string, string];
  return { old: before, new: after };
}

/** Formats a value with URLs without scheme and query: a service may respond by http and https, and sign its URLs. */
export function plainUrls(value: unknown): string | undefined {
  return textOf(value)?.replaceAll(/"https?:(\/\/[^"?#]*)[^"]*"/g, '"$1"');
}

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
