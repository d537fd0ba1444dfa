import { mkdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Proposals } from './proposals.ts';

const DONE = [200, { location: '/propose' }];
/** The branch for a change of the theme meadow. */
const BRANCH = 'themecast/meadow';

let repository: Proposals;

describe('a proposal', () => {
  beforeAll(async () => {
    repository = await Proposals.make();
    await repository.start();
  });
  afterAll(() => repository?.remove());

  /** Changes, adds and removes a file of the themes, and stages a file elsewhere. */
  async function makeChanges(removed: string, added: string): Promise<void> {
    await repository.edit(50);
    await unlink(path.join(repository.root, removed));
    await repository.useLogo(added);
    await writeFile(path.join(repository.root, 'notes.txt'), 'b\n');
    await repository.git('add', 'notes.txt');
  }

  const state = (): Promise<string[]> =>
    Promise.all([
      repository.git('status', '--porcelain', '--branch', '--untracked-files=all'),
      repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads'),
    ]);

  test('is undone if a hook refuses it, and shows the words of the hook', async () => {
    await makeChanges('themes/harbor/old.txt', 'themes/meadow/[new] 1.svg');
    const before = await state();
    const hook = path.join(repository.root, '.git/hooks/pre-commit');
    await writeFile(hook, '#!/bin/sh\necho "No themes on Fridays"\nexit 1\n', { mode: 0o755 });
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.page()).toMatch(/Nothing was committed:<[^]*>No themes on Fridays\n</);
    expect(await state()).toEqual(before);
    await writeFile(hook, '#!/bin/sh\necho "The hook ran:$GIT_LITERAL_PATHSPECS"\n', { mode: 0o755 });
  });

  test('commits new, changed and removed files to a new branch and pushes it; other files stay staged', async () => {
    const times = await repository.times();
    const page = await repository.page();
    for (const text of [`<code>${BRANCH}</code>, a new one`, 'Ann &#60;ann@example.org&#62;', repository.remote])
      expect(page).toContain(text);
    expect(page.match(/themes\/[^<]+<\/code> \w+/g)).toEqual([
      'themes/harbor/old.txt</code> removed',
      'themes/meadow/theme.yaml</code> changed',
      'themes/meadow/[new] 1.svg</code> new',
    ]);
    const main = await repository.git('rev-parse', 'main');
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.git('-C', repository.remote, 'rev-parse', BRANCH)).toBe(
      await repository.git('rev-parse', 'HEAD'),
    );
    expect(await repository.git('log', '-1', '--format=%P|%an|%ae|%s', '--name-status', BRANCH)).toBe(
      `${main}|Ann|ann@example.org|Themes: change meadow\n\nD\tthemes/harbor/old.txt\nA\tthemes/meadow/[new] 1.svg\nM\tthemes/meadow/theme.yaml`,
    );
    expect(await repository.git('symbolic-ref', '--short', 'HEAD')).toBe(BRANCH);
    expect(await repository.git('rev-parse', '--abbrev-ref', '@{upstream}')).toBe(`origin/${BRANCH}`);
    expect(await repository.git('status', '--porcelain')).toBe('M  notes.txt');
    expect(await repository.times()).toEqual(times);
    const proposed = await repository.page();
    for (const text of [`<code>${BRANCH}</code> is pushed`, 'The hook ran:\n', 'Back to main'])
      expect(proposed).toContain(text);
    expect(proposed).not.toContain('Push again');
    await repository.git('reset', '--quiet', '--hard');
  });

  test('adds a second commit to the branch, and returns to main to pull the merged changes', async () => {
    await repository.edit(60);
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.git('rev-list', '--count', `origin/main..origin/${BRANCH}`)).toBe('2');
    const copy = path.join(repository.folder, 'reviewer');
    await repository.git('clone', '--quiet', repository.remote, copy);
    await repository.git('-C', copy, 'merge', '--quiet', '--no-ff', `origin/${BRANCH}`);
    await repository.git('-C', copy, 'push', '--quiet');
    expect(await repository.post('/back', { back: 'other' })).toMatchObject([
      409,
      { detail: expect.stringMatching(/Reload/) },
    ]);
    expect(await repository.goBack()).toEqual([200, { location: '/' }]);
    expect(await repository.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    await repository.git('pull', '--quiet');
    expect(await readFile(path.join(repository.root, 'themes/meadow/theme.yaml'), 'utf8')).toContain('logo_height: 60');
  });

  test('uses a free branch name, and is rejected if a file has changed since the page was shown', async () => {
    await repository.edit(70);
    const page = await repository.page();
    expect(page).toContain(`<code>${BRANCH}-2</code>, a new one`);
    await repository.edit(80);
    const digest = /name="digest" value="(\w+)"/.exec(page)?.[1] ?? '';
    expect(await repository.post('', { digest, message: 'old' })).toMatchObject([
      409,
      { detail: expect.stringMatching(/meanwhile/) },
    ]);
    expect(await repository.git('branch', '--format=%(refname:short)')).toBe(`main\n${BRANCH}`);
    await repository.git('checkout', '--quiet', '.');
  });

  test.each(['index', 'HEAD'])('changes nothing if the %s is locked', async (name) => {
    await repository.edit(70);
    const lock = path.join(repository.root, `.git/${name}.lock`);
    await writeFile(lock, '');
    const before = await state();
    const reply = await repository.propose();
    if (name === 'index') expect(reply).toMatchObject([409, { detail: expect.stringContaining('index.lock') }]);
    else expect(await repository.page()).toMatch(/Nothing was committed:<[^]*HEAD\.lock/);
    await rm(lock);
    expect(await state()).toEqual(before);
    await repository.git('checkout', '--quiet', '.');
  });

  test.each([['Back'], ['Propose']])('that was killed before its commit goes on with %s', async (choice) => {
    await makeChanges('themes/harbor/older.txt', 'themes/meadow/[a-z] 2.svg');
    const before = await state();
    await repository.git('switch', '--quiet', '-c', 'themecast/killed');
    await repository.git('add', '-N', ':(literal)themes/meadow/[a-z] 2.svg');
    const page = await repository.page();
    expect(page).toContain('<code>themecast/killed</code> has no commit that <code>main</code> lacks');
    expect(page.match(/themes\/[^<]+<\/code> \w+/g)).toHaveLength(3);
    if (choice === 'Back') {
      expect(await repository.goBack()).toEqual([200, { location: '/' }]);
      expect(await state()).toEqual(before);
    } else {
      expect(await repository.propose()).toEqual(DONE);
      expect(await repository.git('show', '--name-only', '--format=', 'origin/themecast/killed')).toContain(
        'themes/meadow/[a-z] 2.svg',
      );
      await repository.goBack();
    }
    await repository.git('reset', '--quiet', '--hard');
    await repository.git('clean', '--quiet', '--force');
  });

  test('shows why a push failed, and can be pushed again, also by the next server', async () => {
    await repository.edit(75);
    await repository.git('remote', 'set-url', 'origin', `${repository.remote}-gone`);
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.page()).toMatch(/could not be pushed.*does not appear to be a git repository/s);
    await repository.stop();
    await repository.start();
    expect(await repository.page()).toMatch(/The last commit on <code>[^<]*<\/code> is not pushed.*Push again/s);
    await repository.git('remote', 'set-url', 'origin', repository.remote);
    expect(await repository.post('/push')).toEqual(DONE);
    expect(await repository.git('-C', repository.remote, 'log', '-1', '--format=%s', `${BRANCH}-2`)).toBe(
      'Themes: change meadow',
    );
    await repository.goBack();
  });

  test('has only the chosen themes with their bases, and no file that no build reads', async () => {
    for (const name of ['.env', 'id_rsa', '.theme.yaml.swp'])
      await writeFile(path.join(repository.root, 'themes/meadow', name), 'secret\n');
    await repository.edit(61);
    await repository.edit(62, 'harbor');
    await mkdir(path.join(repository.root, 'themes/aurora'));
    await writeFile(path.join(repository.root, 'themes/aurora/theme.yaml'), 'extends: harbor\nid: 30\nname: Aurora\n');
    await writeFile(path.join(repository.root, 'themes/users.csv'), 'user,theme\ntom,harbor\n');
    await expect.poll(() => repository.page()).toContain('name="theme-aurora"');
    const page = await repository.page();
    expect(page).toMatch(
      /Left out, because no build reads them:(?:.*<code>themes\/meadow\/(?:\.env|id_rsa|\.theme\.yaml\.swp)<){3}/s,
    );
    expect(page).toContain('with harbor, which it is based on');
    expect(page).not.toMatch(/name="site" value="on" checked/);
    const digest = /name="digest" value="(\w+)"/.exec(page)?.[1] ?? '';
    expect(await repository.post('', { digest, message: ' ', 'theme-aurora': 'on' })).toMatchObject([400, {}]);
    expect(await repository.post('', { digest, message: 'x' })).toMatchObject([400, {}]);
    expect((await repository.post('__proto__', { digest, message: 'x' }))[0]).toBe(404);
    expect(await repository.post('', { digest, message: 'Aurora', 'theme-aurora': 'on' })).toEqual(DONE);
    expect(await repository.git('show', '--name-only', '--format=', 'HEAD')).toBe(
      'themes/aurora/theme.yaml\nthemes/harbor/theme.yaml',
    );
    await repository.git('reset', '--quiet', '--hard');
    await repository.git('clean', '--quiet', '--force', '-x', 'themes');
    await repository.goBack();
  });

  test('cannot have a theme with errors', async () => {
    await repository.append('logo_height: tall\n');
    await expect.poll(() => repository.page()).toMatch(/name="theme-meadow" value="on" disabled/);
    const digest = /name="digest" value="(\w+)"/.exec(await repository.page())?.[1] ?? '';
    expect(await repository.post('', { digest, message: 'x', 'theme-meadow': 'on' })).toMatchObject([
      409,
      { detail: 'Fix the errors of `meadow` first.' },
    ]);
    await repository.git('checkout', '--quiet', '.');
  });

  const REJECTIONS: readonly [what: string, reason: string, ready: string[][], undo: string[][]][] = [
    ['a detached HEAD', 'No branch is checked out', [['checkout', '-q', '--detach']], [['checkout', '-q', 'main']]],
    [
      'a merge',
      'A merge is under way',
      [['merge', '--quiet', '--no-ff', '--no-commit', `${BRANCH}-2`]],
      [['merge', '--abort']],
    ],
    [
      'a rebase',
      'A rebase is under way',
      [['-c', 'sequence.editor=echo break >', 'rebase', '--quiet', '-i', 'HEAD~1']],
      [['rebase', '--abort']],
    ],
    ['no commit', 'There is no commit yet', [['switch', '-q', '--orphan', 'o']], [['switch', '-q', 'main']]],
    [
      'no author',
      'Author identity unknown',
      [
        ['config', '--global', '--unset', 'user.email'],
        ['config', 'user.useConfigOnly', 'true'],
      ],
      [['config', '--global', 'user.email', 'ann@example.org']],
    ],
    [
      'a working tree elsewhere',
      'does not contain themes',
      [['config', 'core.worktree', '../themes']],
      [['config', '--unset', 'core.worktree']],
    ],
    [
      'no remote',
      'There is no remote',
      [
        ['remote', 'rename', 'origin', 'a'],
        ['remote', 'add', 'b', 'x'],
      ],
      [],
    ],
  ];
  test.each(REJECTIONS)('is rejected with %s', async (_, reason, ready, undo) => {
    for (const args of ready) await repository.git(...args);
    expect(await repository.page()).toContain(reason);
    expect((await repository.propose())[0]).toBe(409);
    for (const args of undo) await repository.git(...args);
  });
});

test('proposals are disabled while other machines can reach the server', async () => {
  const open = await Proposals.make();
  await open.edit(50);
  await open.start(['--listen', '0.0.0.0']);
  expect(await open.page()).toContain('listens on this machine alone');
  expect(await open.propose()).toMatchObject([403, { detail: expect.stringMatching(/this machine alone/) }]);
  await open.remove();
});
