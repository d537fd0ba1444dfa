import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { Repository } from '../deploy/repository.ts';
import { type DeployServer, missing, startDeployServer } from '../deploy/server.ts';
import { runJob } from '../deploy/workflow.ts';
import { reportMissing } from '../hosts/process.ts';
import { readTree } from '../site-folder.ts';

const SECRETS = { PROXY_SECRET: 'proxy-secret-0123456789-abcdefghijklmn' };

if (missing.length > 0) reportMissing(missing.join(', '), 'the shipped workflow is not run');
else
  describe('deploy.yml', { timeout: 300_000 }, () => {
    let server: DeployServer;
    let repository: Repository;
    /** The file from which nginx reads the shared secret. */
    let secret: string;

    beforeAll(async () => {
      server = await startDeployServer();
      repository = await makeRepository(server);
      secret = path.join(server.rules, 'PROXY_SECRET.map');
      const { root } = repository.site;
      // An administrator installs these files before the first deployment.
      const [out, edge] = [path.join(server.folder, 'first/dist'), path.join(server.folder, 'first/edge')];
      execFileSync(process.execPath, [BIN, 'build', '--quiet', '--out', out, '--edge-out', edge], { cwd: root });
      await copyFile(path.join(edge, 'nginx/themecast-rules'), server.sbin);
      await mkdir(server.rules, { mode: 0o700 });
      await writeFile(secret, `"~^${SECRETS.PROXY_SECRET}$" 1;\n`, { mode: 0o600 });
      const { code, stdout, stderr } = await runJob(root, { ...server.settings, ...SECRETS });
      expect(code, stdout + stderr).toBe(0);
    }, 300_000);
    afterAll(async () => {
      await server.stop();
      await repository.remove();
    });

    it('deploys documents, images and rules, but no committed output', async () => {
      expect(await Promise.all(['tom', 'ann'].map((user) => repository.themeOf(user)))).toEqual(['meadow', 'harbor']);
      const files = [...(await readTree(server.target)).keys(), ...(await readdir(server.rules))];
      expect(files).toContain('theme-service.conf');
      expect(files.filter((file) => file.includes('evil'))).toEqual([]);
    });

    it('keeps the shared secrets of the administrator', async () => {
      expect(await readFile(secret, 'utf8')).toContain(SECRETS.PROXY_SECRET);
      expect((await stat(secret)).mode & 0o777).toBe(0o600);
    });

    it('fails without the secret that the check of a user needs', async () => {
      const { code, stdout } = await runJob(repository.site.root, server.settings);
      expect([code, stdout]).toEqual([1, expect.stringContaining('PROXY_SECRET')]);
    });
  });

/** Creates a repository with themecast installed, and with committed files in the output folders. */
async function makeRepository(server: DeployServer): Promise<Repository> {
  const listen = `127.0.0.1:${server.port}`;
  const repository = await Repository.make(
    {
      site: {
        base_url: `http://${listen}`,
        origin: { listen, document_root: `${server.target}/dist` },
        identity: [
          { user: { header: 'X-Remote-User', shared_secret: { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' } } },
          { user: { cookie: 'uid' } },
        ],
      },
      themes: { harbor: {}, meadow: {} },
      // The long key requires larger hash tables, in `hash.conf`.
      users: [
        ['tom', 'meadow'],
        ['auth0|firstname.lastname+community@department.example.org', 'meadow'],
      ],
      files: {
        '.gitignore': 'node_modules/\n',
        'package.json': '{"name": "themes", "private": true}\n',
        'dist/evil.html': 'evil',
        'edge/nginx/evil.conf': 'evil',
        '.cache/evil': 'evil',
      },
    },
    server,
  );
  const { root } = repository.site;
  await repository.commit();
  const bin = path.join(root, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  const themecast = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  await writeFile(path.join(bin, 'themecast'), themecast, { mode: 0o755 });
  return repository;
}
