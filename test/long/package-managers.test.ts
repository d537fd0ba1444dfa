import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRegistry } from '../npm-registry.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');

let folder = '';
let registry: Awaited<ReturnType<typeof startRegistry>>;
/** Without what `npm test` sets, and with no registry but that of this test. */
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-package-'));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: root });
  registry = await startRegistry(path.join(folder, stdout.trim()));
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:npm_|yarn_|ci$|node_options$)/i.test(name));
  env = {
    ...Object.fromEntries(kept),
    HOME: folder,
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    npm_config_registry: registry.url,
    npm_config_cache: path.join(folder, 'cache/npm'),
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    YARN_NPM_REGISTRY_SERVER: registry.url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    NO_COLOR: '1',
  };
}, 60_000);

afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

/** Types a line into a shell in a new project, or in one that an earlier line made. @returns what it prints */
async function type(project: string, line: string): Promise<string> {
  const cwd = path.join(folder, project);
  if (!existsSync(cwd)) {
    await mkdir(cwd);
    await writeFile(path.join(cwd, 'package.json'), '{"name":"consumer","private":true,"type":"module"}\n');
  }
  const failed = (error: { stdout: string; stderr: string }): never => {
    throw new Error(`${line}\n${error.stdout}${error.stderr}`);
  };
  return (await run('sh', ['-c', line], { cwd, env }).catch(failed)).stdout;
}

/** Makes a repository and builds it. */
async function journey(project: string, themecast: string): Promise<void> {
  await type(project, `${themecast} init --name Club --base-url https://club.example.org`);
  expect(await type(project, `${themecast} build`)).toContain('✔ 1 theme checked');
  const list = readFileSync(path.join(folder, project, 'dist/api/v2/theme/index.json'), 'utf8');
  expect(JSON.parse(list)).toMatchObject([{ id: 1, name: 'Club', is_default: true }]);
}

const bin = (name: string): string => `"${process.execPath}" "${path.join(import.meta.dirname, 'node_modules', name)}"`;
const PNPM = bin('pnpm/bin/pnpm.cjs');
const YARN = bin('@yarnpkg/cli-dist/bin/yarn.js');

describe('a repository that installs the package', { timeout: 120_000 }, () => {
  it('with npm', async () => {
    await type('npm', 'npm install themecast');
    await journey('npm', 'npx themecast');
  });

  it('with pnpm', async () => {
    await type('pnpm', `${PNPM} add themecast`);
    await journey('pnpm', `${PNPM} exec themecast`);
  });

  it("with Yarn, and without its Plug'n'Play", async () => {
    await type('yarn', `${YARN} add themecast`);
    const started = path.join(folder, 'yarn/themes');
    await expect(type('yarn', `${YARN} themecast init`)).rejects.toThrow(
      "themecast does not run under Yarn's Plug'n'Play, where names of files can lead out of their folder. Put `nodeLinker: node-modules` into .yarnrc.yml, and run `yarn install`.\n",
    );
    expect(existsSync(started)).toBe(false);
    await writeFile(path.join(folder, 'yarn/.yarnrc.yml'), 'nodeLinker: node-modules\n');
    await type('yarn', `${YARN} install`);
    await journey('yarn', `${YARN} themecast`);
  });
});
