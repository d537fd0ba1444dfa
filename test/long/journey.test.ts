import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackage, unpackedPackage } from '../docs/package.ts';
import { type, typeServer } from '../docs/shell.ts';
import { freePort } from '../hosts/process.ts';
import { squareSvg } from '../images.ts';

let repository = '';
let unpacked = '';

beforeAll(async () => {
  repository = await mkdtemp(path.join(tmpdir(), 'themecast-journey-'));
  unpacked = unpackedPackage();
  installPackage(unpacked, repository);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: repository });
}, 60_000);
afterAll(async () => {
  await rm(repository, { recursive: true, force: true });
  await rm(unpacked, { recursive: true, force: true });
});

/** Types a command into a shell in the repository. @param announced - an earlier output, which names it */
async function step(command: string, announced = command): Promise<string> {
  expect(announced).toContain(command.split(' ').slice(0, 3).join(' '));
  return (await type(command, repository)).stdout;
}

/** What a command prints that finds errors. */
async function failing(command: string): Promise<string> {
  return (await type(`${command} || [ $? = 1 ]`, repository)).stdout;
}

it(
  'leads from an empty repository to a served theme, each step as the one before it says',
  { timeout: 180_000 },
  async () => {
    await writeFile(path.join(repository, 'drawing.svg'), squareSvg(240, 60));
    const port = await freePort();
    const made = await step(`npx themecast init --name Club --base-url http://127.0.0.1:${port}`);
    const started = await step('npx themecast new Aurora --logo drawing.svg --colour "#c9573b"', made);
    await rm(path.join(repository, 'drawing.svg'));
    const checked = await step('npx themecast check', started);
    const built = await step('npx themecast build', checked);
    const list = JSON.parse(await readFile(path.join(repository, 'dist/api/v2/theme/index.json'), 'utf8')) as unknown;
    expect(list).toMatchObject([
      { id: 1, name: 'Club', is_default: true },
      { id: 2, name: 'Aurora', is_default: false },
    ]);

    expect(built).toContain('npx themecast serve');
    const server = await typeServer(`npx themecast serve --port ${port}`, repository);
    const verify = /`(npx themecast verify [^`]+)`/.exec(server.printed)?.[1] ?? '';
    expect(await step(verify, server.printed)).toContain('✔');
    await server.stop();

    // Three mistakes, as people make them; images are looked at once the fields are right.
    const theme = path.join(repository, 'themes/aurora/theme.yaml');
    const right = await readFile(theme, 'utf8');
    const misnamed = right.replace('favicon: favicon.png', 'favicon: Favicon.png');
    const wrong = misnamed.replace('compact_logo:', 'compact_lgo:').replace(/ {2}- "(#[0-9a-f]{6})"/, '  - $1');
    await writeFile(theme, wrong);
    const listed = await failing('npx themecast check');
    for (const meant of ['`compact_logo`', 'in quotes: "#']) expect(listed).toContain(meant);
    await writeFile(theme, misnamed);
    expect(await failing('npx themecast check')).toContain('`favicon.png`');
    await writeFile(theme, right);
    await step('npx themecast check --quiet');
  },
);
