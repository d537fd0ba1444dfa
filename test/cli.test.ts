import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { BIN, finished, run, type Run, type RunOptions, start } from './command-line.ts';
import { plain } from './images.ts';
import { makeSite, readTree, removeSite, type SiteFolder } from './site-folder.ts';
import { longCases } from './long-test.ts';

let valid: SiteFolder;
let faulty: SiteFolder;
let warned: SiteFolder;

/** Every run of this file, for the assertions that hold for all of them. */
const runs: (Run & { args: readonly string[] })[] = [];

beforeAll(async () => {
  valid = await makeSite({
    users: [['ann', 'meadow']],
    themes: { harbor: {}, meadow: {} },
    files: { 'notes.txt': '' },
  });
  faulty = await makeSite({
    themes: {
      harbor: {
        fields: { logo_height: 'tall', favicon: 'favicn.png' },
        images: { 'favicon.png': await plain(8, 8).png().toBuffer() },
      },
    },
  });
  warned = await makeSite({ themes: { harbor: { images: { 'spare.png': await plain(8, 8).png().toBuffer() } } } });
});

afterAll(() => Promise.all([valid, faulty, warned].map(removeSite)));

async function cli(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const result = await run(args, { cwd: valid.root, ...options });
  runs.push({ args, ...result });
  return result;
}

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (flag) => {
    const { code, stdout, stderr } = await cli([flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const [name, { summary }] of Object.entries(commands))
      expect(stdout).toContain(`  ${name.padEnd(8)}${summary}`);
    expect(stdout).toContain('Exit codes: 0');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test.each(Object.entries(commands))('%s --help lists its flags', async (name, { flags }) => {
    const { code, stdout, stderr } = await cli([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: themecast ${name}`);
    const listed = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag = '']) => flag);
    expect(listed.toSorted()).toEqual(Object.keys(flags).toSorted());
    expect(await cli(['help', name])).toEqual({ code, stdout, stderr });
  });

  test.each([['--version'], ['-v']])('%s prints the version of package.json', async (flag) => {
    const manifest = JSON.parse(await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await cli([flag])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test.each([['--help'], ['build', '--help'], ['--version']])(
    '%s %s loads only the command line itself',
    async (...args) => {
      const { stderr } = await cli(args.filter(Boolean), { nodeFlags: ['--import', LISTS_MODULES] });
      const loaded = stderr
        .trim()
        .split('\n')
        .map((file) => path.relative(path.dirname(BIN), file));
      expect(loaded).toContain('cli.js');
      expect(
        loaded.filter(
          (file) =>
            !/^(?:cli|command-line\/[a-z-]+|commands|build\/(?:build-command|report)|io\/invocation|hosts\/(?:secrets|identity-rules)|edge-runtime\/token|theme\/public-url|diagnostics\/(?:suggest|quote|format-[a-z]+))\.js$/.test(
              file,
            ),
        ),
      ).toEqual([]);
    },
  );
});

test.each([
  [['--help'], []],
  ...longCases<[string[], string[]]>([['palette', '#2f6f8f'], ['culori']], [['verify', 'http://127.0.0.1:9'], ['zod']]),
  [
    ['who', 'u-1001', '--themes', path.join(import.meta.dirname, '../themes')],
    ['culori', 'fast-glob', 'yaml', 'zod'],
  ],
])('%j loads no other packages than %j', async (args, packages) => {
  const { stderr } = await cli(args, { nodeFlags: ['--import', LISTS_MODULES] });
  const loaded = [...stderr.matchAll(/^.*\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(([, name = '']) => name);
  expect([...new Set(loaded)].toSorted()).toEqual(packages);
});

/** A module that prints every other loaded module and addon on stderr. */
const LISTS_MODULES = (() => {
  const hooks = `
    import { writeSync } from 'node:fs';
    export async function load(url, context, next) {
      if (url.startsWith('file:')) writeSync(2, new URL(url).pathname + '\\n');
      return next(url, context);
    }`;
  const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  return dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`);
})();

describe('usage errors exit with 2 and list the valid arguments', () => {
  test.each([
    [[], /^themecast: Name a command\.\n\n.*Usage: themecast <command> \[flags\]/s],
    [['frobnicate'], /There is no command `frobnicate`\. `themecast --help` lists the commands\.$/],
    [['toString'], /There is no command `toString`\./],
    [['--strict'], /There is no command `--strict`\./],
    [['build', '--baseurl=https://x.org'], /`build` has no flag `--baseurl`\. Did you mean `--base-url`\?$/],
    [['check', '-x'], /`check` has no flag `-x`\. `themecast check --help` lists the flags\.$/],
    [['build', '--out'], /Option `--out <value>` argument missing\. `themecast build --help` lists the flags\.$/],
    [
      ['build', '--out', '--strict'],
      /Option `--out` argument is ambiguous\. `themecast build --help` lists the flags\.$/,
    ],
    [['build', '--out='], /--out is empty\.$/],
    [['check', '--themes', ''], /--themes is empty\.$/],
    [['build', '--strict=yes'], /Option `--strict` does not take an argument\./],
    [['build', 'themes'], /Unexpected argument `themes`\./],
    [['check', '--base-url', 'ftp://example.org'], /--base-url must be an https URL .*, not `ftp:\/\/example\.org`\.$/],
    [['serve', '--port', '65536'], /--port must be a number from 0 to 65535, not `65536`\.$/],
  ])('themecast %j', async (args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.startsWith('themecast: ')).toBe(true);
    if (args.length > 0) expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('THEMECAST_BASE_URL is named if its value is invalid', async () => {
    const { code, stderr } = await cli(['check'], { env: { THEMECAST_BASE_URL: 'nonsense' } });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^themecast: THEMECAST_BASE_URL must be .*, not `nonsense`\.\n$/),
    });
  });

  test('a stack trace is printed with DEBUG only, and never for a usage error', async () => {
    const args = ['build', '--out', 'notes.txt/dist'];
    const plainly = await cli(args);
    expect(plainly.code).toBe(2);
    expect(plainly.stderr).toMatch(/^themecast: .*notes\.txt\/dist cannot be written: not a directory\.\n$/);
    expect((await run(args, { cwd: valid.root, env: { DEBUG: '1' } })).stderr).toMatch(/\n\w*Error: .*\n {4}at /);
    expect((await cli(['biuld'], { env: { DEBUG: '1' } })).stderr).not.toMatch(/\n {4}at /);
  });
});

describe('check', () => {
  test('publishes nothing', async () => {
    await cli(['check']);
    expect([...(await readTree(valid.root)).keys()].filter((file) => /^(?:dist|edge)\//.test(file))).toEqual([]);
  });

  test('prints only diagnostics with --quiet', async () => {
    expect(await cli(['check', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await cli(['check', '--quiet'], { cwd: faulty.root });
    expect(stdout).toContain('[field/type]');
    expect(stdout).not.toMatch(/[✔✘]|Next/);
  });

  test('suggests forward slashes for a themes folder with backslashes', async () => {
    const { code, stdout } = await cli(['check', '--themes', 'own\\themes']);
    expect(code).toBe(1);
    expect(stdout).toContain('    = Write `own/themes`, with `/` between folders.\n');
  });

  test('names a theme that was renamed since the last build by its id', async () => {
    const site = await makeSite({ themes: { harbor: {}, meadow: {} }, users: [['ann', 'meadow']] });
    expect((await cli(['build'], { cwd: site.root })).code).toBe(0);
    await rename(path.join(site.themesDir, 'meadow'), path.join(site.themesDir, 'prairie'));
    const theme = path.join(site.themesDir, 'prairie/theme.yaml');
    await writeFile(theme, (await readFile(theme, 'utf8')).replace('name: "meadow"', 'name: "Grass"'));
    for (const command of ['check', 'build']) {
      const { code, stdout } = await cli([command], { cwd: site.root });
      expect(code).toBe(1);
      expect(stdout).toContain('There is no theme `meadow`.');
      expect(stdout).toContain('    = The theme has been renamed: write `prairie`.  [fixable]\n');
    }
    await removeSite(site);
  });
});

describe('text from a checkout cannot control a terminal or the log of a runner', () => {
  test('from a file name and a theme', async () => {
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

  test('from a planted lock', async () => {
    const site = await makeSite();
    const owner = { id: 'x', pid: 7, host: 'b\u001b[2J\n::error::c', since: '\u009b31m\u202e##[error]d' };
    await symlink(JSON.stringify(owner), path.join(site.root, '.dist.lock'));
    const { code, stderr } = await cli(['build'], { cwd: site.root });
    await removeSite(site);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'process 7 on b\\u001b[2J\\u000a::error::c, since \\u009b31m\\u202e#\\u0023[error]d. Wait until it ends',
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('build', () => {
  test('repeats the folders in the next command, and names no missing file', async () => {
    const site = await makeSite({ site: { base_url: 'https://example.org', edge: [] } });
    const { stdout } = await cli(['build', '--out', 'www', '--edge-out', 'private'], { cwd: site.root });
    await removeSite(site);
    expect(stdout).toContain('Next: `themecast serve --out www --edge-out private` shows the site');
    expect(stdout).not.toContain('README');
  });

  test('prints nothing with --quiet and all numbers with --format json', async () => {
    expect(await cli(['build', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { files, bytes, rendered, cached, ...rest } = JSON.parse(
      (await cli(['build', '--format', 'json'])).stdout,
    ) as Record<string, number>;
    const dist = await readTree(valid.outDir);
    expect({ files, bytes }).toEqual({
      files: dist.size,
      bytes: [...dist.values()].reduce((sum, content) => sum + content.length, 0),
    });
    expect({ rendered, cached }).toEqual({ rendered: 0, cached: 3 });
    expect(rest).toMatchObject({ diagnostics: [], ok: true, themes: 2, users: 1 });
  });

  test('names files that themecast did not create', async () => {
    const site = await makeSite();
    await cli(['build'], { cwd: site.root });
    await writeFile(path.join(site.outDir, 'mine.txt'), 'mine');
    const { code, stdout } = await cli(['build'], { cwd: site.root });
    const { foreign } = JSON.parse((await cli(['build', '--format', 'json'], { cwd: site.root })).stdout) as {
      foreign: string[];
    };
    await removeSite(site);
    expect(code).toBe(0);
    expect(stdout).toContain('\n! 1 file not made by themecast, left alone: dist/mine.txt\n');
    expect(foreign).toEqual([path.join(site.outDir, 'mine.txt')]);
  });

  test('prefers --base-url to THEMECAST_BASE_URL, and that to site.yaml', async () => {
    const baseUrlOf = async (flags: readonly string[], variable?: string): Promise<string> => {
      const { code } = await cli(['build', '--quiet', ...flags], { env: { THEMECAST_BASE_URL: variable } });
      expect(code).toBe(0);
      const list = await readFile(path.join(valid.outDir, 'api/v2/theme/index.json'), 'utf8');
      return /"favicon":"(.*?)\/media\//.exec(list)?.[1] ?? '';
    };
    const [flag, variable] = ['http://127.0.0.1:8080', 'https://preview.example.org/pr/7'];
    expect(await baseUrlOf(['--base-url', `${flag}/`], variable)).toBe(flag);
    expect(await baseUrlOf([], variable)).toBe(variable);
    expect(await baseUrlOf([], '')).toBe('https://community.example.org');
    expect(await baseUrlOf([])).toBe('https://community.example.org');
  });
});

describe('terminal output', () => {
  test('is neither overwritten nor coloured if it is redirected', async () => {
    for (const { stdout, stderr } of [await cli(['build', '--no-cache']), await cli(['check'], { cwd: faulty.root })])
      expect(stdout + stderr).not.toMatch(/[\r\u001b]/);
  });

  test('ends without an error if the reader stops early', async () => {
    const child = start(['check'], { cwd: faulty.root });
    child.stdout?.destroy();
    const { stderr } = await finished(child);
    expect(stderr).toBe('');
  });

  test('has one line for a file in place of the cache folder', async () => {
    await writeFile(path.join(valid.root, 'cache-file'), '');
    const { code, stderr } = await cli(['build', '--cache', 'cache-file']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'themecast: The cache folder cache-file cannot be written: file already exists. Name another with `--cache DIR`.\n',
    );
  });

  // Mounts a file system in a namespace of its own, which an ordinary user may do only on some systems.
  const readOnly = (command: string): string[] => ['-rm', 'sh', '-c', `mount -t tmpfs -o ro none "$0" && ${command}`];
  const canMount = spawnSync('unshare', [...readOnly('true'), tmpdir()]).status === 0;
  test('has one line for a cache on a read-only disk', async ({ skip }) => {
    skip(!canMount, 'The system lets this user mount nothing, so no disk is read-only.');
    const folder = path.join(valid.root, 'read-only');
    await mkdir(folder);
    for (const cache of [folder, path.join(folder, 'a/b')]) {
      const command = 'exec "$1" "$2" check --themes "$3" --cache "$4"';
      const args = [...readOnly(command), folder, process.execPath, BIN, valid.themesDir, cache];
      const { status, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
      expect(stderr).toBe(
        `themecast: The cache folder ${cache} cannot be written: read-only file system. Name another with \`--cache DIR\`.\n`,
      );
      expect(status).toBe(2);
    }
  });
});

// Last, since it checks the runs of all tests above.
test('no run has printed a stack trace or a warning of Node', () => {
  expect(runs.length).toBeGreaterThan(40);
  expect(
    runs.filter(({ stdout, stderr }) => /^ {4}at |node:internal|\(node:\d+\)|Warning:/m.test(stdout + stderr)),
  ).toEqual([]);
});
