import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevProcess, startDev } from '../dev-server.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';
import { formOf } from './post-server.ts';

let site: SiteFolder;
let dev: DevProcess;
const USERS = 'users.csv';
const STAFF = 'users/staff.csv';
const text = (name = USERS): Promise<string> => readFile(path.join(site.themesDir, name), 'utf8');
const write = async (name: string, content: string): Promise<void> => {
  await mkdir(path.dirname(path.join(site.themesDir, name)), { recursive: true });
  await writeFile(path.join(site.themesDir, name), content);
};
const page = async (slug: string, query = ''): Promise<string> =>
  (await fetch(`${dev.url}/themes/${slug}/${query}`)).text();
/** Returns the number of users of a theme by file, from its page. */
const sources = async (slug: string): Promise<string[]> =>
  [...(await page(slug)).matchAll(/<li>(\d+ users?) in <code>([^<]+)<\/code>/g)].map(([, n, file]) => `${file}: ${n}`);

async function assign(key: string, slug = 'meadow', action = 'give'): Promise<[number, unknown]> {
  const headers = { 'X-Themecast-Token': dev.token };
  const response = await fetch(`${dev.url}/themes/${slug}/${action}`, {
    method: 'POST',
    body: formOf({ key }),
    headers,
  });
  return [response.status, await response.json()];
}

const given = (key: string, theme = 'meadow') => [200, { message: `${key} now gets ${theme}` }];

beforeAll(async () => {
  site = await makeSite({
    site: { base_url: 'https://community.example.org', identity: [{ user: { cookie: 'uid' } }] },
    themes: { harbor: {}, meadow: { fields: { id: 7 } } },
  });
  await write('../export.csv', 'user,theme\nexported,meadow\n');
  dev = await startDev(site.root, ['--port', '0', '--users', 'export.csv']);
});
afterAll(async () => {
  await dev?.stop();
  await removeSite(site);
});

test('a theme is assigned to a user in a new file, in a new line, and in an existing line', async () => {
  expect(await assign('u-1')).toEqual(given('u-1'));
  expect(await assign('u-2')).toEqual(given('u-2'));
  expect(await text()).toBe('user,theme\nu-1,meadow\nu-2,meadow\n');
  expect(await assign('u-1', 'harbor')).toEqual(given('u-1', 'harbor'));
  expect(await assign('u-1', 'harbor')).toEqual(given('u-1', 'harbor'));
  expect(await text()).toBe('user,theme\nu-1,harbor\nu-2,meadow\n');
  await write(STAFF, '\ufeffsep=;\r\n"user";"theme_id"\r\n"u-3";"1"\r\nu-4;1');
  await expect.poll(() => sources('harbor')).toEqual([`themes/${USERS}: 1 user`, `themes/${STAFF}: 2 users`]);
  expect(await assign('u-3')).toEqual(given('u-3'));
  expect(await assign('u-4')).toEqual(given('u-4'));
  expect(await text(STAFF)).toBe('\ufeffsep=;\r\n"user";"theme_id"\r\n"u-3";"7"\r\nu-4;7');
  expect(await sources('meadow')).toEqual([
    `themes/${USERS}: 1 user`,
    `themes/${STAFF}: 2 users`,
    'export.csv: 1 user',
  ]);
  expect(await page('meadow')).toContain('>: assign meadow to u-4<');
});

test('the users of a theme are listed, filtered, counted and removed', async () => {
  const before = await text();
  const rows = Array.from({ length: 150 }, (_, at) => `w-${at},meadow\n`).join('');
  await write(USERS, before + rows);
  await expect.poll(() => page('meadow')).toContain('The first 100 of 154 users.');
  const keysOn = async (query: string) =>
    [...(await page('meadow', `?user=${query}`)).matchAll(/name="key" value="([^"]+)"/g)].map(([, key]) => key);
  expect(await keysOn('w-14')).toEqual(['w-14', ...Array.from({ length: 10 }, (_, at) => `w-14${at}`)]);
  expect(await assign('w-149', 'meadow', 'take')).toEqual([200, { message: 'w-149 no longer gets meadow' }]);
  expect(await text()).toBe(before + rows.replace('w-149,meadow\n', ''));
  expect(await assign('w-149', 'meadow', 'take')).toMatchObject([409, {}]);
  expect(await assign('exported', 'meadow', 'take')).toMatchObject([409, {}]);
  await write(USERS, before);
  await expect.poll(() => page('meadow')).not.toContain('w-1<');
});

test.each([
  ['', /Type the key/],
  ['a b', /contains a space/],
  ['U-2', /users\.csv:3 has this key in another case/],
  ['exported', /export\.csv:2, outside the themes folder/],
])('the key %j is rejected', async (key, reason) => {
  const before = await text();
  expect(await assign(key)).toEqual([400, { key: [expect.stringMatching(reason)] }]);
  expect(await text()).toBe(before);
});

test('a duplicate user and a file of groups are rejected', async () => {
  await write(USERS, 'user,theme\nu-2,meadow\nu-2,harbor\n');
  await expect.poll(() => assign('u-2', 'harbor')).toEqual([400, { key: [expect.stringMatching(/:2 and line 3 of/)] }]);
  await write(USERS, 'group,theme\nstaff,meadow\n');
  await expect.poll(() => assign('u-9')).toEqual([400, { key: [expect.stringContaining('`user,theme`')] }]);
});
