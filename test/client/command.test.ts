import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run, type Run } from '../command-line.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'themecast-client-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const client = (...flags: string[]): Promise<Run> => run(['client', ...flags], { cwd });
const OUT = ['--out', 'src/theme.ts'];
const at = (name: string): string => path.join(cwd, name);

it('writes one file without imports, prints the same, and finds it up to date', async () => {
  expect(await client(...OUT, '--check')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('`src/theme.ts` does not exist.  [client/stale]'),
  });
  expect(await client(...OUT)).toEqual({ code: 0, stdout: '✔ Written: src/theme.ts\n', stderr: '' });
  const text = await readFile(at('src/theme.ts'), 'utf8');
  expect(text).toMatch(/^\/\/ Written by `themecast client`, version \d+\.\d+\.\d+\./);
  expect(text).toContain('MIT License');
  expect(text).not.toMatch(/^(?:import|export) .*from/m);
  expect(await client('--out', '-')).toEqual({ code: 0, stdout: text, stderr: '' });
  expect(await client()).toEqual({ code: 0, stdout: text, stderr: '' });
  expect(await client(...OUT)).toMatchObject({ code: 0, stdout: '✔ src/theme.ts is up to date\n' });
  // As Git checks it out on Windows.
  await writeFile(at('src/theme.ts'), text.replaceAll('\n', '\r\n'));
  expect(await client(...OUT, '--check')).toMatchObject({ code: 0 });
  // A version that would write the same needs no change.
  await writeFile(at('src/theme.ts'), text.replace(/version \d+\.\d+\.\d+/, 'version 0.0.1'));
  expect(await client(...OUT, '--check')).toMatchObject({ code: 0 });
});

it('reports what was edited, foreign or of another version, and replaces only its own file', async () => {
  await client('--out', 'theme.ts');
  const text = await readFile(at('theme.ts'), 'utf8');
  const other = await client('--out', '-').then(({ stdout }) => stdout.slice(stdout.indexOf('/* eslint')));
  const body = `${other}\n// of another version\n`;
  const digest = createHash('sha256').update(body).digest('hex');
  const states = {
    'has been edited': `${text}\n// mine\n`,
    'is not the client of this version': `${text.split('\n')[0]}\n// sha256 of all that follows: ${digest}\n${body}`,
  };
  for (const [message, content] of Object.entries(states)) {
    await writeFile(at('theme.ts'), content);
    expect(await client('--out', 'theme.ts', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(message),
    });
    const isEdited = message.includes('edited');
    if (isEdited) {
      const stderr = expect.stringContaining('has been edited since `themecast client` wrote it') as string;
      expect(await client('--out', 'theme.ts')).toMatchObject({ code: 2, stderr });
      expect(await readFile(at('theme.ts'), 'utf8')).toBe(content);
    }
    const flags = isEdited ? ['--force'] : [];
    expect(await client('--out', 'theme.ts', '--quiet', ...flags)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(at('theme.ts'), 'utf8')).toBe(text);
  }
  await writeFile(at('theme.ts'), 'mine');
  const checked = await client('--out', 'theme.ts', '--check');
  expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('was not written by') });
  expect(await client('--out', 'theme.ts')).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  expect(await readFile(at('theme.ts'), 'utf8')).toBe('mine');
  expect(await client('--out', 'theme.ts', '--force')).toMatchObject({ code: 0 });
  expect(await readFile(at('theme.ts'), 'utf8')).toBe(text);
});

it('names the folder above in which the file is', async () => {
  await mkdir(at('.git'));
  await mkdir(at('apps/web'), { recursive: true });
  await client(...OUT, '--quiet');
  const inWeb = (): Promise<Run> => run(['client', ...OUT, '--check'], { cwd: at('apps/web') });
  const above = expect.stringContaining('in a folder above: run the command in `../..`.');
  expect(await inWeb()).toMatchObject({ code: 1, stdout: above });
  await writeFile(at('src/theme.ts'), 'mine');
  expect(await inWeb()).toMatchObject({ code: 1, stdout: expect.not.stringContaining('above') });
});

it('follows no link in a checkout, and needs a file to compare', async () => {
  await mkdir(at('.git'));
  await mkdir(at('elsewhere'));
  await writeFile(at('elsewhere/theme.ts'), 'mine');
  await symlink('elsewhere', at('linked'));
  await symlink('elsewhere/theme.ts', at('theme.ts'));
  for (const out of ['linked/theme.ts', 'theme.ts', 'elsewhere', 'elsewhere/theme.ts/x.ts'])
    expect(await client('--out', out, '--force')).toMatchObject({ code: 2, stdout: '' });
  expect(await readFile(at('elsewhere/theme.ts'), 'utf8')).toBe('mine');
  for (const flags of [['--check'], ['--out', '-', '--check'], ['--out', 'theme.js'], ['--check', '--force']])
    expect(await client(...flags)).toMatchObject({ code: 2, stdout: '' });
});
