// `node test/long/verify-sabotage.js`: what `themecast verify` finds of what can be wrong with a deployment, one thing at a time:
// test/verify-sabotage.test.ts, counted.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

const root = path.join(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const args = ['run', '--config', 'test/vitest.config.ts', 'test/verify-sabotage.test.ts'];
const { status, stdout } = spawnSync(process.execPath, [vitest, ...args], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
const figures = /^verify-sabotage: .*$/m.exec(stdout)?.[0];
if (figures === undefined) process.stdout.write(stdout);
else process.stdout.write(`stress ${figures}\n`);
process.exitCode = status ?? 1;
