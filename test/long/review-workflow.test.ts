import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, type Run } from '../command-line.ts';
import { runStep, workflowSteps } from '../deploy/workflow.ts';
import { installed } from '../hosts/process.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { skipAll } from '../skip.ts';

const execute = promisify(execFile);

/** A replacement for `gh api`: stores comments in a file, applies `--jq` with jq, and records writes. */
const GH = `#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
target=$2 method=GET filter=. body=
for ((i = 3; i <= $#; i++)); do
  case "\${!i}" in
    --jq) i=$((i + 1)); filter=\${!i} ;;
    --method) i=$((i + 1)); method=\${!i} ;;
    -F) i=$((i + 1)); body=$OLDPWD/\${!i#body=@}; [ "$method" = PATCH ] || method=POST ;;
  esac
done
case "$method $target" in
  'GET repos/o/r/issues/7/comments') jq -r "$filter" comments.json ;;
  'GET repos/o/r/issues/comments/'*) jq -r ".[] | select(.id == \${target##*/}) | $filter" comments.json ;;
  *) echo "$method $target" >>writes
    [ "$method" = PATCH ] && id=\${target##*/} || id=12
    jq --rawfile body "$body" --argjson id "$id" \\
      'map(select(.id != $id)) + [{id: $id, user: {login: "github-actions[bot]"}, body: $body}]' comments.json >new
    mv new comments.json ;;
esac
`;

if (installed('jq', '--version') === undefined) skipAll('the review of a pull request', 'jq is not installed.');
else
  describe('the review of a pull request', { timeout: 150_000 }, () => {
    let folder: string;
    let site: SiteFolder;
    const at = (...names: string[]): string => path.join(folder, ...names);
    const git = (cwd: string, ...args: string[]): Promise<unknown> =>
      execute('git', ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.org', ...args], { cwd });

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'themecast-review-'));
      site = await makeSite({ themes: { harbor: {}, meadow: {} }, users: [['tom', 'meadow']] });
      await writeFile(path.join(site.root, 'package.json'), '{"devDependencies":{"themecast":"0.1.0"}}');
      await git(site.root, 'init', '--quiet', '--initial-branch=main');
      await git(site.root, 'add', '--all');
      await git(site.root, 'commit', '--quiet', '--message', 'Base');
      await git(folder, 'clone', '--quiet', '--bare', site.root, at('remote.git'));
      for (const name of ['base', 'proposed']) await git(folder, 'clone', '--quiet', at('remote.git'), name);
      await mkdir(at('base/node_modules/.bin'), { recursive: true });
      const bin = at('base/node_modules/.bin/themecast');
      await writeFile(bin, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 });
      await mkdir(at('bin'));
      await writeFile(at('bin/gh'), GH, { mode: 0o755 });
      const foreignComments = [{ id: 3, user: { login: 'tom' }, body: '<!-- themecast diff: changes --> quoted' }];
      await writeFile(at('bin/comments.json'), JSON.stringify(foreignComments));
    });
    afterAll(async () => {
      await rm(folder, { recursive: true });
      await removeSite(site);
    });

    const yaml = (slug: string): string => at('proposed/themes', slug, 'theme.yaml');
    /** Pushes the proposed changes, and runs both jobs. @returns the result of the comparison, and the writes */
    async function review(failOn = 'breaking'): Promise<Run & { writes: string }> {
      await git(at('proposed'), 'commit', '--quiet', '--all', '--allow-empty', '--message', 'Change');
      await git(at('proposed'), 'push', '--quiet', 'origin', 'HEAD:refs/heads/change');
      const temp = await mkdtemp(path.join(folder, 'runner-'));
      const [detect, install, compare, comment] = await workflowSteps('review.yml');
      if (detect === undefined || install?.run !== 'npm ci' || compare === undefined || comment === undefined)
        throw new Error('The workflow has unexpected steps.');
      const runner = { settings: {}, temp, bin: at('bin') };
      const outputs = { GITHUB_OUTPUT: path.join(temp, 'output'), GITHUB_STEP_SUMMARY: path.join(temp, 'summary') };
      await runStep({ ...detect, env: outputs }, { ...runner, repository: folder });
      expect(await readFile(outputs.GITHUB_OUTPUT, 'utf8')).toBe('has_themecast=true\n');
      const result = await runStep(
        { ...compare, env: { ...outputs, FAIL_ON: failOn } },
        { ...runner, repository: at('proposed') },
      );
      if (result.stderr === '') {
        expect(await readFile(path.join(temp, 'review/themes.html'), 'utf8')).toContain('<!doctype html>');
      }
      await rm(at('bin/writes'), { force: true });
      const env = { GH_TOKEN: 'token', REPOSITORY: 'o/r', NUMBER: '7' };
      const written = await runStep({ ...comment, env }, { ...runner, repository: path.join(temp, 'review') });
      expect(written).toMatchObject({ code: 0, stderr: '' });
      return { ...result, writes: await readFile(at('bin/writes'), 'utf8').catch(() => '') };
    }
    const comment = async (): Promise<string | undefined> => {
      const comments = JSON.parse(await readFile(at('bin/comments.json'), 'utf8')) as { id: number; body: string }[];
      expect(comments.find(({ id }) => id === 3)?.body).toBe('<!-- themecast diff: changes --> quoted');
      return comments.find(({ id }) => id === 12)?.body;
    };

    test('comments only on changes, updates its comment, and fails for a breaking change unless a label accepts it', async () => {
      expect(await review()).toMatchObject({ code: 0, stderr: '', writes: '' });
      const meadow = await readFile(yaml('meadow'), 'utf8');
      await writeFile(yaml('meadow'), meadow.replace(/^name: .*$/m, 'name: Spring'));
      expect(await review()).toMatchObject({ code: 0, writes: 'POST repos/o/r/issues/7/comments\n' });
      expect(await comment()).toContain('<code>Spring</code>');
      await writeFile(yaml('meadow'), meadow.replace(/^id: .*$/m, 'id: 77'));
      const breaking = await review();
      expect(breaking).toMatchObject({ code: 1, writes: 'PATCH repos/o/r/issues/comments/12\n' });
      expect(await comment()).toContain('theme-break-accepted');
      expect(await review('never')).toMatchObject({ code: 0 });
      await writeFile(yaml('meadow'), meadow);
      expect(await review()).toMatchObject({ code: 0, writes: 'PATCH repos/o/r/issues/comments/12\n' });
      expect(await comment()).toContain('No theme changes');
      expect(await review()).toMatchObject({ code: 0, writes: '' });
      await writeFile(yaml('meadow'), 'name: [');
      expect(await review()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Nothing was compared'),
        writes: 'PATCH repos/o/r/issues/comments/12\n',
      });
      expect(await comment()).toContain('The themes have 1 error');
    });
  });
