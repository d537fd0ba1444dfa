import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Repository } from '../deploy/repository.ts';
import { failing } from '../deploy/server.ts';
import { send } from '../hosts/contract/send.ts';
import { freePort, reportMissing, startServer } from '../hosts/process.ts';
import type { Host } from '../hosts/contract.ts';
import { squareSvg } from '../images.ts';

const WEBSITE =
  '<WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IndexDocument><Suffix>index.json</Suffix></IndexDocument></WebsiteConfiguration>';
const BIN = path.join(import.meta.dirname, 'node_modules/.bin/s3rver');
const missing = [
  ...(spawnSync('rclone', ['version']).status === 0 ? [] : ['rclone']),
  ...(spawnSync(BIN, ['--version']).status === 0 ? [] : ['s3rver']),
];

if (missing.length > 0) reportMissing(missing.join(', '), 'nothing is deployed to a store');
else
  describe('deploy to a store by rclone', { timeout: 900_000 }, () => {
    let folder: string;
    let server: Host;
    let repository: Repository;
    let env: Record<string, string>;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'themecast-store-'));
      const port = await freePort();
      const website = path.join(folder, 'website.xml');
      await writeFile(website, WEBSITE);
      const args = ['-d', path.join(folder, 'data'), '-a', '127.0.0.1', '-p', String(port), '-s'];
      server = await startServer({ command: BIN, args: [...args, '--configure-bucket', 'site', website], port });
      env = {
        DEPLOY_REMOTE: 'store:site',
        RCLONE_CONFIG: '/dev/null',
        AWS_CA_BUNDLE: '',
        RCLONE_CONFIG_STORE_TYPE: 's3',
        RCLONE_CONFIG_STORE_PROVIDER: 'Other',
        RCLONE_CONFIG_STORE_ENDPOINT: `http://127.0.0.1:${port}`,
        RCLONE_CONFIG_STORE_ACCESS_KEY_ID: 'S3RVER',
        RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: 'S3RVER',
        RCLONE_CONFIG_STORE_FORCE_PATH_STYLE: 'true',
        RCLONE_LOW_LEVEL_RETRIES: '1',
      };
      repository = await Repository.make(
        { site: { base_url: `http://127.0.0.1:${port}/site`, edge: ['static'] }, themes: { harbor: {}, meadow: {} } },
        { host: 'static', port, env, basePath: '/site' },
      );
      await repository.commit();
      await repository.build();
      // s3rver has no Allow, Vary and security headers, as S3 has none: `verify` tolerates that for `static`.
      const { code, stdout, stderr } = await repository.deploy();
      expect(code, stdout + stderr).toBe(0);
    }, 120_000);

    afterAll(async () => {
      await server.stop();
      await repository.remove();
      await rm(folder, { recursive: true });
    });

    const get = (name: string) => send(server.port, { path: `/site/${name}` });

    it('uploads every file with its type and its lifetime', async () => {
      const { files, cache_control: control } = JSON.parse(
        await readFile(path.join(repository.site.outDir, 'manifest.json'), 'utf8'),
      ) as { files: { path: string; type: string; cache_class: string }[]; cache_control: Record<string, string> };
      for (const file of files) {
        const { status, headers } = await get(file.path);
        expect([file.path, status, headers['content-type'], headers['cache-control']]).toEqual([
          file.path,
          200,
          file.type,
          control[file.cache_class],
        ]);
      }
      expect((await get('api/v2/theme/deployment.json')).headers['cache-control']).toBe('no-cache');
      expect((await get('api/v2/theme/manifest.json')).headers['cache-control']).toBe('no-cache');
    });

    it('uploads the record alone if nothing has changed', async () => {
      const log = path.join(folder, 'log');
      await repository.publish();
      const { code } = await repository.deploy([], { RCLONE_LOG_FILE: log, RCLONE_LOG_LEVEL: 'INFO' });
      expect(code).toBe(0);
      expect((await readFile(log, 'utf8')).match(/: Copied .*/g)).toHaveLength(1);
    });

    it('exchanges a theme for one of equal length, deletes what is gone, and keeps old images', async () => {
      const before = await repository.images();
      await rm(path.join(repository.site.themesDir, 'meadow'), { recursive: true });
      const yaml = path.join(repository.site.themesDir, 'harbor/theme.yaml');
      const text = await readFile(yaml, 'utf8');
      await writeFile(yaml, text.replace(/^(name: "?)harbor/m, '$1HARBOR'));
      await repository.commit({ 'themes/harbor/logo.svg': squareSvg(31, 31) });
      await repository.publish();
      expect(JSON.parse((await get('api/v2/theme/config/index.json')).body)).toMatchObject({ name: 'HARBOR' });
      expect((await get('api/v2/theme/config/meadow.json')).status).toBe(404);
      expect(await repository.missing(before)).toEqual([]);
    });

    it('is whole after it was interrupted anywhere and repeated, also with what was live before', async () => {
      const first = await repository.git('rev-parse', 'HEAD');
      await repository.commit({ 'themes/harbor/logo.svg': squareSvg(41, 41) });
      for (let calls = 0, code: number | null = 1; code !== 0; calls += 2) {
        await repository.git('checkout', '--quiet', 'main');
        await repository.build();
        const PATH = `${await failing('rclone', calls, folder)}:${process.env['PATH']}`;
        code = (await repository.deploy([], { PATH })).code;
        expect(await repository.missing(await repository.images())).toEqual([]);
        if (code === 0) expect(calls).toBeGreaterThan(5);
        // Back: documents that were exchanged already are so again, although the record does not name them.
        await repository.git('checkout', '--quiet', first);
        await repository.publish('--allow-older');
      }
      await repository.git('checkout', '--quiet', 'main');
    });

    it('fails for wrong credentials, a store that is down, and a run that was overtaken', async () => {
      await repository.build();
      const fails = async (variables: Record<string, string>): Promise<string> => {
        const { code, stderr } = await repository.deploy([], variables);
        expect(code, stderr).toBe(1);
        return stderr;
      };
      await fails({ RCLONE_CONFIG_STORE_ACCESS_KEY_ID: 'wrong', RCLONE_RETRIES: '1' });
      await fails({ RCLONE_CONFIG_STORE_ENDPOINT: 'http://127.0.0.1:9', RCLONE_RETRIES: '1' });
      // Two at once: this one compares, then the other ends, then this one goes on.
      const script = path.join(repository.site.edgeOutDir, 'static/rclone.sh');
      const text = await readFile(script, 'utf8');
      const other = `rclone cat "$public/deployment.json" | sed 's/"time": "2/"time": "1/' | rclone rcat "$public/deployment.json"`;
      await writeFile(script, text.replace('# Phase 2: documents.', `${other}\n# Phase 2: documents.`));
      expect(await fails({})).toContain('Another deployment came first');
      await writeFile(script, text);
      await repository.publish();
    });
  });
