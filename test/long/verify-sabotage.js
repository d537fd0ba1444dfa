// `node test/long/verify-sabotage.js`: counts the faults of a deployment that `themecast verify` finds, one at a time:
// the cases of test/verify-sabotage.test.ts.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.join(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const args = ['run', 'test/verify-sabotage.test.ts'];
const { status, stdout } = spawnSync(process.execPath, [vitest, ...args], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
const figures = /^verify-sabotage: .*$/m.exec(stdout)?.[0];
if (figures === undefined) process.stdout.write(stdout);
else process.stdout.write(`stress ${figures}\n`);
process.exitCode = status ?? 1;
