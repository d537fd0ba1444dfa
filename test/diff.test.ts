import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampled } from './long-test.ts';
import { formatJson } from '../src/diff/format-json.ts';
import { formatMarkdown } from '../src/diff/format-markdown.ts';
import { formatText } from '../src/diff/format-text.ts';
import type { DiffReport } from '../src/diff/report.ts';
import { openBase } from '../src/changes/io/base.ts';
import { compareSites } from '../src/diff/io/compare-sites.ts';
import { fileLinks } from '../src/diff/io/file-links.ts';
import { openCaches } from '../src/compiler/resources.ts';
import { acquireDecoders } from '../src/decoder/shared.ts';
import { run } from './command-line.ts';
import { copyFixture } from './fixture.ts';

/** Fixed, so that commits have the same ids on every machine. */
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
  for (const name of ['GITHUB_BASE_REF', 'GITHUB_HEAD_REF']) vi.stubEnv(name, '');
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
  vi.unstubAllEnvs();
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

/** Commits by name, each with another kind of change. */
const BREAKING: Record<string, () => Promise<unknown>> = {
  'default-moved': async () => {
    await edit('harbor/theme.yaml', 'is_default: true', 'is_default: false');
    await append('meadow/theme.yaml', 'is_default: true\n');
  },
  'theme-removed': async () => {
    await rm(file('meadow'), { recursive: true });
    await edit('users.csv', /^.*,meadow\n/gm, '');
    await edit('site.yaml', '  - theme: { host: { sea.example.org: meadow } }\n', '');
  },
  // Its users and its hostname still refer to it.
  'theme-removed-with-users': () => rm(file('meadow'), { recursive: true }),
  'id-changed': () => edit('meadow/theme.yaml', 'id: 2', 'id: 7'),
  'id-reused': async () => {
    await edit('harbor/theme.yaml', 'id: 1', 'id: 3');
    await edit('meadow/theme.yaml', 'id: 2', 'id: 1');
  },
  'folder-renamed': async () => {
    // This warning is not new.
    await writeFile(file('meadow/unused.svg'), svg('teal'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Unused');
    await rename(file('meadow'), file('field'));
    await edit('users.csv', /,meadow/g, ',field');
    await edit('site.yaml', 'sea.example.org: meadow', 'sea.example.org: field');
  },
  'base-url': () => edit('site.yaml', 'https://community', 'https://people'),
  'media-url': () => append('site.yaml', 'media_url: https://media.example.org/media\n'),
  'document-root': () => append('site.yaml', 'origin: { document_root: /srv/other }\n'),
  identity: () => edit('site.yaml', 'cookie: uid', 'cookie: user'),
  'hostname-removed': () => edit('site.yaml', 'sea.example.org: meadow', 'lake.example.org: meadow'),
  'origin-removed': () => edit('site.yaml', 'app.example.org', 'new.example.org'),
  'unseen-value': () => append('meadow/theme.yaml', 'logo_alignment: justify\n'),
  'users-moved': () => edit('users.csv', /user-(\d),harbor/g, 'user-$1,meadow'),
};

const svg = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="16" fill="${colour}"/></svg>\n`;

const HARMLESS: Record<string, () => Promise<unknown>> = {
  'setting-in-parent': () => append('harbor/theme.yaml', 'logo_height: 56\n'),
  colour: () => edit('harbor/theme.yaml', 'teal', '"#7fb0ff"'),
  name: () => edit('meadow/theme.yaml', 'Meadow', 'Meadow and field'),
  logo: () => writeFile(file('meadow/logo.svg'), svg('teal')),
  'logo-in-no-mode': async () => {
    await append('meadow/theme.yaml', 'light_mode_logo_type: INVERSE\n');
    git('commit', '--quiet', '--all', '--message', 'Light');
    await writeFile(file('meadow/logo.svg'), svg('teal'));
  },
  'logo-faint': () => writeFile(file('meadow/logo.svg'), svg('#fefefe')),
  // Only the pixels show this change: they become transparent.
  'logo-invisible': () => writeFile(file('meadow/logo.svg'), svg('teal').replace(/<svg /, '<svg opacity="0" ')),
  're-encoded': async () => {
    const icon = await readFile(file('harbor/icon.png'));
    await writeFile(file('harbor/icon.png'), await sharp(icon).png({ compressionLevel: 1, palette: false }).toBuffer());
  },
  'theme-new': async () => {
    await cp(file('meadow'), file('wood'), { recursive: true });
    await edit('wood/theme.yaml', 'id: 2', 'id: 9');
    await edit('wood/theme.yaml', 'Meadow', 'Wood');
  },
  'user-added': () => append('users.csv', 'user-77,meadow\n'),
  'hostname-added': () => edit('site.yaml', 'meadow }', 'meadow, lake.example.org: meadow }'),
  'origin-added': () => edit('site.yaml', '"]', '", "https://new.example.org"]'),
  comment: () => append('meadow/theme.yaml', '# nothing\n'),
  'hostile-text': () =>
    edit(
      'meadow/theme.yaml',
      'Meadow',
      "'<img src=x onerror=alert(1)> @octocat #1 [x](http://evil.example) ::error::x `'",
    ),
};

/** Texts that a host, a browser or a runner might interpret, with a backtick to escape from quoting. */
const HOSTILE = '` www.evil.example @octocat GH-1 #1 ![x](x) <img src=x onerror=alert(1)> | ::error::x';

const HOSTILE_CHANGES: Record<string, () => Promise<unknown>> = {
  'hostile-name': async () => {
    await BREAKING['default-moved']?.();
    await edit('meadow/theme.yaml', 'Meadow', JSON.stringify(HOSTILE));
  },
  // Its problem is a new warning, which contains the text.
  'hostile-file': () => writeFile(file('meadow', `${HOSTILE.replaceAll(/[/:|]/g, '')}.svg`), svg('teal')),
  // Only the base has errors: images with scripts, non-images, and truncated images.
  'hostile-image': async () => {
    const icon = await readFile(file('harbor/icon.png'));
    const logos = [await readFile(file('harbor/logo.svg')), await readFile(file('meadow/logo.svg'))] as const;
    await writeFile(file('harbor/icon.png'), icon.subarray(0, icon.length / 2));
    await writeFile(file('harbor/logo.svg'), logos[0].toString().replace('<svg', '<svg onload="alert(1)"'));
    await writeFile(file('meadow/logo.svg'), '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>');
    git('commit', '--quiet', '--all', '--message', 'Hostile');
    await writeFile(file('harbor/icon.png'), icon);
    await writeFile(file('harbor/logo.svg'), logos[0]);
    await writeFile(file('meadow/logo.svg'), logos[1]);
  },
};

interface Reports {
  report: DiffReport;
  text: string;
  markdown: string;
  json: string;
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

async function reports(base: string): Promise<Reports> {
  const opened = await openBase(base, file());
  try {
    const report = await compareSites(opened, file(), { ...caches, decoders, baseUrl: undefined }, false);
    return {
      report,
      text: formatText(report),
      markdown: formatMarkdown(report, await fileLinks(file())),
      json: formatJson(report),
      isBroken: report.breaking.length > 0,
    };
  } finally {
    await opened.close();
  }
}

describe.each([
  ['breaking', BREAKING, true],
  ['harmless', HARMLESS, false],
  ['hostile', HOSTILE_CHANGES, undefined],
] as const)('a %s change', (_, kinds, isBreaking) => {
  it.each(sampled(Object.keys(kinds)))('%s is reported as its golden file', async (name) => {
    git('switch', '--quiet', '--force-create', name, 'main');
    await kinds[name]?.();
    const base = git('rev-parse', 'HEAD');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', name);
    try {
      const { text, markdown, json, isBroken } = await reports(base);
      const all = `${text}\n${'-'.repeat(20)} Markdown\n${markdown}\n${'-'.repeat(20)} JSON\n${json}`;
      const output = all
        .replaceAll(base, 'BASE')
        .replaceAll(base.slice(0, 7), 'BASE')
        .replaceAll(git('rev-parse', 'HEAD'), 'HEAD')
        .replaceAll(git('rev-parse', '--short=7', 'HEAD'), 'HEAD');
      await expect(output).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/diff', `${name}.txt`));
      if (isBreaking !== undefined) expect(isBroken).toBe(isBreaking);
      // All authored text is inside `<code>` or an encoded URL.
      const bare = markdown.replaceAll(/<code>[^<]*<\/code>|<img src="[^"<>]*" width="240" alt=""> /g, '');
      expect(bare).not.toMatch(/evil|octocat|onerror/);
    } finally {
      git('switch', '--quiet', '--force', 'main');
      git('clean', '--quiet', '--force', '-d');
    }
  });
});

it('Markdown is cut at 60 kB, at whole parts and the most important first', async () => {
  git('switch', '--quiet', '--force-create', 'work', 'main');
  await writeFile(file('meadow/logo.svg'), svg('teal'));
  await append('meadow/theme.yaml', 'logo_height: 50\n');
  const { report } = await reports(git('rev-parse', 'main'));
  git('switch', '--quiet', '--force', 'main');
  const [theme] = report.themes;
  if (theme === undefined) throw new Error('No theme changes.');
  const [change] = theme.changes;
  if (change === undefined) throw new Error('No field changes.');
  const breaking = [{ what: 'default', reason: 'It moves.', remedy: 'Keep it.' }];
  const large = { ...theme, changes: Array.from({ length: 60 }, () => change) };
  for (const themes of [Array.from({ length: 900 }, () => theme), Array.from({ length: 9 }, () => large)]) {
    const markdown = formatMarkdown({ ...report, breaking, themes }, await fileLinks(file()));
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
  it('compares nothing while a theme has errors: it would be called removed', async () => {
    await append('meadow/theme.yaml', 'logo_height: tall\n');
    expect(await run(['diff', 'main'], { cwd: root })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^✘ Nothing was compared: `.*themecast check` lists 1 error\.\n$/),
    });
    git('checkout', '--quiet', '--force', 'main');
  });

  it('does not compare a branch with a folder that the branch brings under the name of a revision', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await BREAKING['default-moved']?.();
    git('commit', '--quiet', '--all', '--message', 'Default');
    const sha = git('rev-parse', 'main').trim();
    const names = [sha, sha.slice(0, 8), 'main', `${sha}^{commit}`, 'main~0', 'HEAD^', 'main@{0}'];
    for (const name of names) {
      await cp(file('.'), path.join(root, name), { recursive: true });
      const { code, stdout, stderr } = await run(['diff', name], { cwd: root });
      await rm(path.join(root, name), { recursive: true });
      if (/[\^~@]/.test(name)) expect([code, stdout]).toEqual([1, expect.stringContaining('The default moves')]);
      else expect([code, stderr]).toEqual([2, expect.stringContaining(`write "./${name}" to compare with it`)]);
    }
    await mkdir(path.join(root, 'empty'));
    for (const name of ['./empty', path.join(root, 'empty'), '../nothing', '.', '..', ''])
      expect(await run(['diff', name], { cwd: root }), name).toMatchObject({ code: 2 });
    await rm(path.join(root, 'empty'), { recursive: true });
    git('switch', '--quiet', '--force', 'main');
  });

  it('stores no key of a user', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await mkdir(file('users'), { recursive: true });
    await writeFile(file('users/more.csv'), 'user,theme\nuser-of-more,meadow\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Users');
    const state = await mkdtemp(path.join(tmpdir(), 'themecast-state-'));
    expect((await run(['diff', 'HEAD'], { cwd: root, env: { XDG_STATE_HOME: state } })).code).toBe(0);
    const files = (await readdir(state, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'utf8')));
    expect(texts.join('\n')).toContain('"base"');
    expect(texts.join('\n')).not.toMatch(/user-of-more|user-\d/);
    await rm(state, { recursive: true });
    git('switch', '--quiet', '--force', 'main');
  });

  it('exits with 1 while users have a removed theme, also if that is accepted', async () => {
    await rm(file('meadow'), { recursive: true });
    const { code, stdout } = await run(['diff', 'HEAD', '--fail-on', 'never'], { cwd: root });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^1 removed; 8 users see another theme {3}main@.{7} → the working tree\n/),
    ]);
    git('checkout', '--quiet', '--force', 'main');
  });

  it('names the working tree if an image is renamed, and the branches of a pull request', async () => {
    await rename(file('meadow/logo.svg'), file('meadow/mark.svg'));
    await edit('meadow/theme.yaml', /logo\.svg/g, 'mark.svg');
    const renamed = await run(['diff', 'HEAD'], { cwd: root });
    expect(renamed.stdout).toMatch(/^No theme changes {3}main@.{7} → the working tree\n$/);
    git('clean', '--quiet', '--force');
    git('checkout', '--quiet', '--force', '--detach', 'main');
    const env = { GITHUB_BASE_REF: 'main', GITHUB_HEAD_REF: 'colours' };
    for (const base of ['./themes', git('rev-parse', 'HEAD')]) {
      const { stdout } = await run(['diff', base], { cwd: root, env });
      expect(stdout).toMatch(/^No theme changes {3}main@(.{7}) → colours@\1\n$/);
    }
    git('switch', '--quiet', 'main');
  });

  it('exits with 1 for a breaking change, with 0 if it is accepted, and names the label', async () => {
    git('switch', '--quiet', '--force-create', 'work', 'main');
    await BREAKING['default-moved']?.();
    const failed = await run(['diff', 'main'], { cwd: root });
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(failed.stdout).toContain('theme-break-accepted');
    const accepted = await run(['diff', 'main', '--fail-on', 'never'], { cwd: root });
    expect(accepted).toMatchObject({ code: 0 });
    expect(accepted.stdout).toContain('✔ 1 breaking change: accepted\n');
    git('switch', '--quiet', '--force', 'main');
  });

  it('runs nothing that the configuration of the repository names, and writes nothing into it', async () => {
    const planted = path.join(root, 'planted');
    const attributes = path.join(root, '.git/info/attributes');
    await writeFile(attributes, '* filter=evil diff=evil\n');
    for (const [key, value] of [
      ['filter.evil.smudge', `touch ${planted}`],
      ['filter.evil.clean', `touch ${planted}`],
      ['diff.evil.textconv', `touch ${planted}`],
      ['core.fsmonitor', `touch ${planted}`],
      ['core.hooksPath', root],
      ['core.pager', `touch ${planted}`],
    ] as const)
      git('config', key, value);
    try {
      await writeFile(file('meadow/logo.svg'), svg('teal'));
      const before = git('-c', 'core.fsmonitor=false', 'for-each-ref');
      expect(await run(['diff', 'main'], { cwd: root })).toMatchObject({ code: 0 });
      await expect(readFile(planted)).rejects.toThrow('ENOENT');
      expect(git('-c', 'core.fsmonitor=false', 'for-each-ref')).toBe(before);
    } finally {
      await rm(attributes);
      for (const section of ['filter.evil', 'diff.evil'])
        git('-c', 'core.fsmonitor=false', 'config', '--remove-section', section);
      for (const key of ['core.fsmonitor', 'core.hooksPath', 'core.pager'])
        git('-c', 'core.fsmonitor=false', 'config', '--unset', key);
      git('checkout', '--quiet', '--force', 'main');
    }
  });

  it('names the merge base with the default branch, the fetch for a shallow clone, and an unknown revision', async () => {
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

  it('takes a base without themes as all new, a folder as a base, and an image of Git LFS by its hash', async () => {
    git('switch', '--quiet', '--orphan', 'empty');
    git('commit', '--quiet', '--allow-empty', '--message', 'Nothing');
    git('switch', '--quiet', '--force', 'main');
    const fresh = await run(['diff', 'empty'], { cwd: root });
    expect(fresh).toMatchObject({ code: 0 });
    expect(fresh.stdout).toMatch(/^2 new themes[^]*Users were not compared/);
    expect((await run(['diff', './themes'], { cwd: root })).stdout).toMatch(
      /^No theme changes {3}\.\/themes → main@[0-9a-f]{7}\n$/,
    );
    const { createHash } = await import('node:crypto');
    const bytes = await readFile(file('harbor/icon.png'));
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(bytes).digest('hex')}\nsize ${bytes.length}\n`;
    await writeFile(file('harbor/icon.png'), pointer);
    git('commit', '--quiet', '--all', '--message', 'LFS');
    await writeFile(file('harbor/icon.png'), bytes);
    expect((await run(['diff', 'HEAD'], { cwd: root })).stdout).toMatch(/^No theme changes/);
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });
});
