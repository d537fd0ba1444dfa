// `npm run stress journeys`: runs `test/long/*.test.ts`, the tests of complete tasks with servers and browsers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

const child = spawn('npx', ['vitest', 'run', '--config', 'test/long/vitest.config.ts'], {
  env: { ...process.env, NO_COLOR: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
  output += chunk.toString();
  process.stderr.write(chunk); // Shows where it is: the standard output is for the line of figures.
});
await once(child, 'close');
const [, tests = 'no tests'] = /^ +Tests +(.*)$/m.exec(output) ?? [];
process.stdout.write(`stress journeys: ${tests}\n`);
process.exitCode = child.exitCode ?? 1;
