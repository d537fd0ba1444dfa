import { type OutputFile, textFile } from '../../document/output-file.ts';
import type { Assignment } from '../../mapping/assignments.ts';
import { KEY_PREFIX } from './worker.ts';

/** Pairs that KV takes in one request (https://developers.cloudflare.com/kv/reference/kv-commands/#kv-bulk); 100 MB are out of reach. */
const BULK = 10_000;

/** `kv/users-000.json` and so on, for `wrangler kv bulk put`. */
export function kvFiles(assignments: readonly Assignment[]): OutputFile[] {
  return Array.from({ length: Math.ceil(assignments.length / BULK) }, (_, index) => {
    const pairs = assignments
      .slice(index * BULK, (index + 1) * BULK)
      .map(({ kind, key, theme }) => JSON.stringify({ key: KEY_PREFIX[kind] + key, value: theme }));
    const path = `kv/users-${String(index).padStart(3, '0')}.json`;
    return textFile(path, `[\n${pairs.join(',\n')}\n]\n`, 'application/json', 'config');
  });
}
