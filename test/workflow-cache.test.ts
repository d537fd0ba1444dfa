import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readTemplates } from '../src/commands/start/io/templates.ts';
import { workflows } from '../src/commands/start/repository.ts';
import { BIN } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: { path: string; key: string; 'restore-keys'?: string };
  'working-directory'?: string;
}
interface GitlabJob {
  cache?: { paths: string[]; policy?: string };
  script: string[];
}

const textOf = (ci: 'github' | 'gitlab', file: string): string =>
  workflows({ ci, hosts: ['nginx'], templates: readTemplates() }).get(file) ?? '';
const stepsOf = (name: string): Step[] =>
  Object.values(
    (parse(textOf('github', `.github/workflows/${name}.yml`)) as { jobs: Record<string, { steps: Step[] }> }).jobs,
  ).flatMap(({ steps }) => steps);

let site: SiteFolder;
let root: string;
/** The caches that the service keeps, by key. */
let saved: string;
const git = (...args: string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=E', '-c', 'user.email=e@example.org', ...args], { cwd: site.root });

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'themecast-runner-'));
  saved = path.join(root, 'saved');
  site = await makeSite({ themes: { harbor: {}, meadow: {} } });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Themes');
});
afterAll(async () => {
  await removeSite(site);
  await rm(root, { recursive: true, force: true });
});

/** Makes a checkout on a new machine, with themecast as `npx` and as a package of the base. */
async function checkOut(): Promise<string> {
  const machine = await mkdtemp(path.join(root, 'machine-'));
  for (const name of ['base', 'proposed'])
    execFileSync('git', ['clone', '--quiet', site.root, path.join(machine, name)]);
  const command = `#!/bin/sh\n[ "$1" = --no-install ] && shift 2\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  for (const file of ['bin/npx', 'base/node_modules/.bin/themecast']) {
    await mkdir(path.dirname(path.join(machine, file)), { recursive: true });
    await writeFile(path.join(machine, file), command, { mode: 0o755 });
  }
  return machine;
}

/** Runs commands as a runner does. @returns what they print */
function runCommands(script: string, cwd: string, machine: string): string {
  const env = {
    PATH: `${path.join(machine, 'bin')}:${process.env['PATH']}`,
    HOME: path.join(machine, 'home'),
    RUNNER_TEMP: machine,
    GITHUB_STEP_SUMMARY: path.join(machine, 'summary'),
    FAIL_ON: 'never',
    CI_PROJECT_DIR: cwd,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
    fail_on: 'never',
  };
  return execFileSync('bash', ['-e', '-c', script], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs the steps of a workflow that restore, build and save, on a new machine. */
async function runGithub(name: string, sha: string): Promise<string> {
  const machine = await checkOut();
  let printed = '';
  for (const { uses = '', run = '', with: settings, 'working-directory': folder = 'proposed' } of stepsOf(name)) {
    const keyOf = (text = ''): string => text.replaceAll(/\$\{\{ [\w.]*sha \}\}/g, sha).replaceAll(/[^\w-]/g, '');
    const place = (settings?.path ?? '').replace('${{ runner.temp }}', machine);
    const from = path.join(saved, keyOf(settings?.['restore-keys']));
    if (uses.startsWith('actions/cache/restore@') && existsSync(from)) await cp(from, place, { recursive: true });
    if (uses.startsWith('actions/cache/save@')) {
      expect(keyOf(settings?.key).endsWith(sha)).toBe(true);
      await cp(place, path.join(saved, keyOf(settings?.key).slice(0, -sha.length)), { recursive: true });
    }
    if (/themecast (?:build|diff) /.test(run)) printed += runCommands(run, path.join(machine, folder), machine);
  }
  return printed;
}

const RENDERED = / (\d+) images rendered/g;
const renderedIn = (printed: string): number =>
  [...printed.matchAll(RENDERED)].reduce((sum, [, count]) => sum + Number(count), 0);

describe('the jobs that `init` writes', () => {
  test('for GitHub decode every image once, and pull requests save nothing', async () => {
    const first = await runGithub('themes', 'a1');
    expect(renderedIn(first)).toBeGreaterThan(0);
    expect(existsSync(saved)).toBe(false);
    expect(renderedIn(await runGithub('deploy', 'a1'))).toBe(renderedIn(first));
    for (const name of ['deploy', 'themes']) {
      const printed = await runGithub(name, 'b2');
      expect(printed).toMatch(RENDERED);
      expect(renderedIn(printed)).toBe(0);
    }
    await runGithub('review', 'b2');
  });

  test('for GitLab decode every image once', async () => {
    const jobs = parse(textOf('gitlab', '.gitlab-ci.yml')) as Record<string, GitlabJob>;
    const cache = path.join(root, 'gitlab');
    const runJob = async (name: string): Promise<string> => {
      const machine = await checkOut();
      const cwd = path.join(machine, 'proposed');
      const { cache: settings, script = [] } = jobs[name] ?? {};
      const [folder = ''] = settings?.paths ?? [];
      if (existsSync(cache)) await cp(cache, path.join(cwd, folder), { recursive: true });
      const commands = script.filter((line) => /themecast (?:check|build|diff) /.test(line));
      const printed = runCommands(commands.join('\n').replaceAll('/tmp/site', `${machine}/site`), cwd, machine);
      if (settings?.policy !== 'pull') await cp(path.join(cwd, folder), cache, { recursive: true });
      return printed;
    };
    // `check` has decoded all images that `build` needs.
    expect(renderedIn(await runJob('themes'))).toBe(0);
    await rm(cache, { recursive: true });
    expect(renderedIn(await runJob('deploy-nginx'))).toBeGreaterThan(0);
    for (const name of ['deploy-nginx', 'themes', 'review']) expect(renderedIn(await runJob(name))).toBe(0);
  });
});
