import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as client from '../../src/client/client.ts';
import fallback from '../../src/client/fixtures/default.json' with { type: 'json' };
import theme from '../../src/client/fixtures/emoji.json' with { type: 'json' };
import { run } from '../command-line.ts';
import { DENO, NO_PLATFORMS } from '../platforms.ts';
import { skip } from '../skip.ts';
import { exercise } from './exercise.js';
import { EXPECTED } from './expected.ts';
import { FAULTS, type FaultyService, startFaultyService } from './faulty-service.ts';

const LIB = path.join(import.meta.dirname, '../../lib/client');
const EXERCISE = path.join(import.meta.dirname, 'exercise.js');
const faults = Object.keys(FAULTS);

describe('the client keeps the last good theme through every fault', () => {
  let service: FaultyService;
  let folder: string;
  beforeAll(async () => {
    service = await startFaultyService(theme);
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-client-'));
    await cp(EXERCISE, path.join(folder, 'exercise.js'));
    await cp(path.join(LIB, 'client.js'), path.join(folder, 'client.js'));
    await writeFile(path.join(folder, 'theme.ts'), (await run(['client'])).stdout);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (): string =>
    `await exercise(client, ${[service.origin, fallback, faults].map((argument) => JSON.stringify(argument)).join(', ')})`;

  it('in Node.js', async () => {
    service.requests.length = 0;
    expect(await exercise(client, service.origin, fallback, faults)).toEqual(EXPECTED);
    // Redirects are never followed, so that their target gets no cookies.
    expect(service.requests.filter(({ path }) => !/^\/api\/v2\/theme\/(?:config\/)?$/.test(path))).toEqual([]);
    expect(new Set(service.requests.map(({ accept }) => accept))).toEqual(new Set(['application/json']));
    expect(service.requests.slice(0, 3).map(({ condition }) => condition)).toEqual([undefined, '"v1"', undefined]);
  });

  it('in Node.js, and reports a timeout even if nothing else keeps the process alive', async () => {
    const main = `import { createThemeClient } from './client.mjs';
const options = { baseUrl: 'https://x.example.org', fallback: {}, fetch: () => new Promise(() => {}), timeout: 20 };
await createThemeClient({ ...options, onProblem: console.log }).current();\n`;
    await writeFile(path.join(folder, 'main.mjs'), main);
    await cp(path.join(LIB, 'client.js'), path.join(folder, 'client.mjs'));
    const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: folder });
    expect(stdout).toBe('Error: Timeout\n');
  });

  it('in Deno, as a file written by `themecast client`', async (context) => {
    if (NO_PLATFORMS !== undefined) skip(context, NO_PLATFORMS);
    const main = `import * as client from './theme.ts';\nimport { exercise } from './exercise.js';\nconsole.log(JSON.stringify(${call()}));\n`;
    await writeFile(path.join(folder, 'main.ts'), main);
    const env = { ...process.env, DENO_DIR: path.join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
    const args = ['run', '--no-remote', `--allow-net=${new URL(service.origin).host}`, 'main.ts'];
    const { stdout } = await promisify(execFile)(DENO ?? 'deno', args, { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
});
