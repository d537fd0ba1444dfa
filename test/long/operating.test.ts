import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Repository } from '../deploy/repository.ts';
import { type DeployServer, missing, startDeployServer } from '../deploy/server.ts';
import { codeBlocks, readPage } from '../docs/pages.ts';
import { skip, skipAll } from '../skip.ts';

const PAGE = readPage('docs/operating.md');

if (missing.length > 0)
  skipAll('the page on operating', 'nginx, rsync and sshd are not all installed, so nothing is deployed by ssh.');
else
  describe('docs/operating.md, on a server with nginx', { timeout: 120_000 }, () => {
    let server: DeployServer;
    let repository: Repository;
    let first = '';

    beforeAll(async () => {
      server = await startDeployServer();
      const listen = `127.0.0.1:${server.port}`;
      repository = await Repository.withMeadow(
        {
          base_url: `http://${listen}`,
          origin: { listen, document_root: `${server.target}/dist` },
        },
        server,
      );
      first = await repository.commit();
      await repository.publish();
    });
    afterAll(async () => {
      await server.stop();
      await repository.remove();
    });

    const used = new Set<string>();
    /** Returns the block of the page that starts with a text, with the paths and addresses of this test. */
    const block = (language: string, start: string): string => {
      const code = codeBlocks(PAGE, language).find((candidate) => candidate.startsWith(start)) ?? '';
      expect(code).not.toBe('');
      used.add(code);
      return code
        .replaceAll('/srv/themecast', server.target)
        .replaceAll('/var/log/nginx', server.folder)
        .replaceAll('https://community.example.org', `http://127.0.0.1:${server.port}`);
    };
    const runScript = (script: string): string => {
      const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
        encoding: 'utf8',
        env: { ...process.env, ...server.env },
      });
      expect(status, stderr).toBe(0);
      return stdout;
    };
    const nginx = (...args: string[]): string => runScript([path.join(server.folder, 'bin/nginx'), ...args].join(' '));

    it('logs the theme and the response of a request, without the key', async () => {
      const conf = path.join(server.folder, 'etc/nginx.conf');
      const text = await readFile(conf, 'utf8');
      await writeFile(conf, text.replace('access_log off;', block('nginx', 'log_format')));
      nginx('-t');
      nginx('-s', 'reload');
      const log = (): Promise<string> => readFile(path.join(server.folder, 'themes.log'), 'utf8').catch(() => '');
      await expect
        .poll(async () => (await repository.themeOf('tom'), log()), { timeout: 120_000 })
        .toMatch(/ 200 config_json theme=meadow "GET /);
      await repository.themeOf('ann');
      await expect.poll(log).toMatch(/ 200 config_json theme= "GET /);
      expect(await log()).not.toContain('tom');
    });

    it('prints the commit that is live', () => {
      expect(runScript(block('text', 'curl'))).toContain(`"commit": "${first}"`);
    });

    it('rolls back on the server, and forward again', async () => {
      const second = await repository.commit({ 'themes/users.csv': 'user,theme\ntom,harbor\n' });
      await repository.publish();
      const back = block('text', 'sh ');
      for (const [commit, theme] of [
        [first, 'meadow'],
        [second, 'harbor'],
        [first, 'meadow'],
      ]) {
        runScript(back);
        expect(await repository.record()).toMatchObject({ commit });
        await expect.poll(() => repository.themeOf('tom')).toBe(theme);
      }
    });

    it('removes a theme immediately, and a deployment restores it', async () => {
      expect(await repository.themeOf('tom')).toBe('meadow');
      runScript(block('text', 'rm '));
      expect(await repository.themeOf('tom')).toBe('harbor');
      // `deploy` prints these commands, with the commit before.
      expect(block('text', 'git checkout')).toMatch(/ build && npx themecast deploy nginx --allow-older\n$/);
      await repository.git('checkout', '--quiet', first);
      await repository.publish();
      expect(await repository.themeOf('tom')).toBe('meadow');
    });

    it('deploys to several servers', async () => {
      const command = block('text', 'DEPLOY_SERVER=').replaceAll(/deploy@[\w.]+/g, server.env['DEPLOY_SERVER'] ?? '');
      const [, value = ''] = /^DEPLOY_SERVER='([^']+)' npx themecast deploy nginx$/m.exec(command) ?? [];
      expect((await repository.deploy([], { DEPLOY_SERVER: value })).code).toBe(0);
    });

    it('labels the documents for SELinux', (context) => {
      const labels = block('text', 'semanage');
      if (spawnSync('semanage', ['--help']).status !== 0) skip(context, 'semanage is not installed.');
      runScript(labels);
    });

    it('has no untested block', () => {
      const blocks = [...codeBlocks(PAGE, 'text'), ...codeBlocks(PAGE, 'nginx')];
      expect(blocks.filter((code) => !used.has(code))).toEqual([]);
    });
  });
