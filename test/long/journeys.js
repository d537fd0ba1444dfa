// `npm run stress journeys`: runs `test/long/*.test.ts`, the tests of complete tasks with servers and browsers.
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const config = ['--config', 'test/long/vitest.config.ts'];
const { status, stdout } = spawnSync('npx', ['vitest', 'run', ...config], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [, tests = 'no tests'] = /^ +Tests +(.*)$/m.exec(stdout) ?? [];
process.stdout.write(`${stdout}\nstress journeys: ${tests}\n`);
process.exitCode = status ?? 1;
