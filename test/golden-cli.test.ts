import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import { run, type Run, startServer } from './command-line.ts';
import { copyFixture } from './fixture.ts';
import { CALLS, type Place } from './golden/calls.ts';
import { goldenFile, goldenNames, UPDATE_HINT, writeGoldenFiles } from './golden/golden.ts';

const SITE = `base_url: https://community.example.org
edge: [nginx, cloudflare, vercel]
identity:
  - theme: { cookie: theme }
  - user: { cookie: uid }
  - group: { header: X-Group, shared_secret: { header: X-Proxy-Secret, env: PROXY_SECRET } }
`;

const folders = new Map<Place, string>();
const folderOf = (place: Place): string => folders.get(place) ?? '';

/** Each place has its own cache, since images that are equal in two places are decoded once. */
const inPlace = (place: Place) => ({
  cwd: folderOf(place),
  env: { XDG_CACHE_HOME: `${folderOf(place)}-home` },
});

beforeAll(async () => {
  for (const [place, kind, fixture] of [
    ['valid', 'valid', 'users'],
    ['faulty', 'invalid', 'field.type'],
    ['warned', 'invalid', 'image.unused'],
  ] as const)
    folders.set(place, (await copyFixture(kind, fixture)).folder);
  await writeValidSite(folderOf('valid'));
  await mkdir(path.join(folderOf('warned'), 'more'));
  await writeFile(path.join(folderOf('warned'), 'more/users.csv'), 'user,theme\ntom,meadow\n');
  expect(await run(['build'], inPlace('valid'))).toMatchObject({ code: 0 });
});

afterAll(async () => {
  for (const folder of folders.values())
    for (const name of [folder, `${folder}-home`]) await rm(name, { recursive: true, force: true });
});

/** Creates a site with the prerequisites of every command. */
async function writeValidSite(folder: string): Promise<void> {
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  await write('themes/site.yaml', SITE);
  await write('themes/users/groups.csv', 'group,theme\nstaff,meadow\n');
  await write('keyed/site.yaml', `${SITE}mapping: {keyed: true}\n`);
  await write('notes/todo.txt', '');
  await write('more/groups.csv', 'group,theme\nguests,harbor\n');
  await write('more/users.csv', 'user,theme\nEve,meadow\nzoe,medow\nann,meadow\nann,harbor\n');
  const rows = Array.from({ length: 1000 }, (_, index) => `u-${index},harbor\n`);
  await write('more/many.csv', `user,theme\n${rows.join('')}`);
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: folder });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'git@github.com:example/themes.git');
}

/** Returns the output of a call without its variable parts: times, ports, and values that depend on the bytes of thumbnails. */
function portableOutput(cwd: string, args: readonly string[], { code, stdout, stderr }: Run): string {
  const text = `$ themecast ${args.join(' ')}\n${stdout}${stderr === '' ? '' : `--- on stderr\n${stderr}`}--- exit code ${code}\n`;
  return text
    .replaceAll(cwd, 'CWD')
    .replaceAll(/\b\d+\.\d s\b/g, 'N s')
    .replaceAll(/\b\d[\d.]* (?:kB|MB)\b/g, 'SIZE')
    .replaceAll(/"bytes": \d+/g, '"bytes": SIZE')
    .replaceAll(/(http:\/\/127\.0\.0\.1):\d+/g, '$1:PORT')
    .replaceAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{16}|[0-9a-f]{8}(?=…))/g, 'HASH');
}

async function expectGolden(name: string, text: string): Promise<void> {
  await writeGoldenFiles('cli', name, new Map([['output.txt', Buffer.from(text)]]));
  await expect(text).toMatchFileSnapshot(goldenFile('cli', name), UPDATE_HINT);
}

const HELP = Object.fromEntries(
  ['', ...Object.keys(commands)].map((name) => [
    name === '' ? 'help' : `help-${name}`,
    { args: [name, '--help'].filter(Boolean) },
  ]),
);

/** Calls with the URL of a served build: the name of the golden file, and the command with its flags. */
const SERVED: readonly (readonly [name: string, ...args: string[]])[] = [
  ['verify', 'verify', '--host', 'nginx'],
  ['verify-json', 'verify', '--format', 'json'],
  ['verify-old', 'verify', '--rate', '1000', '--sample', 'themes/users.csv:2', '--old'],
  ['verify-old-json', 'verify', '--rate', '1000', '--format', 'json', '--old'],
];

describe('command-line output', () => {
  it.each(Object.entries({ ...HELP, ...CALLS }))('of %s matches its golden file', async (name, call) => {
    const { args, in: place = 'valid' } = call as (typeof CALLS)[string];
    const text = portableOutput(folderOf(place), args, await run(args, inPlace(place)));
    if (name in HELP) expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
    await expectGolden(name, text);
  });

  it('of serve and verify matches their golden files', async () => {
    const cwd = folderOf('valid');
    const server = await startServer(['serve'], {
      cwd,
      env: { PROXY_SECRET: 'proxy-secret-0123456789-abcdefghijklmn' },
    });
    try {
      for (const [name, command = '', ...flags] of SERVED) {
        const args = flags.at(-1) === '--old' ? [command, ...flags, server.url] : [command, server.url, ...flags];
        await expectGolden(name, portableOutput(cwd, args, await run(args, { cwd })));
      }
    } finally {
      await expectGolden('serve', portableOutput(cwd, ['serve', '--port', '0'], await server.stop()));
    }
  });

  it('has a call for every golden file', async () => {
    const calledNames = new Set([...Object.keys({ ...HELP, ...CALLS }), 'serve', ...SERVED.map(([name]) => name)]);
    expect((await goldenNames('cli')).filter((name) => !calledNames.has(name))).toEqual([]);
  });
});
