import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../src/compiler/build.ts';
import type { Verification } from '../src/verify/verification.ts';
import { readBuild } from '../src/compiler/read-build.ts';
import { verify } from '../src/verify/io/verify.ts';
import type { Host } from './hosts/contract.ts';
import { IN_FOREGROUND, NGINX } from './hosts/nginx-process.ts';
import { freePort, reportMissing, startServer } from './hosts/process.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { idsOf } from './verify/sabotaged-site.ts';

// Runs `verify` against a real nginx with the rules of a real build, in configurations that an administrator might use.

const LIMITS = { timeoutMs: 10_000 };
const DOCUMENTS = ['index.json', 'browse.html', 'config/meadow.json'];

if (NGINX === undefined) reportMissing('nginx');
describe.each(NGINX === undefined ? [] : ['a real nginx'])('%s', () => {
  let site: SiteFolder;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    site = await makeSite({
      site: { base_url: `http://127.0.0.1:${port}`, edge: ['nginx'] },
      themes: { harbor: {}, meadow: {}, nightfall: {} },
      users: [
        ['tom', 'meadow'],
        ['eve', 'nightfall'],
      ],
    });
    const origin = `origin: { listen: '127.0.0.1:${port}', document_root: '${site.outDir}' }\n`;
    await writeFile(
      path.join(site.themesDir, 'site.yaml'),
      `base_url: http://127.0.0.1:${port}\nedge: [nginx]\n${origin}`,
    );
    expect(await build(site)).toMatchObject({ ok: true, diagnostics: [] });
    await chmod(site.root, 0o755);
  });
  afterAll(() => removeSite(site));

  /** Verifies nginx with additional lines in http{}. */
  async function verifyWith(http: string): Promise<Verification> {
    const prefix = await mkdtemp(path.join(tmpdir(), 'themecast-nginx-'));
    await chmod(prefix, 0o755);
    const rules = path.join(prefix, 'themecast');
    await mkdir(rules);
    const names = 'maps.conf locations.conf headers.conf theme-service.conf users.map groups.map'.split(' ');
    for (const name of names) await symlink(path.join(site.edgeOutDir, 'nginx', name), path.join(rules, name));
    const conf = path.join(prefix, 'nginx.conf');
    await writeFile(conf, nginxConf(http));
    let host: Host | undefined;
    try {
      const args = ['-p', prefix, '-c', conf, '-e', path.join(prefix, 'error.log')];
      host = await startServer({ command: NGINX ?? '', args, port });
      const built = await readBuild(site.outDir, site.edgeOutDir, [], () => undefined);
      return await verify({ url: `http://127.0.0.1:${port}`, build: built }, LIMITS);
    } finally {
      await host?.stop();
      await rm(prefix, { recursive: true, force: true });
    }
  }

  it('receives requests for compressed documents, as from browsers', async () => {
    const compressed = 'gzip on; gzip_min_length 1; gzip_types application/json image/svg+xml;';
    const result = await verifyWith(`${compressed} gzip_vary on;`);
    expect([idsOf(result, 'failed'), idsOf(result, 'tolerated')]).toEqual([[], []]);
    expect(result.checks.find(({ id }) => id === 'compression/document')?.label).toBe('gzip');
    expect(idsOf(await verifyWith(compressed), 'tolerated')).toEqual([]);
  });

  describe('with .gz files of another build beside its documents', () => {
    const copies = DOCUMENTS.map((name) => `api/v2/theme/${name}.gz`);
    beforeAll(async () => {
      for (const name of copies) await writeFile(path.join(site.outDir, name), gzipSync('{"of":"another build"}'));
    });
    afterAll(async () => {
      for (const name of copies) await rm(path.join(site.outDir, name));
    });

    it('fails where nginx sends them', async () => {
      const result = await verifyWith('gzip_static on;');
      expect(idsOf(result, 'failed')).toEqual(['compression/document']);
      const rows = result.checks.filter(({ id }) => id === 'compression/document');
      expect(rows.map(({ message }) => message)).toEqual([
        'With gzip, LIST differs from the uncompressed document.',
        'With gzip, the page of LIST differs from the uncompressed document.',
        'With gzip, CONFIG differs from the uncompressed document.',
      ]);
    });
  });
});

function nginxConf(http: string): string {
  return `${IN_FOREGROUND}http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    ${http}
    include themecast/theme-service.conf;
}
`;
}
