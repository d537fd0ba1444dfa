import { createHash, createHmac } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { adapters } from '../src/hosts/adapter/adapters.ts';
import { build } from '../src/index.ts';
import { EDGE_HOSTS, type EdgeHost } from '../src/core/theme/site/site.ts';
import { run, type Run, startServer } from './command-line.ts';
import { send } from './hosts/contract/send.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from './site-folder.ts';

/** Keys that occur nowhere else, in the usual formats of user keys: any occurrence is a leak. */
const KEYS = ['canary-7c1f0a', 'Canary.Person+7c1f0a@example.org', 'canary:tenant/7c1f0a|x=y'] as const;
const GROUP = 'canary-group-7c1f0a';
const SECRET = 'canary-secret-7c1f0a-0123456789-abcdefghijklmnop';
const PROXY_SECRET = 'canary-proxy-secret-7c1f0a-0123456789-abcdefghij';
const SECRETS = [SECRET, PROXY_SECRET] as const;

const KEYED = EDGE_HOSTS.filter((host) => adapters[host].capabilities.keyed !== undefined);
const MAPPED = EDGE_HOSTS.filter((host) => adapters[host].capabilities.maxKeys > 0);

let site: SiteFolder | undefined;
afterEach(() => removeSite(site));

/** Returns the encodings and digests that could hide a text. */
function encodingsOf(text: string): string[] {
  const digests = [
    createHash('sha256').update(text),
    createHash('sha1').update(text),
    createHash('md5').update(text),
    createHmac('sha256', SECRET).update(text),
  ].map((hash) => hash.digest());
  const bytes = [Buffer.from(text), ...digests];
  // The base64 of a text differs at each of three offsets; the characters at its ends depend on the neighbouring bytes.
  const inside = [1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + text)
      .toString('base64')
      .slice(4, -4),
  );
  return [
    text,
    encodeURIComponent(text),
    ...inside,
    ...bytes.flatMap((value) => [value.toString('hex'), value.toString('hex').toUpperCase()]),
    ...bytes.flatMap((value) => [value.toString('base64').replaceAll('=', ''), value.toString('base64url')]),
  ];
}

/** Returns the texts that occur in the bytes, in any encoding. */
function leaks(texts: readonly string[], bytes: Buffer | string): string[] {
  return texts.filter((text) => encodingsOf(text).some((encoding) => bytes.includes(encoding)));
}

/** Returns the files in a folder with any of the texts in their contents, names or links. */
async function leaksIn(folder: string, texts: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(file) : '';
    if (leaks(texts, bytes).length > 0 || leaks(texts, entry.name).length > 0) files.push(file);
  }
  return files;
}

/** Creates a site with canaries in every kind of users file, and with its own temporary folder. */
async function canarySite(edge: readonly EdgeHost[], keyed: boolean): Promise<SiteFolder> {
  const site = await makeSite({
    themes: { harbor: {}, meadow: {} },
    site: {
      base_url: BASE_URL,
      edge,
      mapping: { keyed },
      identity: [
        { user: { header: 'X-User', shared_secret: { header: 'X-Secret', env: 'PROXY_SECRET' } } },
        { group: { cookie: 'group' } },
        { user: { cookie: 'uid' } },
      ],
    },
    users: [[KEYS[0], 'meadow']],
    files: {
      'themes/users/more.csv': `user,theme\n${KEYS[1]},meadow\n`,
      'themes/users/third.csv': `user,theme\n${KEYS[2]},meadow\n`,
      'themes/users/groups.csv': `group,theme\n${GROUP},meadow\n`,
    },
  });
  await mkdir(path.join(site.root, 'tmp'));
  return site;
}

function environment({ root }: SiteFolder): Record<string, string> {
  return { THEMECAST_KEY_SECRET: SECRET, PROXY_SECRET, TMPDIR: path.join(root, 'tmp') };
}

function themecast(args: readonly string[], site: SiteFolder): Promise<Run> {
  return run(args, { cwd: site.root, env: environment(site) });
}

describe.each([
  ['a plain build for every host with users', MAPPED, false],
  ['a keyed build for hosts that run code', KEYED, true],
] as const)('%s', (_, hosts, keyed) => {
  it('stores no key or secret in public files, the cache, the output, or temporary files', async () => {
    site = await canarySite(hosts, keyed);
    const secretTexts = [...KEYS, GROUP, ...SECRETS];
    for (const args of [
      ['build', '--cache', '.cache'],
      ['build', '--cache', '.cache', '--format', 'json'],
      ['build', '--format', 'github', '--no-cache'],
      ['check', '--cache', '.cache'],
    ]) {
      const { code, stdout, stderr } = await themecast(args, site);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(leaks(secretTexts, stdout)).toEqual([]);
    }
    expect(await leaksIn(site.outDir, secretTexts)).toEqual([]);
    expect(await leaksIn(site.cacheDir, secretTexts)).toEqual([]);
    expect(await readdir(path.join(site.root, 'tmp'))).toEqual([]);
    expect(await leaksIn(site.edgeOutDir, SECRETS)).toEqual([]);
    expect(await rawKeys(site.edgeOutDir)).toEqual(keyed ? [] : [...KEYS, GROUP]);
  });
});

/** Returns the keys that `edge/` contains verbatim. */
async function rawKeys(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')));
  return [...KEYS, GROUP].filter((key) => texts.some((text) => text.includes(key)));
}

describe('diagnostics about users', () => {
  it('contain no key from standard input', async () => {
    site = await makeSite({ themes: { harbor: {}, meadow: {} } });
    const input = `user,theme\n${KEYS[1]},prairie\n${KEYS[0]} x,meadow\n`;
    const { code, stdout, stderr } = await run(['build', '--users', '-'], { cwd: site.root, input });
    expect(code).toBe(1);
    expect(leaks(KEYS, stdout + stderr), stdout).toEqual([]);
  });
});

describe('serve and verify', () => {
  it('print no key of a request or of a sample user', async () => {
    site = await canarySite(['nginx'], false);
    await build(site);
    const server = await startServer(['serve'], { cwd: site.root, env: environment(site) });
    const { port, url } = server;
    for (const key of KEYS) {
      await send(port, { path: '/api/v2/theme/config/', headers: { Cookie: `uid=${key}; group=${GROUP}` } });
      await send(port, { path: `/${encodeURIComponent(key)}?uid=${key}`, headers: { 'X-User': key } });
    }
    const keys = KEYS.flatMap((key) => ['--as', key]);
    const verified = await themecast(['verify', url, ...keys], site);
    const asJson = await themecast(['verify', url, '--as', KEYS[1], '--format', 'json'], site);
    const { stdout, stderr } = await server.stop();
    expect(leaks([...KEYS, GROUP, ...SECRETS], stdout + stderr)).toEqual([]);
    for (const result of [verified, asJson]) {
      expect(result.code, result.stderr).not.toBe(2);
      expect(leaks([...KEYS, ...SECRETS], result.stdout + result.stderr), result.stdout).toEqual([]);
    }
  });
});
