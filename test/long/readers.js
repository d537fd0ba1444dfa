// `node test/long/readers.js`: two thousand publications, while other processes read the output. No reader
// ever misses a file or reads a partial one. `--publications N --reads N` for other numbers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { scratch } from './site.js';
import { publishTiny } from './tiny-site.js';

const { values } = parseArgs({
  options: { publications: { type: 'string', default: '2000' }, reads: { type: 'string', default: '1000000' } },
});
const READERS = 3;
const publications = Number(values.publications);
const folder = scratch('readers');
let [reads, problems] = [0, 0];

try {
  await publishTiny(folder, 'a');
  const published = path.join(folder, 'dist');
  const readers = Array.from({ length: READERS }, () =>
    fork(path.join(import.meta.dirname, 'reader.js'), [published, String(Number(values.reads) / READERS)]),
  );
  await Promise.all(readers.map((reader) => once(reader, 'message')));
  for (let n = 1; n <= publications; n++) await publishTiny(folder, n % 2 === 0 ? 'a' : 'b');
  const results = readers.map((reader) => once(reader, 'message'));
  for (const reader of readers) reader.send('done');
  for (const [result] of await Promise.all(results)) {
    reads += result.reads;
    problems += result.count;
    for (const problem of result.problems) process.stderr.write(`${problem}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  `stress readers: ${publications} publications, ${reads} reads, ${problems} of them missing or torn\n`,
);
process.exitCode = problems === 0 && reads >= Number(values.reads) ? 0 : 1;
