import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { waitForExit, type Run } from '../command-line.ts';

/** The folder of the workflows that users copy into their repositories. */
const FOLDER = path.join(import.meta.dirname, '../../docs/theme-repository');

/** A step of a job that runs commands. */
interface Step {
  run: string;
  env: Readonly<Record<string, string>>;
}

/** Returns the steps of a workflow that run commands, in order. */
export async function workflowSteps(file: string): Promise<Step[]> {
  const { jobs } = parse(await readFile(path.join(FOLDER, file), 'utf8')) as {
    jobs: Record<string, { steps: Partial<Step>[] }>;
  };
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ run, env = {} }) => (run === undefined ? [] : [{ run, env }]));
}

/** The environment of the commands of a job. */
export interface Runner {
  repository: string;
  /** The folder for temporary files of the job. */
  temp: string;
  /** The secrets and variables of the repository, by name. */
  settings: Readonly<Record<string, string>>;
  /** Commands that take precedence over the commands of this machine. */
  bin?: string;
}

/** Runs a step as a runner does, with `bash -e` and the environment of the step. */
export async function runStep({ run, env }: Step, { repository, temp, settings, bin = '' }: Runner): Promise<Run> {
  const script = path.join(temp, 'step.sh');
  await writeFile(script, run);
  const resolved = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\$\{\{ (?:secrets|vars)\.(\w+) \}\}$/, (_, setting: string) => settings[setting] ?? ''),
  ]);
  const runnerEnv = { PATH: `${bin}:${process.env['PATH']}`, HOME: temp, CI: 'true', RUNNER_TEMP: temp };
  const child = spawn('bash', ['-e', script], {
    cwd: repository,
    env: { ...runnerEnv, ...Object.fromEntries(resolved) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return waitForExit(child);
}

/** Runs the job of deploy.yml without its first command, which would use the network. */
export async function runJob(repository: string, settings: Runner['settings']): Promise<Run> {
  const temp = await mkdtemp(path.join(tmpdir(), 'themecast-runner-'));
  const [install, ...steps] = await workflowSteps('deploy.yml');
  if (install?.run !== 'npm ci') throw new Error('The first command must be `npm ci`.');
  let result: Run = { code: 0, stdout: '', stderr: '' };
  for (const step of steps) {
    if (result.code !== 0) break;
    const { code, stdout, stderr } = await runStep(step, { repository, temp, settings });
    result = { code, stdout: result.stdout + stdout, stderr: result.stderr + stderr };
  }
  await rm(temp, { recursive: true, force: true });
  return result;
}
