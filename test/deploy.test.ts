import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, run } from './command-line.ts';
import { longTest } from './long-test.ts';
import { Repository } from './deploy/repository.ts';
import { type DeployServer, failing, interrupting, missing, startDeployServer, waiting } from './deploy/server.ts';
import { squareSvg } from './images.ts';
import { skipAll } from './skip.ts';
import { treeHashes } from './site-folder.ts';

const RECORD = 'api/v2/theme/deployment.json';

if (missing.length > 0)
  skipAll('deployments by ssh', 'nginx, rsync and sshd are not all installed, so nothing is deployed by ssh.');
else
  describe('deploy to nginx by ssh', { timeout: 120_000 }, () => {
    let server: DeployServer;
    let repository: Repository;
    /** The commits, and the output of the first deployment. */
    let [first, second, output] = ['', '', ''];

    beforeAll(async () => {
      server = await startDeployServer();
      repository = await Repository.withMeadow(
        {
          base_url: `http://127.0.0.1:${server.port}`,
          origin: { listen: `127.0.0.1:${server.port}`, document_root: `${server.target}/dist` },
        },
        server,
      );
      first = await repository.commit();
      output = await repository.publish();
    });

    afterAll(async () => {
      await server.stop();
      await repository.remove();
    });

    const live = (): Promise<Record<string, string>> => treeHashes(server.target);
    it('deploys into an empty folder, and prints the live commit', async () => {
      expect(output).toContain('live   unknown');
      expect(output).toContain(`✔ ${first.slice(0, 7)} (since `);
      expect(output).toMatch(/^✔ deployment +[0-9a-f]{7} \(since .* UTC\)$/m);
      expect(await repository.themeOf('tom')).toBe('meadow');
      expect(await repository.record()).toMatchObject({ commit: first, retained: [] });
    });

    it('keeps foreign files on the server, and uploads only files of the build', async () => {
      const foreignFiles = [
        'dist/blog/index.html',
        'dist/.ssh/authorized_keys',
        'dist/api/v2/theme/notes.txt',
        'dist/media/a.txt',
      ];
      for (const name of foreignFiles) {
        await mkdir(path.dirname(path.join(server.target, name)), { recursive: true });
        await writeFile(path.join(server.target, name), name);
      }
      // A manifest that lists foreign files must not cause their deletion.
      const manifest = path.join(server.target, 'dist/api/v2/theme/manifest.json');
      const rows = [
        'blog/index.html',
        '.ssh/authorized_keys',
        'api/v2/theme/../../../blog/index.html',
        '/etc/hostname',
      ];
      const lines = rows.map((name) => `    {"path":"${name}","bytes":1}`).join('\n');
      await writeFile(manifest, `${await readFile(manifest, 'utf8')}\n${lines}\n`);
      // Only the manifest decides which files belong to a build.
      const planted = ['dist/media/harbor/page.html', 'dist/page.html'];
      for (const name of planted) await writeFile(path.join(repository.site.root, name), '<script>');
      await repository.publish();
      for (const name of planted) await expect(stat(path.join(server.target, name))).rejects.toThrow('ENOENT');
      for (const name of planted) await rm(path.join(repository.site.root, name));
      for (const name of foreignFiles) expect(await readFile(path.join(server.target, name), 'utf8')).toBe(name);
      for (const name of foreignFiles) await rm(path.join(server.target, name));
    });

    it('rejects a folder on the server that contains foreign files, and changes nothing', async () => {
      const foreign = path.join(server.target, 'www');
      await mkdir(path.join(foreign, 'blog'), { recursive: true });
      await writeFile(path.join(foreign, 'blog/index.html'), 'a page');
      const site = path.join(repository.site.themesDir, 'site.yaml');
      const text = await readFile(site, 'utf8');
      await writeFile(site, text.replaceAll(`${server.target}/dist`, foreign));
      const before = await live();
      await repository.build();
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${foreign} has files of others. Empty it, or choose`),
      ]);
      expect(await live()).toEqual(before);
      await rm(foreign, { recursive: true });
      await writeFile(site, text);
      await repository.build();
    });

    it('removes the leftovers of an interrupted deployment of another build', async () => {
      // The interruption comes after the documents and before the manifest.
      await cp(path.join(repository.site.themesDir, 'meadow'), path.join(repository.site.themesDir, 'spring'), {
        recursive: true,
      });
      const yaml = path.join(repository.site.themesDir, 'spring/theme.yaml');
      await writeFile(yaml, (await readFile(yaml, 'utf8')).replace(/^id: .*$/m, 'id: 7'));
      await repository.build();
      const PATH = `${await interrupting(server)}:${process.env['PATH']}`;
      expect(await repository.deploy([], { PATH })).toMatchObject({ code: 1 });
      const leftover = path.join(server.target, 'dist/api/v2/theme/config/spring.json');
      expect((await stat(leftover)).isFile()).toBe(true);
      await rm(path.join(repository.site.themesDir, 'spring'), { recursive: true });
      await repository.publish();
      await expect(stat(leftover)).rejects.toThrow('ENOENT');
      expect((await readdir(server.target)).filter((name) => name.startsWith('.dist'))).toEqual(['.dist.previous']);
    });

    it('makes public files readable by everyone, and the mapping only by the owner', async () => {
      const modes = ['dist', `dist/${RECORD}`, 'edge/nginx', 'edge/nginx/users.map'].map(async (file) =>
        ((await stat(path.join(server.target, file))).mode & 0o777).toString(8),
      );
      expect(await Promise.all(modes)).toEqual(['755', '644', '700', '600']);
      expect(((await stat(path.join(server.rules, 'users.map'))).mode & 0o777).toString(8)).toBe('600');
    });

    it('changes nothing with --dry-run, and prints the commands', async () => {
      const before = await live();
      const { code, stdout } = await repository.deploy(['--dry-run']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('web-server.sh, which is part of themecast')]);
      expect(await live()).toEqual(before);
    });

    it('deploys a change, and retains images of cached documents', async () => {
      const old = await repository.images(['tom']);
      await rm(path.join(repository.site.themesDir, 'meadow'), { recursive: true });
      second = await repository.commit({
        'themes/users.csv': 'user,theme\nann,harbor\n',
        'themes/harbor/logo.svg': squareSvg(31, 31),
      });
      expect((await repository.deploy(['--dry-run'])).stdout).toContain(
        `! ${second.slice(0, 7)} is checked out, and this build is of ${first.slice(0, 7)}.`,
      );
      const report = await repository.publish();
      expect(report).toContain(`git checkout ${first} && themecast build && themecast deploy nginx --allow-older`);
      expect(await repository.themeOf('tom')).toBe('harbor');
      expect(await repository.missing(old)).toEqual([]);
      const current = await repository.images(['tom']);
      const { retained } = (await repository.record()) as { retained: { path: string }[] };
      expect(retained.map((image) => `/${image.path}`)).toEqual(
        [...old].filter((name) => !current.has(name)).toSorted(),
      );
      expect((await readdir(path.join(server.target, 'dist/api/v2/theme/config'))).join()).not.toContain('meadow');
    });

    longTest('rejects an older commit, but deploys it with --allow-older', async () => {
      const before = await live();
      await repository.git('checkout', '--quiet', first);
      await repository.build();
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${second.slice(0, 7)} (since`)]);
      expect(stderr).toContain(`is newer than this commit, ${first.slice(0, 7)}`);
      expect(await live()).toEqual(before);
      await repository.publish('--allow-older');
      expect(await repository.themeOf('tom')).toBe('meadow');
      await repository.git('checkout', '--quiet', 'main');
    });

    longTest('keeps the live files if an upload fails or another deployment came first', async () => {
      await repository.build();
      const before = await live();
      for (const calls of [0, 1, 2]) {
        const PATH = `${await failing('rsync', calls, server.folder)}:${process.env['PATH']}`;
        const { code, stderr } = await repository.deploy([], { PATH });
        expect([code, stderr]).toEqual([1, expect.stringContaining('The live site still works')]);
        expect(await withoutNewImages(before)).toEqual(before);
      }
      // A concurrent deployment changes the record, which is compared again under the lock.
      const record = path.join(server.target, 'dist', RECORD);
      const text = await readFile(record, 'utf8');
      const bin = path.join(server.folder, 'bin-of-another');
      await mkdir(bin);
      const rsync = `#!/bin/sh\nprintf '{}' >'${record}'\nexec /usr/bin/rsync "$@"\n`;
      await writeFile(path.join(bin, 'rsync'), rsync, { mode: 0o755 });
      const { code, stderr } = await repository.deploy([], { PATH: `${bin}:${process.env['PATH']}` });
      await writeFile(record, text);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/✘ Another deployment came first[.:]/)]);
      expect(stderr).toMatch(/\nRun `.*deploy nginx` again; /);
      expect(await withoutNewImages(before)).toEqual(before);
      await repository.publish(); // the newer commit, which the next tests expect
    });

    it('rolls back on the server, rolls forward, and deletes the previous copy', async () => {
      const state = async (): Promise<unknown[]> => [
        await repository.record(),
        await repository.themeOf('tom'),
        await treeHashes(path.join(server.target, 'dist/api')),
      ];
      const after = await state();
      const rollBack = (): void => {
        const script = path.join(server.target, 'edge/nginx/publish.sh');
        const env = { ...process.env, ...server.env };
        const { status, stderr } = spawnSync('sh', [script, path.join(server.target, 'dist'), 'nginx'], { env });
        expect(status, stderr.toString()).toBe(0);
      };
      rollBack();
      expect(await repository.record()).toMatchObject({ commit: first });
      await expect.poll(() => repository.themeOf('tom')).toBe('meadow');
      rollBack();
      await expect.poll(() => repository.themeOf('tom')).toBe('harbor');
      expect(await state()).toEqual(after);
      await repository.publish('--forget-previous');
      expect((await readdir(server.target)).toSorted()).toEqual(['.deploy.lock', 'dist', 'edge']);
    });

    it('replaces rules that were edited on the server', async () => {
      const map = path.join(server.rules, 'users.map');
      const text = await readFile(map, 'utf8');
      await writeFile(map, text.replace(/ann/, 'eve'));
      await repository.publish();
      expect(await readFile(map, 'utf8')).toBe(text);
    });

    it('lists uncommitted themes', async () => {
      await cp(path.join(repository.site.themesDir, 'harbor'), path.join(repository.site.themesDir, 'spring'), {
        recursive: true,
      });
      const logo = path.join(repository.site.themesDir, 'harbor/logo.svg');
      const text = await readFile(logo);
      await writeFile(logo, squareSvg(17, 17));
      const { stdout } = await repository.deploy(['--dry-run']);
      expect(stdout).toContain(
        `! themes is not exactly ${second.slice(0, 7)}, and this build may not be: harbor/logo.svg, spring/.`,
      );
      await writeFile(logo, text);
      await rm(path.join(repository.site.themesDir, 'spring'), { recursive: true });
    });

    it('deploys copied folders, unless they are damaged or of different builds', async () => {
      const { root } = repository.site;
      const [out, edge] = [path.join(server.folder, 'dist'), path.join(server.folder, 'edge')];
      await cp(path.join(root, 'dist'), out, { recursive: true });
      await cp(path.join(root, 'edge'), edge, { recursive: true });
      await writeFile(path.join(out, 'manifest.json'), `${await readFile(path.join(out, 'manifest.json'), 'utf8')}\n`);
      const deployCopy = (...flags: string[]) =>
        run(['deploy', 'nginx', '--out', out, '--edge-out', edge, ...flags], { cwd: server.folder, env: server.env });
      expect(await deployCopy()).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`is not of the build in ${edge}, which is of ${second.slice(0, 7)}.`),
      });
      await cp(path.join(root, 'dist/manifest.json'), path.join(out, 'manifest.json'));
      const list = path.join(out, 'api/v2/theme/index.json');
      await appendFile(list, ' ');
      await rm(path.join(out, 'api/v2/theme/config/harbor.json'));
      expect(await deployCopy('--dry-run')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/ are missing or damaged: .*theme\/index\.json, .*config\/harbor\.json/),
      });
      await cp(path.join(root, 'dist'), out, { recursive: true });
      expect(await deployCopy('--dry-run')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('! ') });
      const { code, stderr } = await deployCopy();
      expect([code, stderr]).toEqual([0, '']);
      for (const folder of [out, edge]) await rm(folder, { recursive: true });
    });

    /** Starts a deployment, and sends it a signal. @param isReady - whether it is time, after what was printed so far */
    async function interrupt(
      signal: NodeJS.Signals,
      env: Readonly<Record<string, string>>,
      isReady: (printed: string) => boolean,
    ): Promise<{ exit: unknown[]; text: string }> {
      const child = spawn(process.execPath, [BIN, 'deploy', 'nginx'], {
        cwd: repository.site.root,
        env: { ...process.env, ...server.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [text, printed] = ['', ''];
      child.stderr.setEncoding('utf8').on('data', (data: string) => (text += data));
      child.stdout.setEncoding('utf8').on('data', (data: string) => (printed += data));
      const exited = once(child, 'close');
      await expect.poll(() => isReady(printed), { timeout: 120_000, interval: 5 }).toBe(true);
      child.kill(signal);
      return { exit: await exited, text };
    }

    it('stops its script at SIGTERM, and prints the live commit', async () => {
      const before = await repository.record();
      const bin = await waiting('rsync', server.folder);
      const pid = path.join(bin, 'pid');
      const PATH = `${bin}:${process.env['PATH']}`;
      const { exit, text } = await interrupt('SIGTERM', { PATH }, () => existsSync(pid));
      expect(exit).toEqual([143, null]);
      const script = Number(await readFile(pid, 'utf8'));
      expect(() => process.kill(script, 0)).toThrow('ESRCH');
      expect(text).toMatch(/Stopped by SIGTERM\. .* Now live:\n {2}\S+: [0-9a-f]{7} \(since /);
      expect(await repository.record()).toEqual(before);
      expect((await readdir(server.target)).filter((name) => name.includes('.next'))).toEqual([]);
    });

    it('says that nothing was uploaded at SIGINT while it reads what is live', async () => {
      const bin = await waiting('ssh', server.folder);
      const RSYNC_RSH = path.join(bin, 'ssh');
      expect(await interrupt('SIGINT', { RSYNC_RSH }, () => existsSync(path.join(bin, 'pid')))).toEqual({
        exit: [130, null],
        text: '✘ Stopped by SIGINT. Nothing was uploaded.\n',
      });
    });

    it('says what is live at SIGTERM while it verifies, and leaves no folder behind', async () => {
      const TMPDIR = await mkdtemp(path.join(server.folder, 'tmp-'));
      const { exit, text } = await interrupt('SIGTERM', { TMPDIR }, (printed) => printed.includes('Verifying '));
      expect(exit).toEqual([143, null]);
      const { commit } = (await repository.record()) as { commit: string };
      expect(text).toMatch(/Stopped by SIGTERM\. .* Now live:\n {2}\S+: /);
      expect(text).toContain(`: ${commit.slice(0, 7)} (since `);
      expect(await readdir(TMPDIR)).toEqual([]);
      expect((await readdir(server.target)).filter((name) => name.includes('.next'))).toEqual([]);
    });

    it('changes no server while one of several cannot be reached', async () => {
      const before = await live();
      const [DEPLOY_SERVER = '', away] = [server.env['DEPLOY_SERVER'], 'deploy@127.0.0.254'];
      const { code, stderr } = await repository.deploy([], { DEPLOY_SERVER: `${DEPLOY_SERVER} ${away}` });
      expect([code, stderr]).toEqual([1, expect.stringContaining('✘ Nothing was uploaded. Now live:')]);
      expect(stderr).toContain(`${away}: The deployment record cannot be read`);
      expect(await live()).toEqual(before);
    });

    it('changes nothing while the server has another version of themecast-rules', async () => {
      const before = await repository.record();
      const text = await readFile(server.sbin, 'utf8');
      await writeFile(server.sbin, text.replace('echo 2 && exit', 'echo 0 && exit'));
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([2, expect.stringContaining('copy it again from edge/nginx/')]);
      expect(await repository.record()).toEqual(before);
      await writeFile(server.sbin, text);
    });

    longTest('fails if nginx rejects the rules, and keeps the old rules and record', async () => {
      const record = await repository.record();
      const rules = await treeHashes(server.rules);
      const documents = await treeHashes(path.join(server.target, 'dist'));
      const maps = path.join(repository.site.edgeOutDir, 'nginx/maps.conf');
      await writeFile(maps, `${await readFile(maps, 'utf8')}\nno_such_directive;\n`);
      const { code, stderr } = await repository.deploy();
      expect([code, stderr]).toEqual([1, expect.stringContaining('no_such_directive')]);
      expect(await treeHashes(server.rules)).toEqual(rules);
      expect(await treeHashes(path.join(server.target, 'dist'))).toEqual(documents);
      expect(await repository.record()).toEqual(record);
    });

    /** Returns the live files, except new images and the file list of an interrupted deployment. */
    async function withoutNewImages(before: Record<string, string>): Promise<Record<string, string>> {
      const { '.dist.files': _, ...files } = await live();
      return Object.fromEntries(Object.entries(files).filter(([name]) => name in before || !name.includes('/media/')));
    }
  });
