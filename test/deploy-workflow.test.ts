import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FOLDER, workflowSteps } from './deploy/workflow.ts';

const run = promisify(execFile);

test('every command of the workflows is well-formed', async () => {
  const commands = await Promise.all(['deploy.yml', 'themes.yml'].map(workflowSteps));
  expect(commands.flat().length).toBeGreaterThan(5);
  for (const step of commands.flat()) await run('bash', ['-n', '-c', step.run]);
  await run('sh', ['-n', path.join(FOLDER, 'themecast-rules')]);
});

test('themecast-rules leaves the old rules or the new ones, wherever it is killed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'themecast-rules-'));
  const bin = path.join(folder, 'bin');
  const etc = path.join(folder, 'nginx');
  const uploaded = path.join(folder, 'uploaded');
  const rules = path.join(etc, 'themecast');
  const files = ['theme-service.conf', 'users.map'];
  const write = (text: string): Promise<unknown> =>
    Promise.all(files.map((file) => writeFile(path.join(uploaded, file), text)));
  const installed = (): Promise<string[]> => Promise.all(files.map((file) => readFile(path.join(rules, file), 'utf8')));
  /** Runs the script until its nth command. @returns whether it ended before */
  const install = async (steps: number): Promise<boolean> => {
    await rm(path.join(folder, 'steps'), { force: true });
    const env = { PATH: `${bin}:${process.env['PATH']}`, STEPS: String(steps) };
    const script = run('sh', [path.join(FOLDER, 'themecast-rules'), uploaded, rules], { env });
    return script.then(
      () => true,
      () => false,
    );
  };
  try {
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
      // The link and one folder.
      expect(await readdir(etc)).toHaveLength(2);
      await write('new');
      isComplete = await install(steps);
      expect((await installed()).join()).toMatch(/^(?:old,old|new,new)$/);
    }
    expect(steps).toBeGreaterThan(5);
    expect(await installed()).toEqual(['new', 'new']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
