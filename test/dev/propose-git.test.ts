import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
});

describe('a filter in .gitattributes', () => {
  test('that runs a program is shown, and its output is committed', async () => {
    await writeFile(path.join(repository.root, '.gitattributes'), '*.yaml filter=upper\n');
    await repository.start();
    await repository.edit(50);
    expect(await repository.page()).toContain('filter.upper.clean');
    await repository.git('config', 'filter.upper.clean', 'tr a-z A-Z');
    expect(await repository.page()).toContain('<code>upper</code> runs <code>tr a-z A-Z</code> on 1 file');
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.git('show', `${BRANCH}:themes/meadow/theme.yaml`)).toContain('LOGO_HEIGHT: 50');
  });

  test('of Git LFS uploads its objects', async (context) => {
    try {
      execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    } catch {
      skip(context, 'Git LFS is not installed, so no proposal is tested with it.');
    }
    await repository.git('lfs', 'install', '--skip-repo');
    await repository.git('remote', 'set-url', 'origin', `file://${repository.remote}`);
    await writeFile(path.join(repository.root, '.gitattributes'), '*.png filter=lfs diff=lfs merge=lfs -text\n');
    const image = await readFile(path.join(repository.root, 'themes/meadow/banner.png'));
    await writeFile(path.join(repository.root, 'themes/meadow/other.png'), image);
    await repository.start();
    expect(await repository.page()).toContain('git-lfs filter-process');
    expect(await repository.propose()).toEqual(DONE);
    const pointer = await repository.git('show', `${BRANCH}:themes/meadow/other.png`);
    const [, id = ''] = /^oid sha256:(\w+)$/m.exec(pointer) ?? [];
    const stored = path.join(repository.remote, 'lfs/objects', id.slice(0, 2), id.slice(2, 4), id);
    expect(await readFile(stored)).toEqual(image);
    expect(await repository.git('status', '--porcelain', '--', 'themes/meadow/other.png')).toBe('');
  });
});

describe('a repository whose Git settings run programs', () => {
  let markers: string;
  const program = async (name: string, text: string): Promise<string> => {
    const file = path.join(repository.folder, 'programs', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  };
  const plantProgram = (name: string): Promise<string> => program(name, `touch '${markers}/${name}'; cat`);

  beforeEach(async () => {
    markers = path.join(repository.folder, 'ran');
    await mkdir(markers);
    const settings = {
      'core.hooksPath': path.join(repository.folder, 'programs'),
      'core.fsmonitor': await plantProgram('fsmonitor'),
      'core.pager': await plantProgram('pager'),
      'core.editor': await plantProgram('editor'),
      'core.askPass': await plantProgram('askpass'),
      'core.sshCommand': await plantProgram('ssh-command'),
      'core.alternateRefsCommand': await plantProgram('alternate-refs'),
      'core.gitProxy': await plantProgram('proxy'),
      'gpg.program': await plantProgram('gpg'),
      'commit.gpgSign': 'true',
      'push.gpgSign': 'true',
      'credential.helper': await plantProgram('credential'),
      'remote.origin.receivepack': await plantProgram('receivepack'),
      'diff.external': await plantProgram('external'),
      'protocol.ext.allow': 'always',
    };
    for (const [name, value] of Object.entries(settings)) await repository.git('config', name, value);
    for (const hook of HOOKS) await plantProgram(hook);
    await rm(markers, { recursive: true });
    await mkdir(markers);
    await repository.edit(50);
  });

  test('runs none of these programs', async () => {
    await repository.start();
    expect(await repository.propose()).toEqual(DONE);
    await repository.edit(60);
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.post('/back')).toEqual([200, { location: '/' }]);
    expect(await readdir(markers)).toEqual([]);
    expect(await proposedCommit()).toMatch(/^[0-9a-f]{40}$/);
  });

  test('pushes with the ssh command of the user, without a prompt, and links only to the host of the remote', async () => {
    const ssh = await program(
      'ssh',
      `echo "$@" >> '${repository.folder}/asked'; eval "last=\\$$#"; printf 'https://evil.example/a \\nhttps://git.example.org/pull/new\\n' >'${repository.remote}/links'; exec sh -c "$last"`,
    );
    const hook = path.join(repository.remote, 'hooks/post-receive');
    await writeFile(hook, `#!/bin/sh\ncat links\n`, { mode: 0o755 });
    await repository.git('config', '--global', 'core.sshCommand', ssh);
    await repository.git('remote', 'set-url', 'origin', `git@git.example.org:${repository.remote}`);
    await repository.start();
    expect(await repository.propose()).toEqual(DONE);
    expect(await readFile(path.join(repository.folder, 'asked'), 'utf8')).toMatch(/-o BatchMode=yes .*git@git/);
    expect(await repository.page()).toMatch(/href="https:\/\/git\.example\.org\/pull\/new"[^>]*>Open the pull request/);
    expect(await readdir(markers)).toEqual([]);
  });

  test('neither asks for a password nor shows it', async () => {
    const { url, stop } = await listening((_, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="a"' }).end();
    });
    await repository.git('remote', 'set-url', 'origin', `${url.replace('//', '//ann:hunter2@')}/themes.git`);
    await repository.start();
    expect(await repository.page()).toContain(`<code>origin</code>, ${url}/themes.git`);
    expect(await repository.propose()).toEqual(DONE);
    const page = await repository.page();
    expect(page).toMatch(/could not be pushed.*(?:Authentication failed|could not read)/s);
    expect(page).not.toContain('hunter2');
    expect(await readdir(markers)).toEqual([]);
    await stop();
  });

  test('does not run a program in the URL of the remote', async () => {
    await repository.git('remote', 'set-url', 'origin', `ext::${await plantProgram('ext')}`);
    await repository.start();
    expect(await repository.propose()).toEqual(DONE);
    expect(await repository.page()).toContain('transport &#39;ext&#39; not allowed');
    expect(await readdir(markers)).toEqual([]);
  });
});

/** The hooks in githooks(5) that a commit, a checkout or a push may run. */
const HOOKS =
  'pre-commit prepare-commit-msg commit-msg post-commit post-index-change reference-transaction post-checkout pre-push post-rewrite pre-auto-gc'.split(
    ' ',
  );
