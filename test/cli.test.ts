import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, waitForExit, run, type Run, type RunOptions, start } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { longCases } from './long-test.ts';

let valid: SiteFolder;
beforeAll(async () => {
  valid = await makeSite({ files: { 'notes.txt': '' } });
});
afterAll(() => removeSite(valid));

const cli = (args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  run(args, { cwd: valid.root, ...options });

// Help, usage errors and the output of most commands have golden files: test/golden/calls.ts.
describe('help', () => {
  test('is printed by --help, -h and help', async () => {
    const help = await cli(['--help']);
    for (const name of ['-h', 'help']) expect(await cli([name])).toEqual(help);
    expect(await cli(['help', 'build'])).toEqual(await cli(['build', '--help']));
  });

  test.each([['--version'], ['-v']])('%s prints the version of package.json', async (flag) => {
    const manifest = JSON.parse(await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await cli([flag])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test.each([['--help'], ['build', '--help'], ['--version']])(
    '%s %s loads only modules of the command line',
    async (...args) => {
      const { stderr } = await cli(args.filter(Boolean), { nodeFlags: ['--import', MODULE_LISTER] });
      const loaded = stderr
        .trim()
        .split('\n')
        .map((file) => path.relative(path.dirname(BIN), file));
      expect(loaded).toContain('cli.js');
      expect(loaded.length).toBeLessThanOrEqual(4);
      expect(loaded.filter((file) => !/^(?:cli|(?:start|help|command)-[\w-]+)\.js$/.test(file))).toEqual([]);
    },
  );
});

test.each([
  [['--help'], []],
  ...longCases<[string[], string[]]>([
    ['verify', 'http://127.0.0.1:9'],
    ['culori', 'yaml', 'zod'],
  ]),
  [
    ['who', 'u-1001', '--themes', path.join(import.meta.dirname, '../themes')],
    ['culori', 'yaml', 'zod'],
  ],
])('%j loads only the packages %j', async (args, packages) => {
  const { stderr } = await cli(args, { nodeFlags: ['--import', MODULE_LISTER] });
  const loaded = [...stderr.matchAll(/^.*\/bundle\/(culori|saxes|yaml|zod)-/gm)].map(([, name = '']) => name);
  expect([...new Set(loaded)].toSorted()).toEqual(packages);
});

/** The URL of a module that prints every loaded module and addon to stderr. */
const MODULE_LISTER = (() => {
  const hooks = `
    import { writeSync } from 'node:fs';
    export async function load(url, context, next) {
      if (url.startsWith('file:')) writeSync(2, new URL(url).pathname + '\\n');
      return next(url, context);
    }`;
  const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  return dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`);
})();

test("rejects Yarn's Plug'n'Play, whose links leave their folder, and explains how to turn it off", async () => {
  const pnp = "Object.defineProperty(process, 'versions', { value: { ...process.versions, pnp: '3' } })";
  const { code, stderr } = await cli(['build'], { nodeFlags: ['--import', `data:text/javascript,${pnp}`] });
  expect([code, stderr]).toEqual([2, expect.stringContaining('Put `nodeLinker: node-modules` into .yarnrc.yml')]);
});

describe('error messages', () => {
  test('mention THEMECAST_BASE_URL if its value is invalid', async () => {
    const { code, stderr } = await cli(['check'], { env: { THEMECAST_BASE_URL: 'nonsense' } });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^themecast: THEMECAST_BASE_URL must be .*, not `nonsense`\.\n$/),
    });
  });

  test('include a stack trace only with DEBUG, and never for a usage error', async () => {
    const args = ['build', '--out', 'notes.txt/dist'];
    const withoutDebug = await cli(args);
    expect(withoutDebug.code).toBe(2);
    expect(withoutDebug.stderr).toMatch(/^themecast: .*notes\.txt\/dist cannot be written: not a directory\.\n$/);
    expect((await run(args, { cwd: valid.root, env: { DEBUG: '1' } })).stderr).toMatch(/\n\w*Error: .*\n {4}at /);
    expect((await cli(['biuld'], { env: { DEBUG: '1' } })).stderr).not.toMatch(/\n {4}at /);
  });
});

describe('text from a checkout cannot control a terminal or the log of a runner', () => {
  test('in a file name or a theme', async () => {
    const site = await makeSite({
      themes: { harbor: { fields: { logo_alignment: '##[add-path]/tmp', extends: '##vso[task.x]y' } } },
      files: { 'themes/::error title=x::y/theme.yaml': '', 'themes/##[warning]z/theme.yaml': '' },
    });
    for (const format of ['text', 'json', 'github']) {
      const { stdout } = await cli(['check', '--themes', '.', '--format', format], { cwd: site.themesDir });
      const lines = stdout.split('\n').filter((line) => !/^::(?:error|warning|notice) file=/.test(line));
      expect(lines.filter((line) => /##\w*\[/.test(line) || /^\s*::/.test(line))).toEqual([]);
      expect(stdout).toMatch(/#\\+u0023\[add-path\]/);
    }
    await removeSite(site);
  });

  test('in a forged lock', async () => {
    const site = await makeSite();
    const owner = { id: 'x', pid: 7, host: 'b\u001b[2J\n::error::c', since: '\u009b31m\u202e##[error]d' };
    await symlink(JSON.stringify(owner), path.join(site.root, '.dist.lock'));
    const { code, stderr } = await cli(['build'], { cwd: site.root });
    await removeSite(site);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'process 7 on b\\u001b[2J\\n::error::c, since \\u009b31m\\u202e#\\u0023[error]d. Wait until it ends',
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('build', () => {
  test('uses --base-url, else THEMECAST_BASE_URL, else site.yaml', async () => {
    const buildWithBaseUrl = async (flags: readonly string[], variable?: string): Promise<string> => {
      const { code } = await cli(['build', '--quiet', ...flags], { env: { THEMECAST_BASE_URL: variable } });
      expect(code).toBe(0);
      const list = await readFile(path.join(valid.outDir, 'api/v2/theme/index.json'), 'utf8');
      return /"favicon":"(.*?)\/media\//.exec(list)?.[1] ?? '';
    };
    const [flag, variable] = ['http://127.0.0.1:8080', 'https://preview.example.org/pr/7'];
    expect(await buildWithBaseUrl(['--base-url', `${flag}/`], variable)).toBe(flag);
    expect(await buildWithBaseUrl([], variable)).toBe(variable);
    expect(await buildWithBaseUrl([], '')).toBe('https://community.example.org');
    expect(await buildWithBaseUrl([])).toBe('https://community.example.org');
  });
});

test('exits without an error if stdout is closed early', async () => {
  const child = start(['check'], { cwd: valid.root });
  child.stdout?.destroy();
  const { stderr } = await waitForExit(child);
  expect(stderr).toBe('');
});
