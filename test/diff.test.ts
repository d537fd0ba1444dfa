import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from './long-test.ts';
import { formatMarkdown } from '../src/commands/diff/format-markdown.ts';
import { formatText } from '../src/commands/diff/format-text.ts';
import type { DiffReport } from '../src/commands/diff/report.ts';
import { openBase } from '../src/commands/changes/io/base.ts';
import { compareSites } from '../src/commands/diff/io/compare-sites.ts';
import { openCaches } from '../src/compiler/store/resources.ts';
import { acquireDecoders } from '../src/system/decoder/shared.ts';
import { run } from './command-line.ts';
import { copyFixture } from './fixture.ts';

/** The environment of Git, fixed so that commits have the same ids on every machine. */
const ENV = {
  ...process.env,
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  GIT_AUTHOR_NAME: 'Editor',
  GIT_AUTHOR_EMAIL: 'editor@example.org',
  GIT_COMMITTER_NAME: 'Editor',
  GIT_COMMITTER_EMAIL: 'editor@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

const SITE = `base_url: https://community.example.org
cors: { allowed_origins: ["https://app.example.org"] }
logo_alignments: [left, center, right, justify]
identity:
  - user: { cookie: uid }
  - theme: { host: { sea.example.org: meadow } }
`;
const USERS = Array.from({ length: 20 }, (_, at) => `user-${at},${at < 12 ? 'harbor' : 'meadow'}\n`).join('');

let root = '';
const file = (...names: string[]): string => path.join(root, 'themes', ...names);
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

beforeAll(async () => {
  ({ folder: root } = await copyFixture('valid', 'defaults'));
  await rm(file(), { recursive: true });
  await cp(path.join(import.meta.dirname, 'fixtures/base'), file(), { recursive: true });
  await writeFile(file('site.yaml'), SITE);
  await writeFile(file('users.csv'), `user,theme\n${USERS}`);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'https://github.com/example/themes.git');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Themes');
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

async function edit(name: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file(name), 'utf8');
  const edited = text.replace(from, to);
  expect(edited).not.toBe(text);
  await writeFile(file(name), edited);
}
const append = async (name: string, text: string): Promise<void> =>
  writeFile(file(name), `${(await readFile(file(name), 'utf8')).trimEnd()}\n${text}`);

const CHANGES = path.join(import.meta.dirname, 'fixtures/changes');

/** Copies the files of a change over the themes, and removes the files that its `without.txt` lists. */
async function apply(...names: readonly string[]): Promise<void> {
  const folder = path.join(CHANGES, ...names);
  const without = await readFile(path.join(folder, 'without.txt'), 'utf8').catch(() => '');
  for (const name of without.split('\n').filter(Boolean)) await rm(file(name), { recursive: true });
  await cp(folder, file(), { recursive: true });
  await rm(file('without.txt'), { force: true });
}

const svg = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="16" fill="${colour}"/></svg>\n`;

/** A file name that a host, browser or CI runner might interpret; a backtick escapes from quoting. The unused file adds a warning. */
const HOSTILE_FILE = '` www.evil.example @octocat GH-1 #1 ![x](x) <img src=x onerror=alert(1)>  errorx.svg';

interface Reports {
  report: DiffReport;
  text: string;
  markdown: string;
  isBroken: boolean;
}

let caches: Awaited<ReturnType<typeof openCaches>>;
const { decoders, release } = acquireDecoders();
beforeAll(async () => {
  caches = await openCaches({ themesDir: file() });
});
afterAll(async () => {
  release();
  await caches.cache.close();
});

async function compareWith(base: string): Promise<Reports> {
  const opened = await openBase(base, file());
  try {
    const report = await compareSites(opened, file(), { ...caches, decoders, baseUrl: undefined }, false);
    return {
      report,
      text: formatText(report),
      markdown: formatMarkdown(report),
      isBroken: report.breaking.length > 0,
    };
  } finally {
    await opened.close();
  }
}

describe.each(['breaking', 'harmless', 'hostile'])('a %s change', (kind) => {
  const names = [...readdirSync(path.join(CHANGES, kind)), ...(kind === 'hostile' ? ['hostile-file'] : [])];
  it.each(sampled(names))('%s matches its golden file', async (name) => {
    git('switch', '--quiet', '--force-create', name, 'main');
    // Files to commit before the change, unless it starts from the common base.
    if (existsSync(path.join(CHANGES, kind, name, 'before'))) await apply(kind, name, 'before');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Before');
    const base = git('rev-parse', 'HEAD');
    if (name === 'hostile-file') await writeFile(file('meadow', HOSTILE_FILE), svg('teal'));
    else await apply(kind, name, 'after');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', name);
    try {
      const { text, markdown, isBroken } = await compareWith(base);
      const combined = `${text}\n${'-'.repeat(20)} Markdown\n${markdown}`;
      const output = combined
        .replaceAll(base, 'BASE')
        .replaceAll(base.slice(0, 7), 'BASE')
        .replaceAll(git('rev-parse', 'HEAD'), 'HEAD')
        .replaceAll(git('rev-parse', '--short=7', 'HEAD'), 'HEAD');
      await expect(output).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/diff', `${name}.txt`));
      if (kind !== 'hostile') expect(isBroken).toBe(kind === 'breaking');
      // All authored text is inside `<code>`.
      const textOutsideCode = markdown.replaceAll(/<code>[^<]*<\/code>/g, '');
      expect(textOutsideCode).not.toMatch(/evil|octocat|onerror/);
    } finally {
      git('switch', '--quiet', '--force', 'main');
      git('clean', '--quiet', '--force', '-d');
    }
  });
});

it('limits Markdown to 60 kB, with the most important parts first and no part cut', async () => {
  git('switch', '--quiet', '--force-create', 'work', 'main');
  await writeFile(file('meadow/logo.svg'), svg('teal'));
  await append('meadow/theme.yaml', 'logo_height: 50\n');
  const { report } = await compareWith(git('rev-parse', 'main'));
  git('switch', '--quiet', '--force', 'main');
  const [theme] = report.themes;
  if (theme === undefined) throw new Error('No theme changes.');
  const [change] = theme.changes;
  if (change === undefined) throw new Error('No field changes.');
  const breaking = [{ what: 'default', reason: 'It moves.', remedy: 'Keep it.' }];
  const large = { ...theme, changes: Array.from({ length: 60 }, () => change) };
  for (const themes of [Array.from({ length: 900 }, () => theme), Array.from({ length: 20 }, () => large)]) {
    const markdown = formatMarkdown({ ...report, breaking, themes });
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(40_000);
    expect(markdown.indexOf('It moves')).toBeLessThan(markdown.indexOf('####'));
    expect(markdown).toMatch(/\n\*\*The report is too long for a comment\*\*: the HTML file has all of it\.\n$/);
    const parts = markdown.split(/^#### /m).slice(1);
    const rows = parts.map((part) => part.match(/^- /gm)?.length);
    expect(new Set(rows)).toEqual(new Set([themes[0]?.changes.length]));
  }
});

describe('the command', () => {
  it('compares nothing while a theme has errors, because it would look removed', async () => {
    await append('meadow/theme.yaml', 'logo_height: tall\n');
    expect(await run(['diff', 'main'], { cwd: root })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^✘ Nothing was compared: `.*themecast check` lists 1 error\.\n$/),
    });
    git('checkout', '--quiet', '--force', 'main');
  });

  it('reads a revision although a folder has its name, and rejects folders without themes', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await apply('breaking', 'default-moved', 'after');
    git('commit', '--quiet', '--all', '--message', 'Default');
    await cp(file('.'), path.join(root, 'main'), { recursive: true });
    expect(await run(['diff', 'main'], { cwd: root })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The default moves'),
    });
    await rm(path.join(root, 'main'), { recursive: true });
    await mkdir(path.join(root, 'empty'));
    for (const name of ['./empty', path.join(root, 'empty'), '../nothing', '.', '..', ''])
      expect(await run(['diff', name], { cwd: root }), name).toMatchObject({ code: 2 });
    await rm(path.join(root, 'empty'), { recursive: true });
    git('switch', '--quiet', '--force', 'main');
  });

  it('stores no user keys', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await mkdir(file('users'), { recursive: true });
    await writeFile(file('users/more.csv'), 'user,theme\nuser-of-more,meadow\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Users');
    const state = await mkdtemp(path.join(tmpdir(), 'themecast-state-'));
    expect((await run(['diff', 'HEAD'], { cwd: root, env: { XDG_STATE_HOME: state } })).code).toBe(0);
    const files = (await readdir(state, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')));
    expect(files.length).toBeGreaterThan(0);
    expect(texts.join('\n')).not.toMatch(/user-of-more|user-\d/);
    await rm(state, { recursive: true });
    git('switch', '--quiet', '--force', 'main');
  });

  it('counts users and groups that change their theme, are added or removed', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await mkdir(file('users'), { recursive: true });
    // A group and a user of the same name are two keys.
    await writeFile(file('users.csv'), 'user,theme\nuser-13,harbor\nuser-12,meadow\nuser-0,meadow\nnew,meadow\n');
    await writeFile(file('users/groups.csv'), 'group,theme\nuser-1,meadow\n');
    const { stdout } = await run(['diff', 'HEAD', '--fail-on', 'never'], { cwd: root });
    expect(stdout).toContain('\n  7 users  meadow → harbor\n  1 user   harbor → meadow\n');
    expect(stdout).toContain('8 of 20 users and groups get a different theme; 2 are assigned one for the first time.');
    await rm(file('users'), { recursive: true });
    git('switch', '--quiet', '--force', 'main');
  });

  it('exits with 1 while users have a removed theme, even with --fail-on never', async () => {
    await rm(file('meadow'), { recursive: true });
    const { code, stdout } = await run(['diff', 'HEAD', '--fail-on', 'never'], { cwd: root });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^1 removed; 8 users see another theme {3}main@.{7} → the working tree\n/),
    ]);
    git('checkout', '--quiet', '--force', 'main');
  });

  it('labels the working tree after a renamed image', async () => {
    await rename(file('meadow/logo.svg'), file('meadow/mark.svg'));
    await edit('meadow/theme.yaml', /logo\.svg/g, 'mark.svg');
    const renamed = await run(['diff', 'HEAD'], { cwd: root });
    expect(renamed.stdout).toMatch(/^No theme changes {3}main@.{7} → the working tree\n$/);
    git('clean', '--quiet', '--force');
    git('checkout', '--quiet', '--force');
  });

  it('exits with 1 for a breaking change, mentions the label that accepts it, and exits with 0 if it is accepted', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await apply('breaking', 'default-moved', 'after');
    const failed = await run(['diff', 'main'], { cwd: root });
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(failed.stdout).toContain('theme-break-accepted');
    const accepted = await run(['diff', 'main', '--fail-on', 'never'], { cwd: root });
    expect(accepted).toMatchObject({ code: 0 });
    expect(accepted.stdout).toContain('✔ 1 breaking change: accepted\n');
    git('switch', '--quiet', '--force', 'main');
  });

  it('compares with the merge base by default, suggests a fetch in a shallow clone, and rejects an unknown revision', async () => {
    const clone = await mkdtemp(path.join(tmpdir(), 'themecast-diff-clone-'));
    try {
      git('switch', '--quiet', '--force-create', 'work', 'main');
      await append('harbor/theme.yaml', 'logo_height: 50\n');
      git('commit', '--quiet', '--all', '--message', 'Height');
      git('switch', '--quiet', 'main');
      execFileSync('git', ['clone', '--quiet', '--branch', 'main', `file://${root}`, clone], { env: ENV });
      execFileSync('git', ['switch', '--quiet', 'work'], { cwd: clone, env: ENV });
      const full = await run(['diff'], { cwd: clone });
      expect(full.stdout).toMatch(/^2 changed {3}main@[0-9a-f]{7} → work@[0-9a-f]{7}\n/);
      await writeFile(
        path.join(clone, 'themes/meadow/theme.yaml'),
        `${await readFile(file('meadow/theme.yaml'), 'utf8')}\nlogo_height: 50\n`,
      );
      const edited = await run(['diff', '--format', 'markdown'], { cwd: clone });
      expect(edited.stdout).toMatch(/<code>main&#64;[0-9a-f]{7}<\/code> → <code>the working tree<\/code>\n/);
      await rm(clone, { recursive: true });
      execFileSync('git', ['clone', '--quiet', '--depth', '1', '--branch', 'work', `file://${root}`, clone], {
        env: ENV,
      });
      expect(await run(['diff', 'HEAD~1'], { cwd: clone })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('git fetch --unshallow origin') as string,
      });
      expect(await run(['diff', 'nothing'], { cwd: root })).toMatchObject({ code: 2 });
      expect(await run(['diff', '--', '--upload-pack=x'], { cwd: root })).toMatchObject({ code: 2 });
    } finally {
      git('switch', '--quiet', '--force', 'main');
      await rm(clone, { recursive: true, force: true });
    }
  });

  it('reports all themes as new if the base has none, and accepts a folder as the base', async () => {
    git('switch', '--quiet', '--orphan', 'empty');
    git('commit', '--quiet', '--allow-empty', '--message', 'Nothing');
    git('switch', '--quiet', '--force', 'main');
    const allNew = await run(['diff', 'empty'], { cwd: root });
    expect(allNew).toMatchObject({ code: 0 });
    expect(allNew.stdout).toMatch(/^2 new themes[^]*Users were not compared/);
    expect((await run(['diff', './themes'], { cwd: root })).stdout).toMatch(
      /^No theme changes {3}\.\/themes → main@[0-9a-f]{7}\n$/,
    );
  });
});
