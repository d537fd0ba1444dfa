import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { COMMANDS } from '../src/commands.ts';
import { run, startServer, type ServerProcess } from './command-line.ts';
import { Repository } from './deploy/repository.ts';
import { freePort } from './hosts/process.ts';

/** The hooks of githooks(5) that a local command may run. */
const HOOKS = 'post-index-change reference-transaction post-checkout pre-auto-gc fsmonitor-watchman post-rewrite'.split(
  ' ',
);
const NOBODY = 65_534;

describe('a repository whose Git settings run programs', { timeout: 120_000 }, () => {
  let folder: string;
  let repository: Repository;
  let source: ServerProcess;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'themecast-hostile-git-'));
    const port = await freePort();
    const parts = {
      site: { base_url: `http://127.0.0.1:${port}`, identity: [{ user: { cookie: 'uid' } }] },
      themes: { harbor: {}, meadow: {} },
      users: [['tom', 'meadow']],
    } as const;
    repository = await Repository.make(parts, { host: 'nginx', port, env: {} });
    const { root } = repository.site;
    await repository.commit();
    await repository.build();
    await cp(root, path.join(folder, 'source'), { recursive: true });
    source = await startServer(['serve'], { cwd: path.join(folder, 'source') });
    // A submodule, which `git diff-index` would ask for its status.
    await cp(path.join(root, '.git'), path.join(root, 'themes/module/.git'), { recursive: true });
    await repository.git('add', 'themes/module');
    await rm(path.join(root, 'themes/module'), { recursive: true });
    await mkdir(path.join(folder, 'hooks'));
    const markers = path.join(folder, 'ran');
    await mkdir(markers);
    await chmod(markers, 0o777);
    const plantProgram = async (name: string): Promise<string> => {
      const file = path.join(folder, 'hooks', name);
      await writeFile(file, `#!/bin/sh\ntouch '${markers}/${name}'\ncat\n`, { mode: 0o755 });
      return file;
    };
    for (const hook of HOOKS) await plantProgram(hook);
    const settings = {
      'core.hooksPath': path.join(folder, 'hooks'),
      'core.fsmonitor': await plantProgram('fsmonitor'),
      'core.pager': await plantProgram('pager'),
      'core.editor': await plantProgram('editor'),
      'core.sshCommand': await plantProgram('ssh'),
      'core.askPass': await plantProgram('askpass'),
      'core.alternateRefsCommand': await plantProgram('alternate-refs'),
      'core.checkStat': 'minimal',
      'core.trustctime': 'false',
      'filter.evil.clean': await plantProgram('clean'),
      'filter.evil.smudge': await plantProgram('smudge'),
      'filter.evil.process': await plantProgram('process'),
      'filter.evil.required': 'true',
      'diff.evil.textconv': await plantProgram('textconv'),
      'diff.evil.command': await plantProgram('diff'),
      'diff.external': await plantProgram('external'),
      'merge.evil.driver': await plantProgram('merge'),
      'gpg.program': await plantProgram('gpg'),
      'commit.gpgSign': 'true',
      'log.showSignature': 'true',
      'credential.helper': await plantProgram('credential'),
      'remote.origin.url': `ext::${await plantProgram('ext')}`,
      'remote.origin.promisor': 'true',
      'remote.origin.partialCloneFilter': 'blob:none',
      'remote.origin.uploadpack': await plantProgram('uploadpack'),
      'extensions.partialClone': 'origin',
    };
    for (const [name, value] of Object.entries(settings)) await repository.git('config', name, value);
    await writeFile(path.join(root, '.git/info/attributes'), '* filter=evil diff=evil merge=evil text\n');
    // "Racily clean": Git compares the files again, through their filters, if its index may be older than they are.
    execFileSync('touch', ['-d', '2001-01-01', path.join(root, '.git/index')]);
    await rm(markers, { recursive: true });
    await mkdir(markers);
    await chmod(markers, 0o777);
    // Root reads the checkout of another user, as in a container.
    if (process.getuid?.() === 0)
      for (const name of ['', '.git', '.git/config']) await chown(path.join(root, name), NOBODY, NOBODY);
  });

  afterAll(async () => {
    await source.stop();
    await repository.remove();
    await rm(folder, { recursive: true });
  });

  const CALLS: Readonly<Record<keyof typeof COMMANDS, () => string[]>> = {
    init: () => ['init'],
    new: () => ['new', 'Spring'],
    import: () => ['import', source.url],
    check: () => ['check'],
    dev: () => ['dev'],
    build: () => ['build'],
    serve: () => ['serve'],
    deploy: () => ['deploy', 'nginx', '--first', '--dry-run'],
    verify: () => ['verify', source.url],
    compare: () => ['compare', source.url],
    diff: () => ['diff', 'main', '--format', 'markdown'],
    who: () => ['who', 'tom'],
    client: () => ['client'],
  };

  it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])('%s runs none of these programs', async (name) => {
    const cwd = repository.site.root;
    if (name === 'dev' || name === 'serve') {
      const server = await startServer(CALLS[name](), { cwd });
      for (const place of ['/', '/harbor', '/propose', '/api/v2/theme/'])
        await fetch(server.url + place).then((response) => response.text());
      await server.stop();
    } else expect((await run(CALLS[name](), { cwd })).stderr).not.toContain('has no flag');
    expect(await readdir(path.join(folder, 'ran'))).toEqual([]);
  });
});
