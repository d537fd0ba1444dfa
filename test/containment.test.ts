import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { longCases } from './long-test.ts';
import type { Command } from '../src/system/command-line/command.ts';
import { parseCall } from '../src/system/command-line/parse.ts';
import { applyEdits } from '../src/commands/dev/edits/file-edits.ts';
import { run as runBin, startServer } from './command-line.ts';
import { commands } from './commands.ts';
import { record, startFakeService } from './import/service.ts';
import { copySite, makeSite, removeSite, type SiteFolder, treeHashes } from './site-folder.ts';

const ID = '00000000-0000-4000-8000-000000000000';

let site: SiteFolder;
let outside: string;
const at = (...names: string[]): string => path.join(site.root, ...names);
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: site.root,
    encoding: 'utf8',
  });

beforeEach(async () => {
  site = await makeSite({ site: { base_url: 'https://community.example.org', edge: ['nginx'] } });
  outside = await mkdtemp(path.join(tmpdir(), 'themecast-outside-'));
  await mkdir(path.join(outside, 'harbor'));
  await writeFile(path.join(outside, 'harbor/private.txt'), 'private', { mode: 0o600 });
  await writeFile(path.join(outside, 'index.html'), 'theirs');
  await chmod(path.join(outside, 'harbor'), 0o751);
});

afterEach(async () => {
  for (const folder of [site.root, outside]) await rm(folder, { recursive: true, force: true });
});

async function build(...flags: string[]): ReturnType<typeof runBin> {
  return runBin(['build', ...flags], { cwd: site.root });
}

function commitEverything(): void {
  git('init', '--quiet');
  git('add', '--force', '.');
  git('commit', '--quiet', '--message', 'everything');
}

/** Returns the files outside the site, with names and modes, which no command may change. */
async function outsideState(): Promise<unknown> {
  const { mode } = await stat(path.join(outside, 'harbor'));
  return { files: await treeHashes(outside), mode, names: await readdir(outside) };
}

describe('hostile state in a repository', () => {
  test('a forged publication moves and removes nothing outside the output', async () => {
    for (const tree of ['dist', 'edge']) {
      await mkdir(at(tree, `.themecast-${ID}/files/media`), { recursive: true });
      await writeFile(at(tree, `.themecast-${ID}/files/media/index.html`), 'planted');
      await symlink(outside, at(tree, 'media'));
    }
    const before = await outsideState();
    const { code, stderr } = await build();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('dist contains files that themecast did not make'),
    });
    expect(await outsideState()).toEqual(before);
  });

  test.each([
    ['dist', 'dist is not a folder'],
    ['dist/api', 'is not a folder, but a folder is needed there. Move it away'],
    ['edge/nginx', 'is not a folder, but a folder is needed there. Move it away'],
    ['.cache', '.cache is a link, and links in a checkout are not followed'],
  ])('a link in place of %s is rejected', async (place, message) => {
    await build('--cache', '.cache');
    await rm(at(place), { recursive: true });
    await symlink(outside, at(place));
    const before = await outsideState();
    const { code, stderr } = await build('--cache', '.cache');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(await outsideState()).toEqual(before);
  });

  test('a link in the path of an output folder is rejected', async () => {
    await mkdir(at('.git'));
    await symlink(outside, at('public'));
    const { code, stderr } = await build('--out', 'public/site');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('public is a link, and links in a checkout are not followed. Remove it'),
    });
    expect(await readdir(outside)).toEqual(['harbor', 'index.html']);
  });

  test('committed output is reported, and a committed lock stops the build, with how to remove it', async () => {
    await build();
    commitEverything();
    const { code, stdout } = await build();
    expect(code).toBe(0);
    for (const place of ['dist', 'edge']) {
      expect(stdout).toContain(
        `Git tracks \`${place}\`, which ${place === 'edge' ? 'contains user keys' : 'a build writes'}`,
      );
      expect(stdout).toContain(`git rm -r --cached ${place}`);
    }
    await symlink(
      JSON.stringify({ id: ID, pid: 1, host: 'elsewhere', since: '2020-01-01T00:00:00Z' }),
      at('.dist.lock'),
    );
    commitEverything();
    expect(await build()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /process 1 on elsewhere[^]*Git tracks `\.dist\.lock`[^]*git rm -r --cached \.dist\.lock/,
      ),
    });
  });

  test('a report is not written to a named pipe, which would wait for a reader', async () => {
    execFileSync('mkfifo', [at('page.html')]);
    const { code, stderr } = await runBin(['diff', './themes', '--html', 'page.html'], { cwd: site.root });
    expect([code, stderr]).toEqual([2, expect.stringContaining('`page.html` is not a regular file')]);
  });

  test('a link among the published files is not served', async () => {
    await build();
    const media = (await readdir(at('dist/media/harbor'))).find((name) => name.endsWith('.svg')) ?? '';
    for (const file of [`dist/media/harbor/${media}`, 'dist/api/v2/theme/config/harbor.json']) {
      await rm(at(file));
      await symlink(path.join(outside, 'index.html'), at(file));
    }
    const server = await startServer(['serve'], { cwd: site.root });
    const response = await fetch(`${server.url}/media/harbor/${media}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toBe('theirs');
    await server.stop();
  });
});

describe('a link at any path that a command writes', () => {
  type Writer = (root: string) => Promise<unknown>;
  const command =
    (name: string, ...args: readonly string[]): Writer =>
    async (root) => {
      const definition: Command | undefined = commands[name];
      if (definition === undefined) throw new Error(`There is no command ${name}.`);
      const call = parseCall(
        name,
        definition,
        args.map((arg) => arg.replace('ROOT', root)),
      );
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      return definition.run(call.flags, call.argument, call.second, async () => 0).finally(() => vi.restoreAllMocks());
    };
  const THEMES = ['--themes', 'ROOT/themes'];
  const applyForm: Writer = async (root) => {
    const read = (name: string): Promise<Buffer> => readFile(path.join(root, 'themes', name));
    await applyEdits(path.join(root, 'themes'), [
      { name: 'wood/theme.yaml', after: Buffer.from('name: Wood\n') },
      { name: 'harbor/logo.svg', before: await read('harbor/logo.svg') },
      { name: 'harbor/theme.yaml', before: await read('harbor/theme.yaml'), after: Buffer.from('name: Wood\n') },
    ]);
  };
  const importThemes: Writer = async (root) => {
    // The contents of a checkout are committed, including links.
    const git = (...args: string[]): unknown => spawnSync('git', args, { cwd: root });
    for (const args of [['init'], ['add', '--all'], ['-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-mx']])
      git(...args);
    const images = ['favicon', 'logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse', 'logo_site'];
    const banners = ['default_group_banner', 'default_event_banner', 'default_user_profile_banner'];
    const service = await startFakeService();
    service.records = [record(7, Object.fromEntries([...images, ...banners].map((field) => [field, null])))];
    await runBin(['import', service.url], { cwd: root });
    await service.close();
  };

  test.each([
    ['init', command('init', 'ROOT', '--name', 'Club', '--ci', 'github')],
    ['new', command('new', 'Wood', ...THEMES)],
    ['init --schemas', command('init', '--schemas', ...THEMES)],
    ...longCases<[string, typeof importThemes]>(['import', importThemes]),
    ['diff --html', command('diff', 'ROOT/themes', ...THEMES, '--html', 'ROOT/reports/report.html')],
    ['dev', applyForm],
  ])('is not followed by %s', { timeout: 120_000 }, async (_, write) => {
    await mkdir(at('reports'));
    await mkdir(at('.git'));
    const pristine = await copySite(site);
    const before = await treeHashes(site.root);
    await write(site.root);
    const after = await treeHashes(site.root);
    const names = Object.keys({ ...before, ...after }).filter((name) => !name.startsWith('.git/'));
    const written = names.filter((file) => before[file] !== after[file]);
    // Tries only the first file of each folder, to save time.
    const files = [...new Map(written.toReversed().map((name) => [path.dirname(name), name])).values()];
    const folders = files.flatMap((name) => name.split('/').map((__, step, steps) => steps.slice(0, step).join('/')));
    expect(files.length).toBeGreaterThan(0);
    for (const place of new Set([...files, ...folders].filter((name) => name !== ''))) {
      await rm(site.root, { recursive: true });
      await rm(outside, { recursive: true });
      await cp(pristine.root, site.root, { recursive: true });
      const [linkTarget, isFolder] = [path.join(outside, 'theirs'), folders.includes(place)];
      await mkdir(path.join(outside, isFolder ? 'theirs/.git' : ''), { recursive: true }); // looks like a checkout
      await cp(at(place), linkTarget, { recursive: true }).catch(() => undefined);
      await rm(at(place), { recursive: true, force: true });
      await mkdir(path.dirname(at(place)), { recursive: true });
      await symlink(linkTarget, at(place));
      const names = await readdir(outside, { recursive: true });
      const hashes = await treeHashes(outside);
      await write(site.root).catch((error: unknown) => expect(error).not.toBeInstanceOf(TypeError));
      expect([place, await treeHashes(outside), await readdir(outside, { recursive: true })]).toEqual([
        place,
        hashes,
        names,
      ]);
    }
    await removeSite(pristine);
  });
});
