// `node test/long/concurrent.js`: concurrent builds of one site, in pairs and by eight. At least one publishes, the others
// exit with 2 and name the one that does, and the output is intact. `--pairs N --eights N` for other numbers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from '../../lib/index.js';
import { differenceFrom, foldersOf, outputOf, scratch, writeThemes } from './site.js';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '100' }, eights: { type: 'string', default: '20' } },
});
const root = scratch('concurrent');
const counts = { builds: 0, published: 0, rejected: 0 };
/** @type {string[]} */
const problems = [];

try {
  const wanted = { a: await built('a'), b: await built('b') };
  const rounds = [...Array(Number(values.pairs)).fill(2), ...Array(Number(values.eights)).fill(8)];
  for (const [round, size] of rounds.entries()) {
    const state = round % 2 === 0 ? 'a' : 'b';
    writeThemes(root, state);
    // In every other pair of rounds, the builds compete to take over the lock of an ended process.
    if (round % 4 < 2) symlinkSync(JSON.stringify(await deadOwner()), path.join(root, '.dist.lock'));
    const ends = await Promise.all(Array.from({ length: size }, buildOnce));
    counts.builds += size;
    for (const { code, stderr } of ends) {
      if (code === 0) counts.published++;
      else if (code === 2 && /^themecast: Another build is writing .*\n$/.test(stderr)) counts.rejected++;
      else problems.push(`round ${round}: ended with ${code}: ${stderr}`);
    }
    if (!ends.some(({ code }) => code === 0)) problems.push(`round ${round}: none published`);
    problems.push(...differenceFrom(root, wanted[state]).map((problem) => `round ${round}: ${problem}`));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 40)) process.stderr.write(`${problem}\n`);
process.stdout.write(
  `stress concurrent: ${counts.builds} builds, ${counts.published} published, ${counts.rejected} rejected, ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The output of a build of a state. @param {'a' | 'b'} state */
async function built(state) {
  writeThemes(root, state);
  await build(foldersOf(root));
  const output = outputOf(root);
  for (const name of ['dist', 'edge']) rmSync(path.join(root, name), { recursive: true });
  return output;
}

/** The owner in the lock of a killed build. */
async function deadOwner() {
  const child = spawn(process.execPath, [
    '-e',
    'process.stdout.write(require("fs").readlinkSync("/proc/self/ns/pid"))',
  ]);
  const { pid } = child;
  const ended = once(child, 'exit');
  const [pidNamespace] = await once(child.stdout.setEncoding('utf8'), 'data');
  await ended;
  return { id: String(pid), pid, host: hostname(), pidNamespace, started: '1', since: '2026-01-01T00:00:00.000Z' };
}

/** @returns {Promise<{ code: number | null, stderr: string }>} */
async function buildOnce() {
  const cli = path.join(import.meta.dirname, '../../lib/cli.js');
  const child = spawn(process.execPath, [cli, 'build', '--quiet'], { cwd: root, stdio: ['ignore', 'inherit', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stderr };
}
