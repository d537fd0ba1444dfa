import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitFiles } from '../../src/commands/dev/commit.ts';
import { runGit } from '../../src/system/git/git.ts';
import { listening } from '../listening.ts';
import { skip } from '../skip.ts';
import { Proposals } from './proposals.ts';

const DONE = [200, { location: '/propose' }];
const BRANCH = 'themecast/meadow';

let repository: Proposals;
beforeEach(async () => {
  repository = await Proposals.make();
});
afterEach(() => repository.remove());

/** Returns the commit of the proposal on the remote. */
const proposedCommit = (): Promise<string> => repository.git('-C', repository.remote, 'rev-parse', BRANCH);

/** For each kind of checkout, a function that creates it. @returns its folder */
const CHECKOUTS: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  'a linked worktree': async (folder) => {
    await repository.git('worktree', 'add', '--quiet', '-b', 'work', folder);
    return folder;
  },
  'a submodule': async (folder) => {
    await repository.git('init', '--quiet', folder);
    await repository.git('config', '--global', 'protocol.file.allow', 'always');
    await repository.git('-C', folder, 'submodule', '--quiet', 'add', repository.remote, 'site');
    return path.join(folder, 'site');
  },
  'a shallow clone': async (folder) => {
    await repository.git('commit', '--quiet', '--allow-empty', '--message', 'second');
    await repository.git('push', '--quiet');
    await repository.git('clone', '--quiet', '--depth=1', `file://${repository.remote}`, folder);
    return folder;
  },
};

test.each(Object.entries(CHECKOUTS))('a proposal can be made from %s', async (_, make) => {
  repository.root = await make(path.join(repository.folder, 'checkout'));
  await repository.start();
  await repository.edit(50);
  expect(await repository.propose()).toEqual(DONE);
  expect(await proposedCommit()).toBe(await repository.git('rev-parse', 'HEAD'));
  expect(await repository.git('status', '--porcelain')).toBe('');
  expect(await repository.page()).not.toContain('Push again');
});

test('Git LFS uploads its objects', async (context) => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
  } catch {
    skip(context, 'Git LFS is not installed, so no proposal is tested with it.');
  }
  await repository.git('lfs', 'install');
  await repository.git('remote', 'set-url', 'origin', `file://${repository.remote}`);
  await writeFile(path.join(repository.root, '.gitattributes'), '*.png filter=lfs diff=lfs merge=lfs -text\n');
  await repository.git('add', '--renormalize', '.');
  await repository.git('commit', '--quiet', '--all', '--message', 'LFS');
  const image = await readFile(path.join(repository.root, 'themes/meadow/banner.png'));
  await writeFile(path.join(repository.root, 'themes/meadow/other.png'), image);
  const yaml = path.join(repository.root, 'themes/meadow/theme.yaml');
  const text = await readFile(yaml, 'utf8');
  await writeFile(yaml, text.replace(/^default_group_banner: .*$/m, 'default_group_banner: other.png'));
  await repository.start();
  expect(await repository.propose()).toEqual(DONE);
  const pointer = await repository.git('show', `${BRANCH}:themes/meadow/other.png`);
  const [, id = ''] = /^oid sha256:(\w+)$/m.exec(pointer) ?? [];
  const stored = path.join(repository.remote, 'lfs/objects', id.slice(0, 2), id.slice(2, 4), id);
  expect(await readFile(stored)).toEqual(image);
  expect(await repository.git('status', '--porcelain', '--', 'themes/meadow/other.png')).toBe('');
});

test('a commit is signed as the user has configured, and the page links to the pull request', async () => {
  const key = path.join(repository.folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  for (const [name, value] of [
    ['gpg.format', 'ssh'],
    ['user.signingKey', key],
    ['commit.gpgSign', 'true'],
  ] as const)
    await repository.git('config', '--global', name, value);
  const hook = path.join(repository.remote, 'hooks/post-receive');
  await writeFile(
    hook,
    '#!/bin/sh\necho "Read https://git.example.org/rules"\necho https://git.example.org/pull/new\n',
    {
      mode: 0o755,
    },
  );
  await repository.start();
  await repository.edit(50);
  expect(await repository.propose()).toEqual(DONE);
  expect(await repository.git('cat-file', 'commit', BRANCH)).toContain('-----BEGIN SSH SIGNATURE-----');
  expect(await repository.page()).toMatch(/href="https:\/\/git\.example\.org\/pull\/new"[^>]*>Open the pull request/);
});

test('Git does not prompt for a password, and the page shows none', async () => {
  const { url, stop } = await listening((_, response) => {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="a"' }).end();
  });
  await repository.git('remote', 'set-url', 'origin', `${url.replace('//', '//ann:hunter2@')}/themes.git`);
  await repository.start();
  await repository.edit(50);
  expect(await repository.page()).toContain(`<code>origin</code>, ${url}/themes.git`);
  expect(await repository.propose()).toEqual(DONE);
  const page = await repository.page();
  expect(page).toMatch(/could not be pushed.*(?:Authentication failed|could not read)/s);
  expect(page).not.toContain('hunter2');
  await stop();
});

test('only the named files are committed, also if a name is a pattern', async () => {
  const { root } = repository;
  for (const name of ['*.txt', 'other.txt']) await writeFile(path.join(root, 'themes', name), 'new\n');
  const place = { root, from: 'main', branch: BRANCH, parent: await repository.git('rev-parse', 'HEAD') };
  const files = [{ name: 'themes/*.txt', kind: 'new', isInIndex: false }] as const;
  expect((await commitFiles(place, files, 'One')).ok).toBe(true);
  expect(await repository.git('show', '--name-only', '--format=%s')).toBe('One\n\nthemes/*.txt');
  expect(await repository.git('status', '--porcelain')).toBe('?? themes/other.txt');
});

test('a command that waits is stopped, and says what it may have waited for', async () => {
  const { ok, stderr } = await runGit(repository.root, ['-c', 'alias.wait=!exec sleep 60', 'wait'], { seconds: 0.3 });
  expect(ok).toBe(false);
  expect(stderr).toMatch(/was stopped after .* minutes\. It may have waited for a passphrase in the terminal/);
});
