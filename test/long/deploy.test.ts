import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../command-line.ts';
import { type DeployServer, missing, startDeployServer } from '../deploy/server.ts';
import { runJob, type Runner } from '../deploy/workflow.ts';
import { send } from '../hosts/contract/send.ts';
import { reportMissing } from '../hosts/process.ts';
import { makeSite, readTree, removeSite, type SiteFolder, treeHashes } from '../site-folder.ts';

const run = promisify(execFile);
const CONFIG = '/api/v2/theme/config/';

const SECRETS = { PROXY_SECRET: 'proxy-secret-0123456789-abcdefghijklmn' };

/** The states of the repository, as tags. */
type State = 'meadow' | 'nightfall';

if (missing.length > 0) reportMissing(missing.join(', '), 'the shipped workflow is not run');
else
  describe('deploy.yml', { timeout: 300_000 }, () => {
    let server: DeployServer;
    let site: SiteFolder;
    let runner: Omit<Runner, 'temp'>;
    /** The result of the first deployment, into an empty target. */
    let first: { files: string[]; modes: string[]; dist: Record<string, string>; themes: unknown[] };

    beforeAll(async () => {
      server = await startDeployServer();
      site = await makeRepository(server);
      runner = { repository: site.root, settings: { ...server.settings, ...SECRETS } };
      // By the administrator, before the first deployment.
      await mkdir(server.rules, { mode: 0o700 });
      await writeFile(sharedSecret(), `"~^${SECRETS.PROXY_SECRET}$" 1;\n`, { mode: 0o600 });
      await deploy('meadow');
      first = {
        files: [...(await readTree(server.target)).keys(), ...(await readdir(server.rules))],
        modes: await Promise.all(
          [
            path.join(server.target, 'dist'),
            path.join(server.target, 'dist/manifest.json'),
            path.join(server.target, 'edge/nginx/users.map'),
            path.join(server.rules, 'users.map'),
            server.rules,
          ].map(async (file) => ((await stat(file)).mode & 0o777).toString(8)),
        ),
        dist: await dist(),
        themes: await Promise.all(['tom', 'ann'].map(themeOf)),
      };
    }, 300_000);

    afterAll(async () => {
      await server.stop();
      await removeSite(site);
    });

    it('deploys documents, images and rules into an empty target', () => {
      expect(first.themes).toEqual(['meadow', 'harbor']);
      expect(first.files).toContain('theme-service.conf');
    });

    it('uploads no committed output', () => {
      expect(first.files.filter((file) => /evil|history/.test(file))).toEqual([]);
    });

    it('lets only the owner read the mapping', () => {
      expect(first.modes).toEqual(['755', '644', '600', '600', '700']);
    });

    it('changes nothing when it is run again', async () => {
      await deploy('meadow');
      const media = path.join(server.target, 'dist/media/harbor');
      const inodes = async (): Promise<number[]> =>
        Promise.all((await readdir(media)).toSorted().map(async (file) => (await stat(path.join(media, file))).ino));
      // But for the time in deployment.json.
      const files = async (): Promise<object> => ({ ...(await dist()), 'api/v2/theme/deployment.json': '' });
      const before = { files: await files(), inodes: await inodes() };
      await deploy('meadow');
      expect({ files: await files(), inodes: await inodes() }).toEqual(before);
    });

    it('preserves the shared secrets that an administrator has put beside the rules', async () => {
      await deploy('nightfall');
      expect(await readFile(sharedSecret(), 'utf8')).toContain(SECRETS.PROXY_SECRET);
      expect((await stat(sharedSecret())).mode & 0o777).toBe(0o600);
    });

    it('fails if it cannot request the service as a user, for want of a secret', async () => {
      const { code, stdout } = await runJob({ ...runner, settings: server.settings });
      expect([code, stdout]).toEqual([1, expect.stringContaining('PROXY_SECRET')]);
    });

    it('fails if nginx rejects the rules, and leaves the old ones in place', async () => {
      await deploy('nightfall');
      const rules = await treeHashes(server.rules);
      const settings = path.join(site.themesDir, 'site.yaml');
      const text = await readFile(settings, 'utf8');
      await writeFile(settings, text.replace(`127.0.0.1:${server.port}",`, '999.0.0.1:80",'));
      expect(await readFile(settings, 'utf8')).not.toBe(text);
      const { code, stderr } = await runJob(runner);
      expect(code).not.toBe(0);
      expect(stderr).toContain('999.0.0.1');
      expect(await treeHashes(server.rules)).toEqual(rules);
      expect(await themeOf('amy')).toBe('nightfall');
    });

    /** The file that nginx reads the shared secret from. */
    function sharedSecret(): string {
      return path.join(server.rules, 'PROXY_SECRET.map');
    }

    /** Runs the workflow on a state of the repository. */
    async function deploy(state: State): Promise<void> {
      await git(site, 'checkout', '--quiet', '--force', state);
      const { code, stdout, stderr } = await runJob(runner);
      expect(code, stdout + stderr).toBe(0);
    }

    /** The name of the theme that a user gets. */
    async function themeOf(user: string): Promise<unknown> {
      const { body } = await send(server.port, { path: CONFIG, headers: { Cookie: `uid=${user}` } });
      return (JSON.parse(body) as { name: unknown }).name;
    }

    function dist(): Promise<Record<string, string>> {
      return treeHashes(path.join(server.target, 'dist'));
    }
  });

async function git(site: SiteFolder, ...args: string[]): Promise<void> {
  const author = ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.org', '-c', 'commit.gpgsign=false'];
  await run('git', [...author, ...args], { cwd: site.root });
}

/** A repository with both states, and the generator installed in it. */
async function makeRepository({ port, target }: DeployServer): Promise<SiteFolder> {
  const fields = {
    base_url: `http://127.0.0.1:${port}`,
    origin: { listen: `127.0.0.1:${port}`, document_root: `${target}/dist` },
    identity: [
      { user: { header: 'X-Remote-User', shared_secret: { header: 'X-Proxy-Secret', env: 'PROXY_SECRET' } } },
      { user: { cookie: 'uid' } },
    ],
  };
  const site = await makeSite({
    site: fields,
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
      '.dist.history.json': '{"version":1,"releases":[],"retired":[],"pending":"00000000-0000-4000-8000-000000000000"}',
    },
  });
  // A lock of another machine, which will never release it.
  await symlink('{"id":"x","pid":1,"host":"elsewhere","since":"2020"}', path.join(site.root, '.dist.lock'));
  const commit = async (state: State): Promise<void> => {
    await git(site, 'add', '--all');
    await git(site, 'commit', '--quiet', '--message', state);
    await git(site, 'tag', state);
  };
  await git(site, 'init', '--quiet', '--initial-branch=main');
  await commit('meadow');

  const changed = await makeSite({
    site: fields,
    themes: { harbor: {}, nightfall: { fields: { id: 3 } } },
    users: [
      ['tom', 'nightfall'],
      ['amy', 'nightfall'],
    ],
  });
  await rm(site.themesDir, { recursive: true });
  await rename(changed.themesDir, site.themesDir);
  await removeSite(changed);
  await commit('nightfall');

  const bin = path.join(site.root, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  const themecast = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  await writeFile(path.join(bin, 'themecast'), themecast, { mode: 0o755 });
  return site;
}
