import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listening } from './listening.ts';
import { build } from '../src/index.ts';
import { recordText } from '../src/document/deployment.ts';
import { run as runBin } from './command-line.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

const SECRETS = { TOKEN_SECRET: 'token-secret-0123456789-abcdefghijklmn' };

const SITE = `base_url: https://community.example.org
edge: [nginx, cloudflare]
identity:
  - theme: { cookie: theme }
  - user: { cookie: uid }
  - user: { jwt: { claim: sub, algorithm: HS256, secret_env: TOKEN_SECRET } }
  - group: { header: X-Group, shared_secret: { header: X-Proxy-Secret, env: PROXY_SECRET } }
`;

let site: SiteFolder;

const who = (...args: string[]) => runBin(['who', ...args], { cwd: site.root, env: SECRETS });

beforeAll(async () => {
  site = await makeSite({ themes: { harbor: {}, meadow: {}, nightfall: {} } });
  await writeFile(path.join(site.themesDir, 'site.yaml'), SITE);
  await writeFile(path.join(site.themesDir, 'users.csv'), 'user,theme\ntom,meadow\nhal,harbor\n');
  await writeFile(path.join(site.themesDir, 'users.yaml'), 'groups:\n  nightfall: [staff]\n  harbor:\n    - guests\n');
  expect(await build(site)).toMatchObject({ ok: true, diagnostics: [] });
});

afterAll(() => removeSite(site));

describe('themecast who', () => {
  test('prints why a user gets a theme, the themes that it overrides, and where each host looks', async () => {
    const { code, stdout, stderr } = await who('tom', '--group', 'staff');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`tom in group staff gets meadow (theme 2).

  why         themes/users.csv:2 assigns meadow to the user
              themes/users.yaml:2 assigns nightfall to the group
              identity rule 2 reads the user from the cookie uid (themes/site.yaml:5)
  instead of  nightfall: identity rule 4 reads the group from the header X-Group of a trusted proxy (themes/site.yaml:7)
              harbor, the default theme
  served      api/v2/theme/config/meadow.json, or meadow.html or meadow.css
  nginx       looks up the key in edge/nginx/users.map
  cloudflare  looks up the key in KV, as u:tom
`);
  });

  test('prints why an unknown user gets the default theme', async () => {
    const { stdout } = await who('nobody');
    expect(stdout).toContain('nobody gets harbor (theme 1), the default theme.');
    expect(stdout).toContain('no users file assigns a theme to the user');
    expect(stdout).toContain('served      api/v2/theme/config/index.json');
    expect(stdout).toContain('nginx       has no matching entry');
  });

  test('ignores a misspelt theme in a file of users', async () => {
    const file = path.join(site.root, 'misspelled.csv');
    await writeFile(file, 'user,theme\nana,meadow\nbob,medow\n');
    const { stdout } = await who('bob', '--users', file);
    expect(stdout).toContain('bob gets harbor (theme 1), the default theme.');
    expect(stdout).toContain(`why         ${file}:3 assigns a theme that does not exist to the user\n`);
    for (const theme of ['harbor', 'nightfall'])
      expect((await who('--theme', theme, '--users', file)).stdout).not.toContain('bob');
  });

  test('reports a duplicate key', async () => {
    const file = path.join(site.root, 'twice.csv');
    await writeFile(file, 'user,theme\nann,harbor\ntom,nightfall\ntom,harbor\n');
    const { stdout } = await who('tom', '--users', file);
    expect(stdout).toContain('tom gets meadow (theme 2).');
    expect(stdout).toContain(
      `themes/users.csv:2 assigns meadow to the user\n              ${file}:3 lists the same key again: builds fail until one of the two is removed\n`,
    );
    const json = async (key: string): Promise<unknown> =>
      JSON.parse((await who(key, '--users', file, '--format', 'json')).stdout);
    expect(await json('tom')).toMatchObject({ listed_again_at: [`${file}:3`] });
    expect(await json('ann')).toMatchObject({ listed_again_at: [] });
    // Keys are case-sensitive.
    expect(await json('Tom')).toMatchObject({ listed_again_at: [] });
  });

  test('reports whether hosts have an entry for a user of the default theme', async () => {
    // A later rule, for groups, would decide.
    expect((await who('hal')).stdout).toContain('hal gets harbor (theme 1).\n');
    expect((await who('--group', 'guests')).stdout).toContain('guests gets harbor (theme 1), the default theme.');
    expect((await who('--group', 'guests')).stdout).toContain(
      'themes/users.yaml:4 assigns harbor, the default theme, to the group',
    );
  });

  test('prints JSON', async () => {
    const { stdout } = await who('tom', '--group', 'staff', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      user: 'tom',
      group: 'staff',
      theme: 'meadow',
      id: 2,
      is_default: false,
      because: {
        rule: 2,
        names: 'user',
        theme: 'meadow',
        rule_at: 'themes/site.yaml:5',
        assigned_at: 'themes/users.csv:2',
      },
      // Rule 3 would give the same theme.
      instead_of: [
        {
          rule: 4,
          names: 'group',
          theme: 'nightfall',
          rule_at: 'themes/site.yaml:7',
          assigned_at: 'themes/users.yaml:2',
        },
        { rule: null, names: null, theme: 'harbor', rule_at: null, assigned_at: null },
      ],
      file: 'api/v2/theme/config/meadow.json',
    });
  });

  test('prints no location of the matching rule if site.yaml has no identity', async () => {
    const plain = await makeSite({ themes: { harbor: {}, meadow: {} }, users: [['tom', 'meadow']] });
    const [text, json] = await Promise.all(
      [[], ['--format', 'json']].map((format) => runBin(['who', 'tom', ...format], { cwd: plain.root })),
    );
    await removeSite(plain);
    expect(text?.stdout).toContain(
      'identity rule 1 reads the user from the cookie uid (the default: site.yaml has no `identity`)\n',
    );
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
      because: { rule: 1, theme: 'meadow', rule_at: null },
      instead_of: [{ rule: null, theme: 'harbor' }],
    });
  });

  test('reports the theme that a case-insensitive host gives a key in another case', async () => {
    expect((await who('Tom')).stdout).toBe(`Tom gets harbor (theme 1), the default theme.

  why         no users file assigns a theme to the user
  served      api/v2/theme/config/index.json, or browse.html or index.css
  nginx       is case-insensitive: looks up the key in edge/nginx/users.map, as written in themes/users.csv:2, and serves meadow
  cloudflare  has no matching entry
`);
    const { hosts } = JSON.parse((await who('Tom', '--format', 'json')).stdout) as { hosts: unknown };
    expect(hosts).toEqual([
      { host: 'nginx', theme: 'meadow', file: 'api/v2/theme/config/meadow.json' },
      { host: 'cloudflare', theme: 'harbor', file: 'api/v2/theme/config/index.json' },
    ]);
    // In upper case in the file, and requested in lower case.
    const file = path.join(site.root, 'upper-case.csv');
    await writeFile(file, 'user,theme\nEve,nightfall\n');
    expect((await who('eve', '--users', file)).stdout).toContain(`as written in ${file}:2, and serves nightfall\n`);
    expect((await who('Eve', '--users', file)).stdout).toContain(
      'nginx       looks up the key in edge/nginx/users.map\n',
    );
  });

  test('counts the users of a theme, and lists samples', async () => {
    const { code, stdout } = await who('--theme', 'meadow');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'meadow is assigned to 1 user.\n  user  tom\n' });
    const reverse = JSON.parse((await who('--theme', 'nightfall', '--format', 'json')).stdout) as object;
    expect(reverse).toEqual({
      version: 1,
      theme: 'nightfall',
      users: 0,
      groups: 1,
      sample: [{ kind: 'group', key: 'staff' }],
    });
  });

  test('reads a compressed export, and lists at most ten users of a theme', async () => {
    const file = path.join(site.root, 'export.csv.gz');
    const rows = Array.from({ length: 1000 }, (_, index) => `u-${index},nightfall\n`).join('');
    await writeFile(file, gzipSync(`user,theme\n${rows}`));
    expect((await who('u-998', '--users', file)).stdout).toContain(`${file}:1000 assigns nightfall to the user`);
    const { stdout } = await who('--theme', 'nightfall', '--users', file);
    expect(stdout).toMatch(
      /^nightfall is assigned to 1,000 users and 1 group\.\n(?: {2}\w+ {2}\S+\n){10} {2}… and 991 more\n$/,
    );
  });

  test('shows what is live, or why that is unknown', async () => {
    let [status, text] = [404, ''];
    const { url, stop } = await listening((_, response) => response.writeHead(status).end(text));
    const live = (...flags: string[]) => who('--live', '--base-url', url, ...flags);
    expect(await live()).toMatchObject({
      code: 0,
      stdout: `${url} serves nothing that \`themecast deploy\` has deployed.\n`,
    });
    const record = {
      commit: 'f'.repeat(40),
      time: '2026-11-25T10:12:00.000Z',
      manifest: 'a'.repeat(64),
      cache_control: {},
    };
    [status, text] = [200, recordText({ ...record, retained: [] })];
    expect(await live()).toMatchObject({ code: 0, stdout: `${url} serves fffffff (since 2026-11-25 10:12 UTC).\n` });
    expect(JSON.parse((await live('--format', 'json')).stdout)).toMatchObject({ version: 1, url, live: record });
    text = '<!doctype html>';
    expect(await live()).toMatchObject({ code: 1, stdout: expect.stringContaining('is no deployment.json') as string });
    await stop();
  });

  test.each([
    [
      [],
      'themecast: Name a user, a `--group`, both, or a `--hostname`; or use `--theme` to show who gets a theme, `--live` what is live.\n',
    ],
    [
      ['tom', '--theme', 'meadow'],
      'themecast: Name a user, a `--group`, both, or a `--hostname`; or use `--theme` to show who gets a theme, `--live` what is live.\n',
    ],
    [['a b'], 'themecast: Invalid user: the key contains a space at position 2.\n'],
    [['--theme', 'medow'], 'themecast: There is no theme `medow`. Did you mean `meadow`?\n'],
    [['tom', '--format', 'github'], 'themecast: `who` prints text or json: it has no diagnostics to annotate.\n'],
    [
      ['tom', '--live'],
      'themecast: `--live` shows what is live for everyone: name no user, group, hostname or theme.\n',
    ],
    [['tom', 'eve'], 'themecast: `who` takes one USER: `themecast who [USER]`.\n'],
  ])('rejects who %j', async (args, message) => {
    const { code, stderr } = await who(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
