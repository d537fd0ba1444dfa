import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitFiles } from '../../src/commands/dev/commit.ts';
import { runGit } from '../../src/system/git/git.ts';
import { listening } from '../listening.ts';
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

test('a proposal can be made from a linked worktree', async () => {
  const folder = path.join(repository.folder, 'checkout');
  await repository.git('worktree', 'add', '--quiet', '-b', 'work', folder);
  repository.root = folder;
  await repository.start();
  await repository.edit(50);
  expect(await repository.propose()).toEqual(DONE);
  expect(await proposedCommit()).toBe(await repository.git('rev-parse', 'HEAD'));
  expect(await repository.git('status', '--porcelain')).toBe('');
  expect(await repository.page()).not.toContain('Push again');
});

test('the page links to the pull request, as the server prints it', async () => {
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
