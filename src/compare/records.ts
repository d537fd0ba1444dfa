import { printable } from '../diagnostics/quote.ts';
import { normaliseColour } from '../theme/colour.ts';
import { FIELDS, type Field, RECORD_FIELDS } from '../theme/fields.ts';
import { type Compared, differs, same } from './result.ts';

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
  compared: Compared[];
  /** Images to compare: their URLs always differ. */
  images: ImagePair[];
  /** The themes that both have, by id. */
  pairs: ReadonlyMap<string, RecordPair>;
}

export interface RecordPair {
  old: AnyRecord;
  new: AnyRecord;
}

export function compareLists(old: readonly unknown[], now: readonly unknown[]): ComparedLists {
  const [before, after] = [byId(old), byId(now)];
  const compared: Compared[] = [];
  const images: ImagePair[] = [];
  const pairs = new Map<string, RecordPair>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(id), after.get(id)];
    const what = `theme ${id}`;
    if (one === undefined || other === undefined) {
      compared.push(differs('themes', what, nameOf(one), nameOf(other)));
      continue;
    }
    pairs.set(id, { old: one, new: other });
    const found = compareFields(what, one, other);
    compared.push(...found.compared);
    images.push(...found.images);
  }
  const order = (records: ReadonlyMap<string, AnyRecord>): string =>
    [...records.keys()].filter((id) => pairs.has(id)).join(', ');
  if (order(before) !== order(after)) compared.push(differs('themes', 'order', order(before), order(after)));
  for (const [records, ids, side] of [
    [old, before, 'OLD'],
    [now, after, 'NEW'],
  ] as const)
    if (records.length !== ids.size)
      compared.push(differs('themes', `ids of ${side}`, `${records.length} themes`, `${ids.size} different ids`));
  return { compared, images, pairs };
}

function compareFields(
  theme: string,
  old: AnyRecord,
  now: AnyRecord,
): Pick<ComparedLists, 'compared'> & { images: ImagePair[] } {
  const compared: Compared[] = [];
  const images: ImagePair[] = [];
  for (const field of new Set([...RECORD_FIELDS, ...Object.keys(old), ...Object.keys(now)])) {
    const what = `${theme} ${printable(field)}`;
    const [one, other] = [old[field], now[field]];
    const parts = isImageField(field) ? imageParts(one, other) : undefined;
    if (parts === undefined) compared.push(compareValues(what, field, one, other));
    else
      for (const { part, ...urls } of parts) {
        const isThumbnail = part === 'thumbnail';
        images.push({ what: part === undefined ? what : `${what}.${part}`, isThumbnail, ...urls });
      }
  }
  return { compared, images };
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
  const [one, other] = [old, now].map((value) => textOf(field === 'palette_preview' ? normalised(value) : value));
  return one === other ? same('themes', what) : differs('themes', what, shown(old), shown(now));
}

/** A palette in the form that themes are published with. */
function normalised(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((colour: unknown) => {
    const found = typeof colour === 'string' ? normaliseColour(colour) : { problem: 'syntax' };
    return 'hsl' in found ? found.hsl : colour;
  });
}

/** How the responses of CONFIG to one requester differ, beyond what the lists of both services say already. */
export function compareConfigs(
  old: AnyRecord,
  now: AnyRecord,
  pairs: ReadonlyMap<string, RecordPair>,
): { old: string; new: string } | undefined {
  if (idOf(old) !== idOf(now)) return { old: `theme ${idOf(old)}`, new: `theme ${idOf(now)}` };
  const listed = pairs.get(idOf(old));
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((field) => {
    const [one, other] = [plainUrls(old[field]), plainUrls(now[field])];
    if (one === other) return false;
    // What the lists say differently is reported once, there.
    const isListed = one === plainUrls(listed?.old[field]) && other === plainUrls(listed?.new[field]);
    return !isListed;
  });
  if (changed.length === 0) return undefined;
  const fields = (record: AnyRecord): string =>
    changed.map((field) => `${printable(field)} ${shown(record[field])}`).join(', ');
  return { old: fields(old), new: fields(now) };
}

/** A value whose URLs have neither scheme nor query: a service may be reached by both, and sign its URLs. */
function plainUrls(value: unknown): string | undefined {
  return textOf(value)?.replaceAll(/"https?:(\/\/[^"?#]*)[^"]*"/g, '"$1"');
}

/** The id of a theme as text. */
export function idOf(record: AnyRecord): string {
  return printable(textOf(record['id']) ?? 'without id');
}

/** The names of themes by id: of those with the same one, the last. */
export function namesOf(records: readonly unknown[]): Map<string, string> {
  const named = [...byId(records)].flatMap(([id, { name }]): [string, string][] =>
    typeof name === 'string' ? [[id, printable(name)]] : [],
  );
  return new Map(named);
}

function byId(records: readonly unknown[]): Map<string, AnyRecord> {
  const objects = records.filter((record): record is AnyRecord => typeof record === 'object' && record !== null);
  return new Map(objects.map((record) => [idOf(record), record]));
}

function nameOf(record: AnyRecord | undefined): string {
  return record === undefined ? 'missing' : shown(record['name']);
}

function isImageField(field: string): boolean {
  return Object.hasOwn(FIELDS, field) && FIELDS[field as Field].kind !== 'setting';
}

function textOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : printable(JSON.stringify(value));
}
