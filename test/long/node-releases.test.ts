import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { installed } from '../hosts/process.ts';
import { skip } from '../skip.ts';

const run = promisify(execFile);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-node-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the themes of this repository with a release of Node.js. @returns the published list */
async function buildWith(node: string): Promise<Buffer> {
  const out = path.join(folder, path.basename(node));
  const outputs = ['--out', path.join(out, 'dist'), '--edge-out', path.join(out, 'edge'), '--no-cache'];
  await run(node, [BIN, 'build', ...outputs], { cwd: path.join(import.meta.dirname, '../..') });
  return readFile(path.join(out, 'dist/api/v2/theme/index.json'));
}

it('later releases of Node.js build the same themes', { timeout: 120_000 }, async (context) => {
  const expected = await buildWith(process.execPath);
  for (const node of ['node-22', 'node-24']) {
    if (installed(node, '--version') === undefined)
      skip(context, 'Later releases of Node.js are not installed, so nothing is built with them.');
    expect([node, (await buildWith(node)).equals(expected)]).toEqual([node, true]);
  }
});
