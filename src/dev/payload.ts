import { printable } from '../diagnostics/quote.ts';
import { TEXT_LIMIT } from '../io/themes/discover.ts';
import { fieldsWhere, rowOf } from '../theme/fields.ts';

/** The key of messages that concern no single field, as in Django REST Framework. */
export const NO_FIELD = 'non_field_errors';

/** Messages by field, as Django REST Framework returns them; those without a field are under {@link NO_FIELD}. */
export type FieldErrors = Map<string, string[]>;

/** Why a request is rejected. */
export interface Rejection {
  status: number;
  /** For errors that do not concern single fields. */
  detail?: string;
  errors?: FieldErrors;
}

/** The content of a request. */
export interface Payload {
  /** The token of the form, which proves that a page of this server sent it. */
  token: string | undefined;
  /** The input of a form by field, as typed: the form is shown again with it if the request is rejected. */
  typed: ReadonlyMap<string, readonly string[]>;
  /** The fields of theme.yaml and `slug`, converted to the types of theme.yaml as far as possible. */
  fields: ReadonlyMap<string, unknown>;
  /** Images by field. */
  files: ReadonlyMap<string, Uint8Array>;
  /** What they were called where they come from, by field: for messages only. */
  names: ReadonlyMap<string, string>;
  /** Set if parsing alone shows that the request must be rejected. */
  rejection: Rejection | undefined;
}

/** Fields that are never images. */
const TEXT_FIELDS = new Set<string>(['slug', 'extends', ...fieldsWhere({ kind: 'setting' })]);

/** Maximum depth of arrays and objects in JSON; theme.yaml needs 2. */
const MAX_DEPTH = 4;

/** Parses a body in one of the three content types that OPTIONS lists. */
export async function readPayload(body: Buffer, contentType: string): Promise<Payload | Rejection> {
  const [mediaType = ''] = contentType.split(';');
  switch (mediaType.trim().toLowerCase()) {
    case 'application/json':
      return body.length > TEXT_LIMIT ? tooLong() : { ...NOTHING, ...jsonFields(body) };
    case 'application/x-www-form-urlencoded':
      return body.length > TEXT_LIMIT ? tooLong() : urlencoded(body);
    case 'multipart/form-data':
      return multipart(body, contentType);
    default:
      return unsupported(mediaType);
  }
}

const NOTHING: Payload = {
  token: undefined,
  typed: new Map(),
  fields: new Map(),
  files: new Map(),
  names: new Map(),
  rejection: undefined,
};

function tooLong(): Rejection {
  return { status: 413, detail: `A theme without its images has at most ${TEXT_LIMIT.toLocaleString('en')} bytes.` };
}

function unsupported(mediaType: string): Rejection {
  return { status: 415, detail: `Unsupported media type "${printable(mediaType.trim())}" in request.` };
}

function urlencoded(body: Buffer): Payload | Rejection {
  const text = decode(body);
  if (text === undefined) return { status: 400, detail: 'Form parse error - the body is not UTF-8.' };
  const entries = [...new URLSearchParams(text)];
  return formPayload(entries, []);
}

async function multipart(body: Buffer, contentType: string): Promise<Payload | Rejection> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => undefined);
  if (form === undefined)
    return {
      status: 400,
      detail: 'Multipart form parse error - the body does not match its Content-Type.',
    };
  const texts: [string, string][] = [];
  const files: [string, Uint8Array][] = [];
  const names = new Map<string, string>();
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value]);
    // Browsers send an empty file input as a file without a name.
    else if (value.name !== '' || value.size > 0) {
      files.push([name, new Uint8Array(await value.arrayBuffer())]);
      names.set(name, value.name.replace(/^.*[\\/]/s, ''));
    }
  }
  const length = texts.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return length > TEXT_LIMIT ? tooLong() : { ...formPayload(texts, files), names };
}

function formPayload(
  entries: readonly (readonly [string, string])[],
  uploads: readonly (readonly [string, Uint8Array])[],
): Payload {
  const texts = new Map<string, string[]>();
  for (const [name, value] of entries) texts.set(name, [...(texts.get(name) ?? []), value]);
  const token = texts.get('token')?.[0];
  texts.delete('token');
  const fields = new Map<string, unknown>();
  const files = new Map<string, Uint8Array>();
  const errors: FieldErrors = new Map();
  for (const [name, values] of texts) {
    const given = values.map((value) => value.trim()).filter((value) => value !== '');
    if (given.length > 1 && typeOf(name) !== 'colours') errors.set(name, ['This field was given more than once.']);
    else if (given.length > 0) fields.set(name, parseField(name, given));
  }
  for (const [name, bytes] of uploads) {
    if (TEXT_FIELDS.has(name)) errors.set(name, ['This field takes text, not a file.']);
    else if (files.has(name) || fields.has(name)) errors.set(name, ['This field was given more than once.']);
    else files.set(name, bytes);
  }
  const rejection = errors.size === 0 ? undefined : { status: 400, errors };
  return { ...NOTHING, token, typed: texts, fields, files, rejection };
}

/** Converts the values of a form field to the type of theme.yaml; values that do not have its form are left unchanged. */
function parseField(name: string, texts: readonly string[]): unknown {
  const [text = ''] = texts;
  switch (typeOf(name)) {
    case 'colours':
      return texts.length > 1 ? texts : splitList(text);
    case 'boolean':
      return /^(?:true|on|false)$/i.test(text) ? text.toLowerCase() !== 'false' : text;
    case 'integer':
    case 'pixels':
      return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}

/** The type of a setting; undefined for other fields. */
function typeOf(name: string) {
  const row = rowOf(name);
  return row?.kind === 'setting' ? row.type : undefined;
}

/** Splits at line breaks and at commas, except those inside `hsl(1,2%,3%)`. */
function splitList(text: string): string[] {
  const entries = text.match(/(?:\([^()\r\n]*\)|[^,\r\n])+/g) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function jsonFields(body: Buffer): Partial<Payload> {
  const reject = (detail: string) => ({ rejection: { status: 400, detail } });
  const text = decode(body);
  if (text === undefined) return reject('JSON parse error - the body is not UTF-8.');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return reject(`JSON parse error - ${printable(error instanceof Error ? error.message : String(error))}`);
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const type = Array.isArray(data) ? 'list' : data === null ? 'null' : typeof data;
    return {
      rejection: { status: 400, errors: new Map([[NO_FIELD, [`Invalid data. Expected an object, but got ${type}.`]]]) },
    };
  }
  const entries = Object.entries(data);
  const deep = entries.filter(([, value]) => depthOf(value, MAX_DEPTH + 1) > MAX_DEPTH);
  const errors = new Map(deep.map(([name]) => [name, ['This value is nested too deeply.']]));
  return { fields: new Map(entries), rejection: errors.size === 0 ? undefined : { status: 400, errors } };
}

/** The depth of a value, up to a limit. */
function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || limit === 0) return 0;
  return 1 + Object.values(value).reduce<number>((depth, part) => Math.max(depth, depthOf(part, limit - 1)), 0);
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
