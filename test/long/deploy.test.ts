import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { type DeployServer, missing, startDeployServer } from '../deploy/server.ts';
import { runJob, type Runner } from '../deploy/workflow.ts';
import { send } from '../hosts/contract/send.ts';
import { reportMissing } from '../hosts/process.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from '../site-folder.ts';

const run = promisify(execFile);
const CONFIG = '/api/v2/theme/config/';

const SECRETS = { PROXY_SECRET: 'proxy-secret-0123456789-abcdefghijklmn' };

if (missing.length > 0) reportMissing(missing.join(', '), 'the shipped workflow is not run');
else
  describe('deploy.yml', { timeout: 300_000 }, () => {
    let server: DeployServer;
    let site: SiteFolder;
    let runner: Omit<Runner, 'temp'>;

    beforeAll(async () => {
      server = await startDeployServer();
      site = await makeRepository(server);
      runner = { repository: site.root, settings: { ...server.settings, ...SECRETS } };
      // By the administrator, before the first deployment.
      const [out, edge] = [path.join(server.folder, 'first/dist'), path.join(server.folder, 'first/edge')];
      await run(process.execPath, [BIN, 'build', '--quiet', '--out', out, '--edge-out', edge], { cwd: site.root });
      await copyFile(path.join(edge, 'nginx/themecast-rules'), server.sbin);
      await mkdir(server.rules, { mode: 0o700 });
      await writeFile(sharedSecret(), `"~^${SECRETS.PROXY_SECRET}$" 1;\n`, { mode: 0o600 });
      const { code, stdout, stderr } = await runJob(runner);
      expect(code, stdout + stderr).toBe(0);
    }, 300_000);

    afterAll(async () => {
      await server.stop();
      await removeSite(site);
    });

    it('deploys documents, images and rules into an empty target, and no committed output', async () => {
      expect(await Promise.all(['tom', 'ann'].map(themeOf))).toEqual(['meadow', 'harbor']);
      const files = [...(await readTree(server.target)).keys(), ...(await readdir(server.rules))];
      expect(files).toContain('theme-service.conf');
      expect(files.filter((file) => /evil/.test(file))).toEqual([]);
    });

    it('preserves the shared secrets that an administrator has put beside the rules', async () => {
      expect(await readFile(sharedSecret(), 'utf8')).toContain(SECRETS.PROXY_SECRET);
      expect((await stat(sharedSecret())).mode & 0o777).toBe(0o600);
    });

    it('fails if it cannot request the service as a user, for want of a secret', async () => {
      const { code, stdout } = await runJob({ ...runner, settings: server.settings });
      expect([code, stdout]).toEqual([1, expect.stringContaining('PROXY_SECRET')]);
    });

    /** The file that nginx reads the shared secret from. */
    function sharedSecret(): string {
      return path.join(server.rules, 'PROXY_SECRET.map');
    }

    /** The name of the theme that a user gets. */
    async function themeOf(user: string): Promise<unknown> {
      const { body } = await send(server.port, { path: CONFIG, headers: { Cookie: `uid=${user}` } });
      return (JSON.parse(body) as { name: unknown }).name;
    }
  });

async function git(site: SiteFolder, ...args: string[]): Promise<void> {
  const author = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.org', '-c', 'commit.gpgsign=false'];
  await run('git', [...author, ...args], { cwd: site.root });
}

/** A repository with the generator installed in it. */
async function makeRepository({ port, target }: DeployServer): Promise<SiteFolder> {
  const site = await makeSite({
    site: {
      base_url: `http://127.0.0.1:${port}`,
      origin: { listen: `127.0.0.1:${port}`, document_root: `${target}/dist` },
      identity: [
        { user: { header: 'X-Remote-User', shared_secret: { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' } } },
        { user: { cookie: 'uid' } },
      ],
    },
    themes: { harbor: {}, meadow: {} },
    // A long key takes larger hash tables: `hash.conf`.
    users: [
      ['tom', 'meadow'],
      ['auth0|firstname.lastname+community@department.example.org', 'meadow'],
    ],
    files: {
      '.gitignore': 'node_modules/\n',
      'package.json': '{"name": "themes", "private": true}\n',
      // Committed files under the names of output and its state.
      'dist/evil.html': 'evil',
      'edge/nginx/evil.conf': 'evil',
      '.cache/evil': 'evil',
    },
  });
  // A lock of another machine, which will never release it.
  await symlink('{"id":"x","pid":1,"host":"elsewhere","since":"2020"}', path.join(site.root, '.dist.lock'));
  await git(site, 'init', '--quiet', '--initial-branch=main');
  await git(site, 'add', '--all');
  await git(site, 'commit', '--quiet', '--message', 'Themes');
  const bin = path.join(site.root, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  const themecast = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  await writeFile(path.join(bin, 'themecast'), themecast, { mode: 0o755 });
  return site;
}
