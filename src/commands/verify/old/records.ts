import { jsonText, printable, visible } from '../../../core/diagnostics/quote.ts';
import { normaliseColour } from '../../../core/theme/colour/colour.ts';
import { FIELDS, type Field, RECORD_FIELDS } from '../../../core/theme/fields/fields.ts';
import type { CheckId } from '../checks.ts';
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

export type RecordPair = readonly [old: AnyRecord, now: AnyRecord];

const ID = 'themes/same';

export function compareLists(old: readonly unknown[], now: readonly unknown[]): ListComparison {
  const [before, after] = [byId(old), byId(now)];
  const [results, images]: [Result[], ImagePair[]] = [[], []];
  const pairs = new Map<string, RecordPair>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [oldTheme, newTheme] = [before.get(id), after.get(id)];
    const label = `theme ${printable(id)}`;
    if (oldTheme === undefined || newTheme === undefined) {
      results.push(differs(ID, label, textOf(oldTheme?.['name']), textOf(newTheme?.['name'])));
      continue;
    }
    pairs.set(id, [oldTheme, newTheme]);
    for (const field of fieldsOf(oldTheme, newTheme)) {
      const [value, other] = [oldTheme[field], newTheme[field]];
      const what = `${label} ${printable(field)}`;
      const parts = imageParts(what, field, value, other);
      if (parts === undefined)
        results.push(
          differs(ID, what, ...([value, other].map((each) => textOf(normalise(field, each))) as [string, string])),
        );
      else images.push(...parts);
    }
  }
  const order = (records: ReadonlyMap<string, AnyRecord>): string =>
    [...records.keys()].filter((id) => pairs.has(id)).join(', ');
  results.push(differs(ID, 'order', order(before), order(after)));
  for (const [records, ids, side] of [[old, before, 'OLD'] as const, [now, after, 'NEW'] as const])
    results.push(differs(ID, `ids of ${side}`, `${records.length} different ids`, `${ids.size} different ids`));
  return { results, images, pairs };
}

function fieldsOf(old: AnyRecord, now: AnyRecord): ReadonlySet<string> {
  return new Set([...RECORD_FIELDS, ...Object.keys(old), ...Object.keys(now)]);
}

/** Returns the URLs of an image field; undefined if it is none, or either service has another type of value. */
function imageParts(what: string, field: string, old: unknown, now: unknown): ImagePair[] | undefined {
  if (!Object.hasOwn(FIELDS, field) || FIELDS[field as Field].kind === 'setting') return undefined;
  const isUrl = typeof old === 'string' && typeof now === 'string' && URL.canParse(old) === URL.canParse(now);
  if (isUrl) return [{ what, old, new: now, isThumbnail: false }];
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

/** Compares two records, except differences that the lists of both services have too. */
export function compareConfigs(
  id: CheckId,
  what: string,
  old: AnyRecord,
  now: AnyRecord,
  pairs: ReadonlyMap<string, RecordPair>,
): Result[] {
  if (idOf(old) !== idOf(now)) return [differs(id, what, themeName(old), themeName(now))];
  const [listed, nowListed] = pairs.get(idOf(old)) ?? [];
  return [...fieldsOf(old, now)].flatMap((field) => {
    const [before, after] = [plainUrls(old[field]), plainUrls(now[field])];
    const isListed = before === plainUrls(listed?.[field]) && after === plainUrls(nowListed?.[field]);
    return before === after || isListed
      ? []
      : [differs(id, `${what} ${printable(field)}`, textOf(old[field]), textOf(now[field]))];
  });
}

/** Formats a value with URLs without scheme and query: a service may respond by http and https, and sign its URLs. */
export function plainUrls(value: unknown): string {
  return textOf(value).replaceAll(/"https?:(\/\/[^"?#]*)[^"]*"/g, '"$1"');
}

export function idOf(record: AnyRecord): string {
  return record['id'] === undefined ? 'without id' : textOf(record['id']);
}

export function themeName(record: AnyRecord): string {
  return `theme ${printable(idOf(record))}`;
}

function byId(records: readonly unknown[]): Map<string, AnyRecord> {
  const objects = records.filter((record): record is AnyRecord => typeof record === 'object' && record !== null);
  return new Map(objects.map((record) => [idOf(record), record]));
}

function textOf(value: unknown): string {
  return value === undefined ? 'missing' : jsonText(value);
}

const MAX_CHARACTERS = 80;
/** Characters of a shortened text before the difference. */
const CONTEXT_CHARACTERS = 20;

/** Compares two texts. Shows them without the queries of URLs, and shortened to the part that differs. */
export function differs(id: CheckId, what: string, old: string, now: string): Result {
  if (old === now) return passed(id);
  const [before, after] = [withoutQueries(old), withoutQueries(now)];
  let at = 0;
  while (before[at] === after[at] && at < before.length) at++;
  const from =
    Math.max(before.length, after.length) <= MAX_CHARACTERS || at <= MAX_CHARACTERS / 2 ? 0 : at - CONTEXT_CHARACTERS;
  const part = (text: string): string => {
    const end = from + MAX_CHARACTERS;
    return visible(`${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`);
  };
  const other = before === after ? ' (another query)' : '';
  return fault(id, what, { expected: part(before), found: `${part(after)}${other}` });
}
