import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../command-line.ts';
import { type LiveSite, netlify, startLiveSite } from '../deploy/live-site.ts';
import { Repository } from '../deploy/repository.ts';
import { installed } from '../hosts/process.ts';
import { squareSvg } from '../images.ts';
import { skipAll } from '../skip.ts';

const execute = promisify(execFile);
const SECRETS = { NETLIFY_AUTH_TOKEN: 'token', NETLIFY_SITE_ID: 'site' };

// `deploy.sh` of Netlify calls curl. Netlify's tool is a stub.
if (installed('curl', '--version') === undefined) skipAll('deployments', 'curl is not installed.');
else
  describe('deploy to a host that replaces all files', { timeout: 120_000 }, () => {
    let live: LiveSite;
    let repository: Repository;
    let first = '';

    beforeAll(async () => {
      live = await startLiveSite(netlify);
      repository = await Repository.withMeadow(
        {
          base_url: `http://127.0.0.1:${live.port}`,
          edge: ['netlify'],
        },
        { host: 'netlify', port: live.port, env: { ...live.env, ...SECRETS } },
      );
      first = await repository.commit();
      await repository.build();
    });

    afterAll(async () => {
      await live.stop();
      await repository.remove();
    });

    const calls = (): Promise<string> => readFile(path.join(live.folder, 'calls'), 'utf8').catch(() => '');
    const dryRun = (...flags: string[]) => repository.deploy(['--dry-run', ...flags]);

    it.each([
      [200, 'is no deployment.json (text/html)'],
      [500, 'responds with 500'],
      [403, 'responds with 403'],
    ])('stops if the record responds with %i, except with --first', async (status, reason) => {
      live.respond(status);
      const { code, stderr } = await dryRun();
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(stderr).toContain('add `--first`');
      expect((await dryRun('--first')).code).toBe(0);
      live.respond();
    });

    it('reports a missing host, build, image, secret or commit', async () => {
      const { root } = repository.site;
      const at = (cwd: string, ...args: string[]) => run(['deploy', ...args], { cwd });
      expect((await at(root, 'nginx')).stderr).toContain(
        'This build is for `netlify`. To deploy to `nginx`, add it to `edge` in site.yaml, and build again.',
      );
      expect((await at(root, 'netlify', '--out', 'none')).stderr).toContain('There is no build in none.');
      expect((await at(root, 'netlify', '--edge-out', 'none')).stderr).toContain('There is no build here');
      const unset = '`NETLIFY_AUTH_TOKEN` and `NETLIFY_SITE_ID` are not set.';
      expect(await at(root, 'netlify')).toMatchObject({ code: 2, stderr: expect.stringContaining(unset) as string });
      const plan = await at(root, 'netlify', '--dry-run');
      expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining(`! ${unset}`) as string });
      // Without Git, `build` needs the flag --commit.
      await rename(path.join(root, '.git'), `${root}.git`);
      await run(['build', '--quiet'], { cwd: root });
      expect((await at(root, 'netlify')).stderr).toContain(
        'Commit the themes (`git init && git add --all && git commit -m Themes`) and build again; without Git, build with',
      );
      expect((await run(['build', '--commit', 'main'], { cwd: root })).stderr).toContain('must be its full id');
      expect((await run(['build', '--quiet', '--commit', 'a'.repeat(40)], { cwd: root })).code).toBe(0);
      expect((await dryRun('--first')).stdout).toContain('build  aaaaaaa\n');
      await rename(`${root}.git`, path.join(root, '.git'));
      await repository.build();
    });

    it('runs no script that Git tracks', async () => {
      await repository.git('add', '--force', 'edge/netlify/netlify.toml');
      const { code, stderr } = await dryRun();
      expect([code, stderr]).toEqual([2, expect.stringContaining('Git tracks edge/netlify/netlify.toml')]);
      await repository.git('reset', '--quiet');
    });

    it('retains old images through four deployments, each from an empty checkout', async () => {
      await repository.publish();
      const published = await repository.images(['tom']);
      for (const side of [31, 32, 33, 34]) {
        await repository.commit({ 'themes/harbor/logo.svg': squareSvg(side, side) });
        await repository.git('clean', '-fdxq');
        await repository.publish();
        expect(await repository.missing(published)).toEqual([]);
        for (const name of await repository.images(['tom'])) published.add(name);
      }
      const { retained } = (await repository.record()) as { retained: { path: string }[] };
      const current = await repository.images(['tom']);
      expect(retained.map((image) => `/${image.path}`)).toEqual(
        [...published].filter((name) => !current.has(name)).toSorted(),
      );
      expect(retained.length).toBeGreaterThan(4);
      expect(await calls()).toContain('deploy --prod --no-build --site site --dir ');
    });

    it('does not retain an image that has changed', async () => {
      const { retained } = (await repository.record()) as { retained: { path: string }[] };
      const [corrupted = ''] = retained.map((image) => image.path);
      await repository.git('clean', '-fdxq');
      await writeFile(path.join(live.folder, 'dist', corrupted), 'corrupted');
      const report = await repository.publish();
      expect(report).toContain(`! Not retained: ${corrupted}: is not the image that was published.`);
      expect(await repository.missing([`/${corrupted}`])).toHaveLength(1);
      expect(((await repository.record()) as { retained: unknown[] }).retained).toHaveLength(retained.length - 1);
    });

    it('rejects a live commit that is not in the clone', async () => {
      await writeFile(
        path.join(live.folder, 'dist/api/v2/theme/deployment.json'),
        (await recordText()).replace(/"commit": "\w+"/, `"commit": "${'0'.repeat(40)}"`),
      );
      const { code, stderr } = await dryRun();
      expect([code, stderr]).toEqual([2, expect.stringContaining('is not in this clone. Run `git fetch`')]);
      expect((await dryRun('--allow-older')).code).toBe(0);
    });

    it('knows the commits before an artifact without Git', async () => {
      const { root } = repository.site;
      const file = path.join(live.folder, 'dist/api/v2/theme/deployment.json');
      const before = await recordText();
      await repository.build();
      const head = (await execute('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
      await rename(path.join(root, '.git'), `${root}.git`);
      const cases = [
        [head, 0],
        [first, 0],
        ['0'.repeat(40), 1],
      ] as const;
      for (const [commit, code] of cases) {
        await writeFile(file, before.replace(/"commit": "\w+"/, `"commit": "${commit}"`));
        expect((await dryRun()).code, commit).toBe(code);
      }
      expect((await dryRun()).stderr).toContain('is newer than this commit');
      await rename(`${root}.git`, path.join(root, '.git'));
      await writeFile(file, before);
    });

    function recordText(): Promise<string> {
      return readFile(path.join(live.folder, 'dist/api/v2/theme/deployment.json'), 'utf8');
    }
  });
