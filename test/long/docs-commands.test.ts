import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import longTests from './package.json' with { type: 'json' };
import { codeBlocks, PAGES, readPage, ROOT } from '../docs/pages.ts';
import { installPackage, unpackedPackage } from '../docs/package.ts';
import { initSite, runScript, startInShell } from '../docs/shell.ts';
import { freePort } from '../hosts/process.ts';
import { skip } from '../skip.ts';

const run = promisify(execFile);

/** The pages whose commands run in a repository with the example themes. `tutorial.test.ts` runs docs/start.md. */
const TASK_PAGES = PAGES.filter(
  (page) => !['README.md', 'docs/start.md'].includes(page) && codeBlocks(readPage(page), 'sh').length > 0,
);

const HAS_CURL = spawnSync('curl', ['--version']).status === 0;

let folder = '';
let unpacked = '';
const servers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'themecast-docs-'));
  unpacked = unpackedPackage();
});
afterEach(stopServers);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(unpacked, { recursive: true, force: true });
});

describe('the commands of the README', () => {
  const blocks = codeBlocks(readPage('README.md'), 'sh');

  it('install and build in a new project and in a checkout', { timeout: 300_000 }, async (context) => {
    const checkout = path.join(folder, 'themecast');
    await layOutCheckout(checkout);
    const [first = '', ...rest] = blocks;
    const { site } = await initSite(first.trim(), folder, unpacked);
    // Replaces the port in the README, which may be in use.
    const port = await freePort();
    let cwd = checkout;
    expect(rest.length).toBeGreaterThan(5);
    for (const block of rest) {
      if (/^npm (?:ci|cit|run)\b/.test(block)) cwd = checkout;
      if (block.startsWith('cd ../my-themes\n')) cwd = site;
      await runBlock(block.replace(/^cd .*\n/, ''), cwd, port);
    }
    const tarball = path.join(site, `themecast-${manifest.version}.tgz`);
    expect((await run('tar', ['-tzf', tarball])).stdout).toContain('package/lib/bundle/cli.js\n');
    if (!HAS_CURL) skip(context, 'curl is not installed, so the requests of the README are not sent.');
  });
});

describe('the commands of a page', () => {
  let project: string;
  beforeAll(async () => {
    project = path.join(folder, 'themes-repository');
    await mkdir(project);
    await cp(path.join(ROOT, 'themes'), path.join(project, 'themes'), { recursive: true });
    installPackage(unpacked, project);
    await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: project });
    await run('git', ['remote', 'add', 'origin', 'git@github.com:example/themes.git'], { cwd: project });
  });

  it.each(TASK_PAGES)('%s', { timeout: 300_000 }, async (page) => {
    for (const output of ['dist', 'edge', '../site'])
      await rm(path.join(project, output), { recursive: true, force: true });
    const port = await freePort();
    for (const block of codeBlocks(readPage(page), 'sh')) await runBlock(block, project, port);
  });
});

/** Runs a code block as one script. A server on its last line runs until the next server starts or the test ends. */
async function runBlock(block: string, cwd: string, port: number): Promise<void> {
  // Installing and testing have already happened.
  if (block.trim() === 'npm cit') return;
  const lines = block
    .replaceAll('npm ci && ', '')
    .replaceAll(':8080/', `:${port}/`)
    .replace(/^curl /gm, 'curl -sS --fail ')
    .trimEnd()
    .split('\n');
  const last = lines.at(-1) ?? '';
  const isServer = /^(?:npm run|npx themecast) (?:dev|serve)$/.test(last);
  const script = isServer ? lines.slice(0, -1) : lines;
  const commands: string[] = [];
  for (const line of script) {
    const installed = /^npm install --save-dev (\S+)$/.exec(line)?.[1];
    if (installed !== undefined) await install(installed, cwd);
    else if (!line.startsWith('curl ') || HAS_CURL) commands.push(line);
  }
  if (commands.length > 0) await runScript(commands.join('\n'), cwd);
  if (!isServer) return;
  await stopServers();
  const { stop } = await startInShell(`${last}${last.startsWith('npm') ? ' --' : ''} --port ${port}`, cwd);
  servers.push(stop);
}

/** Replaces `npm install` without a network: links the packed package, or a package of `test/long` in the same version. */
async function install(name: string, project: string): Promise<void> {
  if (name === 'themecast' || name.endsWith(`/themecast-${manifest.version}.tgz`))
    return installPackage(unpacked, project);
  const [, scope = '', version] = /^(@\w+)\/\w+@(.+)$/.exec(name) ?? [];
  expect(version).toBe(longTests.devDependencies[name.replace(/@[^@]+$/, '') as '@sveltia/cms']);
  await symlink(path.join(import.meta.dirname, 'node_modules', scope), path.join(project, 'node_modules', scope));
}

async function layOutCheckout(checkout: string): Promise<void> {
  for (const name of ['.npmrc', 'package.json', 'tsconfig.json', 'scripts', 'src', 'themes'])
    await cp(path.join(ROOT, name), path.join(checkout, name), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
}

async function stopServers(): Promise<void> {
  for (const stop of servers.splice(0)) await stop();
}
