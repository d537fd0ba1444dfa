import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/index.ts';
import { BASE_URL, makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import type { Host } from '../hosts/contract.ts';
import { CONFIG } from '../hosts/contract/expected.ts';
import { send } from '../hosts/contract/send.ts';
import { codeBlocks, type Machine, machine } from '../hosts/host-readme.ts';
import { freePort, startServer } from '../hosts/process.ts';
import { SECRETS } from '../hosts/site.ts';

/** Wrangler in a process of its own, not of its launcher. */
const WRANGLER = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('wrangler/package.json'))),
  'wrangler-dist/cli.js',
);

/** Nothing of it asks the network. */
const OFFLINE = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: '1',
};

/** The README's way to try the Worker out, followed with wrangler itself: one key a user, and keyed shards. */
describe.each([
  ['a key for each user', false],
  ['keyed shards', true],
])('the try-out of Cloudflare with %s', (_, keyed) => {
  let site: SiteFolder;
  let place: Machine;
  let server: Host;
  beforeAll(async () => {
    const secret = { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' };
    site = await makeSite({
      themes: { harbor: {}, meadow: {} },
      users: [['tom', 'meadow']],
      site: {
        base_url: BASE_URL,
        edge: ['cloudflare'],
        identity: [{ user: { header: 'X-Remote-User', shared_secret: secret } }, { user: { cookie: 'uid' } }],
        ...(keyed ? { mapping: { keyed: true } } : {}),
      },
    });
    const { diagnostics } = await build({ ...site, keySecret: SECRETS.THEMECAST_KEY_SECRET });
    expect(diagnostics).toEqual([]);
    const readme = await readFile(path.join(site.edgeOutDir, 'cloudflare/README.md'), 'utf8');
    const settings = Object.entries(OFFLINE).map(([name, value]) => `export ${name}='${value}'`);
    place = await machine(site.root, {
      npx: `${settings.join('\n')}\n[ "$1" = wrangler ] && shift && exec ${process.execPath} ${WRANGLER} "$@"`,
    });
    const blocks = codeBlocks(readme);
    const copying = blocks.find((block) => block.startsWith('mkdir -p cloudflare')) ?? '';
    const first = blocks.findIndex((block) => block.includes('--local'));
    const end = blocks.indexOf('npx wrangler dev');
    await place.run(copying);
    for (const block of blocks.slice(first, end))
      await place.run(`THEMECAST_KEY_SECRET=${SECRETS.THEMECAST_KEY_SECRET}\ncd cloudflare\n${block}`);
    const port = await freePort();
    server = await startServer({
      command: process.execPath,
      args: [WRANGLER, 'dev', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
      port,
      cwd: path.join(site.root, 'cloudflare'),
      env: { ...OFFLINE, HOME: site.root },
    });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await removeSite(site);
  });

  it('gives users known by a cookie or a secret their theme, and everyone else the default', async () => {
    const secrets = await readFile(path.join(site.root, 'cloudflare/.dev.vars'), 'utf8');
    const [, secret = ''] = /^PROXY_SECRET=([0-9a-f]{64})$/m.exec(secrets) ?? [];
    const nameFor = async (headers: Record<string, string>) =>
      (JSON.parse((await send(server.port, { path: CONFIG, headers })).body) as { name: string }).name;
    expect(await nameFor({ Cookie: 'uid=tom' })).toBe('meadow');
    expect(await nameFor({ 'X-Remote-User': 'tom', 'X-Proxy-Secret': secret })).toBe('meadow');
    expect(await nameFor({ 'X-Remote-User': 'tom', 'X-Proxy-Secret': 'x'.repeat(64) })).toBe('harbor');
    expect(await nameFor({})).toBe('harbor');
  });
});
