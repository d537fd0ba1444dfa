import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { waitForExit, type Run } from '../command-line.ts';

/** The workflows that users copy into their repositories. */
export const FOLDER = path.join(import.meta.dirname, '../../docs/theme-repository');

/** A step of a job with commands. */
interface Step {
  run: string;
  env: Readonly<Record<string, string>>;
}

/** Returns the steps of a workflow with commands, in order. */
export async function workflowSteps(file: string): Promise<Step[]> {
  const { jobs } = parse(await readFile(path.join(FOLDER, file), 'utf8')) as {
    jobs: Record<string, { steps: Partial<Step>[] }>;
  };
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ run, env = {} }) => (run === undefined ? [] : [{ run, env }]));
}

export function deploySteps(): Promise<Step[]> {
  return workflowSteps('deploy.yml');
}

/** The environment of the commands of a job. */
export interface Runner {
  repository: string;
  /** The folder for the files of a job, emptied before the next. */
  temp: string;
  /** The secrets and variables of the environment, by name. */
  settings: Readonly<Record<string, string>>;
  /** Commands that take precedence over the commands of this machine. */
  bin?: string;
}

/** Runs a step as a runner does: with `bash -e`, in the environment of the step and of the runner. */
export async function runStep({ run, env }: Step, { repository, temp, settings, bin }: Runner): Promise<Run> {
  const script = path.join(temp, 'step.sh');
  await writeFile(script, run);
  const resolved = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\$\{\{ (?:secrets|vars)\.(\w+) \}\}$/, (_, setting: string) => settings[setting] ?? ''),
  ]);
  const child = spawn('bash', ['-e', script], {
    cwd: repository,
    env: {
      PATH: [...(bin === undefined ? [] : [bin]), process.env['PATH']].join(':'),
      HOME: temp,
      CI: 'true',
      RUNNER_TEMP: temp,
      ...Object.fromEntries(resolved),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return waitForExit(child);
}

/** Runs the whole job except its first command, which installs the generator from the network, as another test does. */
export async function runJob(runner: Omit<Runner, 'temp'>): Promise<Run> {
  const temp = await mkdtemp(path.join(tmpdir(), 'themecast-runner-'));
  try {
    const [install, ...steps] = await deploySteps();
    if (install?.run !== 'npm ci') throw new Error('The first command is expected to be `npm ci`.');
    let [code, stdout, stderr]: [number | null, string, string] = [0, '', ''];
    for (const step of steps) {
      const result = await runStep(step, { ...runner, temp });
      [code, stdout, stderr] = [result.code, stdout + result.stdout, stderr + result.stderr];
      if (code !== 0) break;
    }
    return { code, stdout, stderr };
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}
