import type { Assignment } from '../../mapping/assignments.ts';

/** What a key is called in the store: `user/tom`, `group/staff`; percent-encoded, because no name may hold `|`. */
export const STORE_KEY = '`${kind}/${encodeURIComponent(key)}`';

/** `users.ndjson`, for `fastly kv-store-entry create --file`: one object a line, its value in base64. */
export function keyLines(assignments: readonly Assignment[]): string {
  const lines = assignments.map(({ kind, key, theme }) =>
    JSON.stringify({
      key: `${kind}/${encodeURIComponent(key)}`,
      value: Buffer.from(theme).toString('base64'),
    }),
  );
  return lines.map((line) => `${line}\n`).join('');
}
