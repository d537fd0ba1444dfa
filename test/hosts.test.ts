import { spawnSync } from 'node:child_process';
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapters } from '../src/hosts/adapters.ts';
import { build, type BuildResult } from '../src/index.ts';
import { EDGE_HOSTS, type EdgeHost } from '../src/theme/site.ts';
import { BASE_URL, makeSite, type SiteFolder } from './site-folder.ts';

/** Keys that occur nowhere else: any occurrence is a leak. */
const CANARY = 'canary-u-77c1f0';
const MAPPED = EDGE_HOSTS.filter((host) => adapters[host].capabilities.maxKeys > 0);
const UNMAPPED = EDGE_HOSTS.filter((host) => adapters[host].capabilities.maxKeys === 0);
const SECRET = 'a-secret-that-must-never-be-written-0123456789';

interface Built extends SiteFolder {
  result: BuildResult;
}

/** One with a mapping, and one for the hosts that have none. */
const sites: Built[] = [];
beforeAll(async () => {
  sites.push(await built(MAPPED, [[CANARY, 'meadow']]), await built(UNMAPPED, []));
});
afterAll(() => Promise.all(sites.map(({ root }) => rm(root, { recursive: true, force: true }))));

/** A site built for the given hosts. */
async function built(edge: readonly EdgeHost[], users: readonly (readonly [string, string])[]): Promise<Built> {
  const shared = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
  const identity = [{ user: { header: 'X-Remote-User', shared_secret: shared } }, { user: { cookie: 'uid' } }];
  const folder = await makeSite({
    themes: { harbor: {}, meadow: {} },
    users,
    site: { base_url: BASE_URL, edge, identity },
  });
  process.env['PROXY_SECRET'] = SECRET;
  try {
    return { ...folder, result: await build(folder) };
  } finally {
    delete process.env['PROXY_SECRET'];
  }
}

describe.each([
  ['with a mapping', 0],
  ['without one', 1],
] as const)('a build for all hosts %s', (_, at) => {
  it('succeeds', () => {
    expect(sites[at]?.result.diagnostics).toEqual([]);
  });

  it('stores no key or secret in dist/, and makes edge/ private', async () => {
    for (const file of await filesIn(sites[at]!.outDir)) {
      const bytes = await readFile(file);
      expect(bytes.includes(CANARY) || bytes.includes(SECRET), file).toBe(false);
    }
    for (const file of await filesIn(sites[at]!.edgeOutDir)) {
      expect((await readFile(file)).includes(SECRET), file).toBe(false);
      expect((await stat(file)).mode & 0o077, file).toBe(0);
    }
  });
});

describe('READMEs', () => {
  it.each(EDGE_HOSTS)(
    'name only existing paths for %s, and no text that is long enough to be a secret',
    async (host) => {
      const { root } = sites[MAPPED.includes(host) ? 0 : 1]!;
      const live = path.join('edge', host);
      const text = await readFile(path.join(root, live, 'README.md'), 'utf8');
      const paths = [...text.matchAll(/(?<![\w-])((?:dist|edge)\/[\w./*-]*)/g)].map(([, name = '']) => name);
      expect(paths.length).toBeGreaterThan(0);
      for (const name of paths) expect(there(root, name.replace(/\.$/, '')), name).toBe(true);
      for (const [, value = ''] of text.matchAll(/PROXY_SECRET[='" ]+(?:--value +)?"?([^\n"`$(]*)/g))
        expect(value.length, value).toBeLessThan(32);
    },
  );

  it.each([
    ['netlify', 'netlify.toml', /publish = "(.*)"/],
    ['cloudflare', 'wrangler.jsonc', /"directory": "(.*)"/],
  ] as const)('have settings beside them that lead to the published files: %s', async (host, file, place) => {
    const folder = await realpath(path.join(sites[0]!.root, 'edge', host));
    const [, dist = ''] = place.exec(await readFile(path.join(folder, file), 'utf8')) ?? [];
    expect(there(folder, `${dist}/manifest.json`)).toBe(true);
  });
});

/** Whether a file or folder matches a name, in which `*` is a wildcard. */
function there(root: string, name: string): boolean {
  return spawnSync('sh', ['-c', `ls -d ${name}`], { cwd: root }).status === 0;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
