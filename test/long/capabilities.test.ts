import { execFile } from 'node:child_process';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOMS } from '../../scripts/layers.js';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

const CAPABILITIES = ROOMS.filter(({ capability }) => capability).map(({ name }) => name);

let site: SiteFolder;
const copy = (...names: string[]): string => path.join(site.root, 'copy', ...names);

beforeAll(async () => {
  site = await makeSite();
  await cp(path.join(root, 'src'), copy('src'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', 'scripts/program-digest.js', 'scripts/bundle.js'])
    await cp(path.join(root, file), copy(file));
  await symlink(path.join(root, 'node_modules'), copy('node_modules'));
});
afterAll(() => removeSite(site));

/** Returns the registry without the commands of a folder. */
function without(registry: string, folder: string): string {
  const entry = new RegExp(
    String.raw`^  \w+: \{\n(?:    .*\n)*?    load: \(\) => import\('\./${folder}/.*\n  \},\n`,
    'gm',
  );
  expect(registry).toMatch(entry);
  return registry.replace(entry, '');
}

test('compiles and builds without the folders of all capabilities and their entries in the registry', async () => {
  const registry = await readFile(copy('src/commands.ts'), 'utf8');
  await writeFile(copy('src/commands.ts'), CAPABILITIES.reduce(without, registry));
  for (const folder of CAPABILITIES) await rm(copy('src', folder), { recursive: true });
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', copy('src')]).catch(({ stdout }: { stdout: string }) =>
    expect(stdout).toBe(''),
  );
  for (const script of ['program-digest', 'bundle']) await run(process.execPath, [copy(`scripts/${script}.js`)]);
  const cli = copy('lib/bundle/cli.js');
  const { stdout: help } = await run(process.execPath, [cli, '--help']);
  expect(help.match(/^ {2}(?!node)[a-z]+(?= {2})/gm)).toEqual(['  check', '  build', '  serve']);
  const { stdout } = await run(process.execPath, [cli, 'build', '--no-cache'], { cwd: site.root });
  expect(stdout).toMatch(/^✔ 1 theme checked, 4 images rendered/m);
});
