import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, type Run, type RunOptions } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const CSV = 'user,theme\nann,meadow\nbob,meadow\ntom@example.org,harbor\n';

let site: SiteFolder;
const runs: Run[] = [];

async function cli(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const env = { TMPDIR: path.join(site.root, 'tmp'), ...options.env };
  const result = await run(args, { cwd: site.root, ...options, env });
  runs.push(result);
  return result;
}

/** Returns the mapping of the last build. */
const readMapping = (): Promise<string> => readFile(path.join(site.edgeOutDir, 'users.ndjson'), 'utf8');

const write = (file: string, content: string | Buffer): Promise<void> => writeFile(path.join(site.root, file), content);

beforeAll(async () => {
  site = await makeSite({ themes: { harbor: {}, meadow: {} } });
  await mkdir(path.join(site.root, 'tmp'));
});

afterAll(() => removeSite(site));

describe('--users', () => {
  const mapping = '["user","ann","meadow"]\n["user","bob","meadow"]\n';

  it('reads a file, and standard input', async () => {
    await write('export', CSV);
    for (const [users, options] of [
      ['export', {}],
      ['-', { input: CSV }],
    ] as const) {
      const { code, stdout, stderr } = await cli(['build', '--users', users], options);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('2 users with an assigned theme');
      expect(await readMapping()).toBe(mapping);
    }
  });

  it('reads theme ids, as a database exports them', async () => {
    await write('export', 'user,theme_id\nann,2\n"bob","2"\n');
    expect((await cli(['build', '--users', 'export'])).code).toBe(0);
    expect(await readMapping()).toBe(mapping);
    const who = await cli(['who', 'bob', '--users', 'export']);
    expect(who.stdout).toContain('meadow');
  });

  it('adds to the users files of the site, and reports duplicate users', async () => {
    await write('themes/users.csv', 'user,theme\neve,meadow\n');
    await write('more.csv', 'user,theme\nfay,meadow\neve,harbor\n');
    const { code, stdout } = await cli(['check', '--users', 'more.csv']);
    expect(code).toBe(1);
    expect(stdout).toContain('more.csv:3:1  error  This user or group is already listed in `themes/users.csv:2`.');
    const piped = await cli(['check', '--users', '-'], { input: 'user,theme\nfay,meadow\neve,harbor\n' });
    expect(piped.stdout).toContain('standard input:3:1  error  This user or group is already');
    await rm(path.join(site.themesDir, 'users.csv'));
  });

  it.each([
    ['a missing file', 'missing.csv', 'no such file or directory. Name a file of CSV'],
    ['a folder', 'themes', 'illegal operation on a directory. Name a file of CSV'],
  ])('exits with 2 and one line of text for %s', async (_, file, message) => {
    for (const command of ['check', 'build']) {
      const { code, stdout, stderr } = await cli([command, '--users', file]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`themecast: --users ${file} cannot be read: `);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});

describe('keyed shards', () => {
  beforeAll(async () => {
    const keyed = { base_url: 'https://example.org', edge: ['cloudflare'], mapping: { keyed: true } };
    await write('themes/site.yaml', JSON.stringify(keyed));
    await write('themes/users.csv', 'user,theme\nann,meadow\n');
  });

  it.each([
    ['no secret', undefined, 'is not set'],
    ['a short secret', 'short-secret-of-31-characters-x', 'has 31 bytes'],
  ])('exit with 2 and explain how to create a secret: %s', async (_, secret, message) => {
    const { code, stdout, stderr } = await cli(['build'], { env: { THEMECAST_KEY_SECRET: secret } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^themecast: .*THEMECAST_KEY_SECRET.*openssl rand -hex 32.*\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('short-secret');
    expect((await cli(['check'], { env: { THEMECAST_KEY_SECRET: secret } })).code).toBe(0);
  });
});

it('no run prints a stack trace or a warning, or leaves a temporary file', async () => {
  expect(runs.map(({ stderr }) => stderr).filter((text) => /\n {4}at |Warning/.test(text))).toEqual([]);
  expect(await readdir(path.join(site.root, 'tmp'))).toEqual([]);
});
