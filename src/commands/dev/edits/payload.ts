import { printable } from '../../../core/diagnostics/quote.ts';
import { RewriteError } from './file-edits.ts';
import { parseJson } from '../../../system/http/parse-json.ts';
import { ContainmentError } from '../../../system/disk/contained-folder.ts';
import { errorCode, systemReason } from '../../../system/disk/files.ts';
import { TEXT_LIMIT } from '../../../core/theme/themes-folder.ts';
import { hasInvisible } from '../../../core/source/text.ts';
import { isPalette, rowOf } from '../../../core/theme/fields/fields.ts';
import { type FieldErrors, NO_FIELD } from './field-errors.ts';

/** The response to a change of the themes, in the form of Django REST Framework. */
export interface Reply {
  status: number;
  json: object;
  /** The path of a created theme. */
  location?: string;
}

/** Makes a reply with errors. @param reason - errors by field, or a text about all of it */
export function reject(status: number, reason: string | FieldErrors): Reply {
  return { status, json: typeof reason === 'string' ? { detail: reason } : Object.fromEntries(reason) };
}

/** Converts an error about conflicts or the disk to a reply, and throws any other error again. */
export function writeErrorReply(error: unknown): Reply {
  if (error instanceof RewriteError) return reject(409, `Nothing was changed: ${error.message.replace(/\.$/, '')}.`);
  if (errorCode(error) === undefined && !(error instanceof ContainmentError)) throw error;
  return reject(500, `The theme cannot be written: ${systemReason(error).replace(/\.$/, '')}.`);
}

/** The content of a request. */
export interface Payload {
  /** Fields of theme.yaml and other inputs, converted to the types of theme.yaml if possible; undefined for empty inputs. */
  fields: ReadonlyMap<string, unknown>;
  /** Images by field, with their original names for messages. */
  files: ReadonlyMap<string, { bytes: Buffer; name: string }>;
}

export function textOf({ fields }: Payload, field: string): string {
  const value = fields.get(field);
  return typeof value === 'string' ? value : '';
}

/** Parses the body of a request: JSON or a form. */
export async function readPayload(body: Buffer, contentType: string): Promise<Payload | Reply> {
  const mediaType = (contentType.split(';')[0] ?? '').trim();
  switch (mediaType.toLowerCase()) {
    case 'application/json':
      return body.length > TEXT_LIMIT ? tooLong() : json(body);
    case 'application/x-www-form-urlencoded':
    case 'multipart/form-data':
      return form(body, contentType);
    default:
      return reject(415, `Unsupported media type "${printable(mediaType)}" in request.`);
  }
}

function tooLong(): Reply {
  return reject(413, `A theme without its images has at most ${TEXT_LIMIT.toLocaleString('en')} bytes.`);
}

async function form(body: Buffer, contentType: string): Promise<Payload | Reply> {
  const entries = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => undefined);
  if (entries === undefined) return reject(400, 'Form parse error - the body does not match its Content-Type.');
  const texts = new Map<string, string[]>();
  const files = new Map<string, { bytes: Buffer; name: string }>();
  let length = 0;
  for (const [field, value] of entries) {
    if (typeof value === 'string') {
      length += field.length + value.length;
      const text = value.trim();
      texts.set(field, [...(texts.get(field) ?? []), ...(text === '' ? [] : [text])]);
    }
    // Browsers send an empty file input as a file without a name.
    else if (value.name !== '' || value.size > 0)
      files.set(field, { bytes: Buffer.from(await value.arrayBuffer()), name: value.name.replace(/^.*[\\/]/s, '') });
  }
  if (length > TEXT_LIMIT) return tooLong();
  const fields = new Map<string, unknown>();
  for (const [field, values] of texts) {
    const isList = typeOf(field) === 'colours' && values.length > 0;
    fields.set(field, isList ? values : convert(field, values[0]));
  }
  return rejectInvisible({ fields, files });
}

/** Converts a text to the type of the field in theme.yaml, if it has the right syntax. */
function convert(field: string, text: string | undefined): unknown {
  const type = typeOf(field);
  if (type === 'boolean' && /^(?:true|on|false)$/i.test(text ?? '')) return text?.toLowerCase() !== 'false';
  const isNumber = (type === 'integer' || type === 'pixels') && /^-?(?:0|[1-9]\d{0,14})$/.test(text ?? '');
  return isNumber ? Number(text) : text;
}

/** Returns the type of a setting; undefined for other fields. */
function typeOf(name: string) {
  if (isPalette(name)) return 'colours';
  const row = rowOf(name);
  return row?.kind === 'setting' ? row.type : undefined;
}

function json(body: Buffer): Payload | Reply {
  const parsed = parseJson(body);
  if ('problem' in parsed) return reject(400, `JSON parse error - ${parsed.problem}`);
  const { json: data } = parsed;
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return reject(400, new Map([[NO_FIELD, ['Invalid data. Expected an object.']]]));
  return rejectInvisible({ fields: new Map(Object.entries(data)), files: new Map() });
}

/** Returns the payload, or errors about invisible characters, which theme.yaml must not contain. */
function rejectInvisible(payload: Payload): Payload | Reply {
  const texts = [...payload.fields].filter(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && hasInvisible(text)),
  );
  const message = 'The text has an invisible character. Delete it, or type the text again.';
  return texts.length === 0 ? payload : reject(400, new Map(texts.map(([field]) => [field, [message]])));
}
