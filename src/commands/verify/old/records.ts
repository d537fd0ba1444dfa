import { jsonText, printable, visible } from '../../../core/diagnostics/quote.ts';
import { normaliseColour } from '../../../core/theme/colour.ts';
import { FIELDS, type Field, RECORD_FIELDS } from '../../../core/theme/fields.ts';
import { withoutQueries } from '../judge.ts';
import { fault, passed, type Result } from '../result.ts';

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
  results: Result[];
  /** Images are compared later, because their URLs always differ. */
  images: ImagePair[];
  /** Themes in both lists, by id. */
  pairs: ReadonlyMap<string, RecordPair>;
}

export interface RecordPair {
  old: AnyRecord;
  new: AnyRecord;
}

const ID = 'themes/same';

export function compareLists(old: readonly unknown[], now: readonly unknown[]): ListComparison {
  const [before, after] = [byId(old), byId(now)];
  const [results, images]: [Result[], ImagePair[]] = [[], []];
  const pairs = new Map<string, RecordPair>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [oldTheme, newTheme] = [before.get(id), after.get(id)];
    const label = `theme ${printable(id)}`;
    if (oldTheme === undefined || newTheme === undefined) {
      results.push(fault(ID, label, { expected: nameOf(oldTheme), found: nameOf(newTheme) }));
      continue;
    }
    pairs.set(id, { old: oldTheme, new: newTheme });
    for (const field of new Set([...RECORD_FIELDS, ...Object.keys(oldTheme), ...Object.keys(newTheme)])) {
      const [value, other] = [oldTheme[field], newTheme[field]];
      const what = `${label} ${printable(field)}`;
      const parts = imageParts(what, field, value, other);
      if (parts === undefined) results.push(compareValues(what, normalise(field, value), normalise(field, other)));
      else images.push(...parts);
    }
  }
  const order = (records: ReadonlyMap<string, AnyRecord>): string =>
    [...records.keys()].filter((id) => pairs.has(id)).join(', ');
  const [oldOrder, newOrder] = formatPair(order(before), order(after));
  if (oldOrder !== newOrder) results.push(fault(ID, 'order', { expected: oldOrder, found: newOrder }));
  for (const [records, ids, side] of [[old, before, 'OLD'] as const, [now, after, 'NEW'] as const]) {
    const details = { expected: `${records.length} themes`, found: `${ids.size} different ids` };
    if (records.length !== ids.size) results.push(fault(ID, `ids of ${side}`, details));
  }
  return { results, images, pairs };
}

/** Returns the URLs of an image field; undefined if it is none, or either service has another type of value. */
function imageParts(what: string, field: string, old: unknown, now: unknown): ImagePair[] | undefined {
  if (!Object.hasOwn(FIELDS, field) || FIELDS[field as Field].kind === 'setting') return undefined;
  if (typeof old === 'string' && typeof now === 'string') return [{ what, old, new: now, isThumbnail: false }];
  if (!isImageSet(old) || !isImageSet(now)) return undefined;
  return (['original', 'thumbnail'] as const).map((part) => {
    return { what: `${what}.${part}`, old: old[part], new: now[part], isThumbnail: part === 'thumbnail' };
  });
}

function isImageSet(value: unknown): value is { original: string; thumbnail: string } {
  const { original, thumbnail, ...unknown } = (value ?? {}) as Record<string, unknown>;
  return typeof original === 'string' && typeof thumbnail === 'string' && Object.keys(unknown).length === 0;
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

/** Compares two values; a missing one is reported as `missing`. */
function compareValues(what: string, old: unknown, now: unknown): Result {
  const [before, after] = [textOf(old) ?? 'missing', textOf(now) ?? 'missing'];
  if (before === after) return passed(ID);
  const [expected, found] = formatPair(before, after);
  return fault(ID, what, { expected, found });
}

const MAX_FIELDS = 5;

/** Compares the responses of CONFIG to a requester, except differences that the lists of both services have too. */
export function compareConfigs(
  old: AnyRecord,
  now: AnyRecord,
  pairs: ReadonlyMap<string, RecordPair>,
): { expected: string; found: string } | undefined {
  if (idOf(old) !== idOf(now)) return { expected: themeName(old), found: themeName(now) };
  const listPair = pairs.get(idOf(old));
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((field) => {
    const [before, after] = [plainUrls(old[field]), plainUrls(now[field])];
    // Differences of the lists are reported there.
    const isListed = before === plainUrls(listPair?.old[field]) && after === plainUrls(listPair?.new[field]);
    return before !== after && !isListed;
  });
  if (changed.length === 0) return undefined;
  const values = changed
    .slice(0, MAX_FIELDS)
    .map((field) => formatPair(textOf(old[field]) ?? 'missing', textOf(now[field]) ?? 'missing'));
  const more = changed.length > MAX_FIELDS ? [`${changed.length - MAX_FIELDS} more`] : [];
  const textAt = (side: 0 | 1): string =>
    [...values.map((pair, at) => `${printable(changed[at] ?? '')} ${pair[side]}`), ...more].join(', ');
  return { expected: textAt(0), found: textAt(1) };
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

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : jsonText(value);
}

const MAX_CHARACTERS = 80;
/** Characters of a shortened text before the difference. */
const CONTEXT_CHARACTERS = 20;

/** Formats two texts that differ: without the queries of URLs, and shortened to the part that differs. */
export function formatPair(old: string, now: string): [old: string, new: string] {
  const [before, after] = [old, now].map(withoutQueries) as [string, string];
  if (old !== now && before === after) return [part(before, 0), `${part(after, 0)} (another query)`];
  if (Math.max(before.length, after.length) <= MAX_CHARACTERS) return [visible(before), visible(after)];
  let at = 0;
  while (before[at] === after[at] && at < before.length) at++;
  const from = at <= MAX_CHARACTERS / 2 ? 0 : at - CONTEXT_CHARACTERS;
  return [part(before, from), part(after, from)];
}

function part(text: string, from: number): string {
  const end = from + MAX_CHARACTERS;
  return visible(`${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`);
}
