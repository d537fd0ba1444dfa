import { spawnSync } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapters } from '../src/hosts/adapters.ts';
import { build, type BuildResult } from '../src/index.ts';
import { EDGE_HOSTS, type EdgeHost } from '../src/core/theme/site.ts';
import { BASE_URL, makeSite, readTree, removeSite, type SiteFolder } from './site-folder.ts';

/** A unique user key, so that any occurrence in public files is a leak. */
const CANARY = 'canary-u-77c1f0';
const SECRETS = {
  PROXY_SECRET: 'a-secret-that-must-never-be-written-0123456789',
  THEMECAST_KEY_SECRET: 'a-key-secret-that-must-never-be-written-0123456789',
};
const hostsWith = (matches: (host: EdgeHost) => boolean): EdgeHost[] => EDGE_HOSTS.filter(matches);

/** Settings of a site for hosts with a mapping, hosts without a mapping, and hosts with keyed shards. */
const SITES = {
  'with a mapping': { hosts: hostsWith((host) => adapters[host].capabilities.maxKeys > 0), users: [CANARY] },
  'without a mapping': { hosts: hostsWith((host) => adapters[host].capabilities.maxKeys === 0), users: [] },
  'with keyed shards': {
    hosts: hostsWith((host) => adapters[host].capabilities.keyed !== undefined),
    users: [CANARY],
    mapping: { keyed: true },
  },
};

describe.each(Object.entries(SITES))('a build for all hosts %s', (_, { hosts, users, ...settings }) => {
  let site: SiteFolder;
  let result: BuildResult;
  beforeAll(async () => {
    const secret = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
    const identity = [{ user: { header: 'X-Remote-User', shared_secret: secret } }, { user: { cookie: 'uid' } }];
    site = await makeSite({
      themes: { harbor: {}, meadow: {} },
      users: users.map((user) => [user, 'meadow'] as const),
      site: { base_url: BASE_URL, edge: hosts, identity, ...settings },
    });
    Object.assign(process.env, SECRETS);
    result = await build({ ...site, keySecret: SECRETS.THEMECAST_KEY_SECRET });
    for (const name of Object.keys(SECRETS)) delete process.env[name];
  });
  afterAll(() => removeSite(site));

  it('succeeds', () => {
    expect(result.diagnostics).toEqual([]);
  });

  it('writes no secret, publishes no user key, and makes edge/ private', async () => {
    const files = { ...(await textsIn(site.outDir)), ...(await textsIn(site.edgeOutDir)) };
    for (const [file, text] of Object.entries(files)) {
      for (const secret of Object.values(SECRETS)) expect(text.includes(secret), file).toBe(false);
      const isPrivate = file.startsWith(site.edgeOutDir);
      if (isPrivate) expect((await stat(file)).mode & 0o077, file).toBe(0);
      if (!isPrivate || 'mapping' in settings) expect(text.includes(CANARY), file).toBe(false);
    }
  });

  it.each(hosts)('has a README for %s with only existing paths, and no secret', async (host) => {
    const text = (await textsIn(path.join(site.edgeOutDir, host)))[path.join(site.edgeOutDir, host, 'README.md')] ?? '';
    const paths = [...text.matchAll(/(?<![\w-])((?:dist|edge)\/[\w./*-]*)/g)].map(([, name = '']) => name);
    expect(paths.length).toBeGreaterThan(0);
    for (const name of paths) expect(exists(site.root, name.replace(/\.$/, '')), name).toBe(true);
    for (const [, value = ''] of text.matchAll(/PROXY_SECRET[='" ]+(?:--value +)?"?([^\n"`$(]*)/g))
      expect(value.length, value).toBeLessThan(32);
  });

  it.each(hosts)('has a README for %s that mentions every file or its folder, except scripts', async (host) => {
    const folder = path.join(site.edgeOutDir, host);
    const scripts = host === 'cloudflare' ? /^README|\.(?:sh|js)$/ : /^README|\.sh$|^themecast-rules$/;
    const files = [...(await readTree(folder)).keys()].filter((name) => !scripts.test(name));
    const text = (await textsIn(folder))[path.join(folder, 'README.md')] ?? '';
    const unmentioned = files.filter((name) => {
      const parts = name.replace(/-\d{3}\./, '-….').split('/');
      const names = parts.map(
        (part, at) => parts.slice(0, at).concat(part).join('/') + (at + 1 < parts.length ? '/' : ''),
      );
      return !names.some((mention) => text.includes(`\`${mention}\``));
    });
    expect(unmentioned).toEqual([]);
  });

  it.each(
    [
      ['netlify', 'netlify.toml', /publish = "(.*)"/],
      ['cloudflare', 'wrangler.jsonc', /"directory": "(.*)"/],
    ].filter(([host]) => hosts.includes(host as EdgeHost)) as [EdgeHost, string, RegExp][],
  )('has settings for %s with the path of the published files', async (host, file, pattern) => {
    const folder = await realpath(path.join(site.edgeOutDir, host));
    const [, dist = ''] = pattern.exec((await textsIn(folder))[path.join(folder, file)] ?? '') ?? [];
    expect(exists(folder, `${dist}/manifest.json`)).toBe(true);
  });
});

/** Returns whether a path exists, in which `*` is a wildcard. */
function exists(root: string, name: string): boolean {
  return spawnSync('sh', ['-c', `ls -d ${name}`], { cwd: root }).status === 0;
}

/** Returns the text of each file in a folder, by path. */
async function textsIn(folder: string): Promise<Record<string, string>> {
  const tree = await readTree(folder);
  return Object.fromEntries([...tree].map(([name, bytes]) => [path.join(folder, name), bytes.toString('latin1')]));
}
