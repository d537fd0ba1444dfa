import { sha256Of } from './files.ts';

/** Returns a text of a value that shows whether it is whole: the SHA-256 of its JSON, then the JSON. */
export function sealed(value: unknown): string {
  const json = JSON.stringify(value);
  return `${sha256Of(json)}\n${json}`;
}

/** Returns the JSON of a sealed text; nothing if it is damaged or missing. */
export function unsealed(bytes: Buffer | undefined): string | undefined {
  const end = bytes?.indexOf('\n') ?? -1;
  const json = bytes?.subarray(end + 1);
  return json !== undefined && end !== -1 && bytes?.toString('latin1', 0, end) === sha256Of(json)
    ? json.toString()
    : undefined;
}
