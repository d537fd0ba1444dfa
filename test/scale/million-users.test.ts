import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShardedThemes } from '../../src/core/edge-runtime/shards.ts';
import { readUsers, type Users } from '../../src/core/users/read-users.ts';
import { pointerValue } from '../../src/core/users/shards.ts';
import { HTTPD, startApache } from '../hosts/apache-process.ts';
import type { Host } from '../hosts/contract.ts';
import { sendAll } from '../hosts/contract/send.ts';
import { NGINX, startNginx } from '../hosts/nginx-process.ts';
import { type PublishedSite, publishSite, removeSite, SECRETS, textOf, THEMES } from '../hosts/site.ts';

const USERS = 1_000_000;
const SAMPLES = 1000;

/** Returns keys in no order, as a database exports them. */
const keyOf = (index: number): string => createHash('md5').update(String(index)).digest('hex').slice(0, 20);
/** Returns a theme other than the default. */
const themeOf = (index: number): (typeof THEMES)[number] => THEMES[1 + (index % 2)] ?? THEMES[0];

const sampled = Array.from({ length: SAMPLES }, (_, sample) => Math.floor((sample * USERS) / SAMPLES));
const unknown = Array.from({ length: SAMPLES }, (_, sample) => `nobody-${sample}`);

async function* csv(): AsyncGenerator<Buffer> {
  let text = 'user,theme\n';
  for (let index = 0; index < USERS; index++) {
    text += `${keyOf(index)},${themeOf(index)}\n`;
    if (text.length < 100_000) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

let site: PublishedSite;
let users: Users;

beforeAll(async () => {
  const ids = THEMES.map((_, index) => index + 1);
  users = await readUsers(
    [{ file: 'users.csv', open: async () => csv() }],
    {
      themes: THEMES,
      ids: { user: ids, group: ids },
      foldsCase: true,
      retainsPairs: true,
      shards: { bits: 12, themeBytes: 1, secret: Buffer.from(SECRETS.THEMECAST_KEY_SECRET) },
    },
    (code) => {
      throw new Error(code);
    },
  );
  site = { ...(await publishSite()), mapping: users.mapping };
}, 120_000);

afterAll(async () => {
  await removeSite(site);
});

const LIMIT = { timeout: 300_000 };

describe('a million users', () => {
  it.each([
    ['nginx', NGINX, startNginx],
    ['Apache httpd', HTTPD, startApache],
  ] as const)('are loaded by %s, which finds each user', LIMIT, async (name, installed, start) => {
    expect(installed).toBeDefined();
    const started = performance.now();
    const host: Host = await start(site);
    const loaded = (performance.now() - started) / 1000;
    const configsOf = (keys: readonly string[]) =>
      sendAll(
        host.port,
        keys.map((key) => ({ path: '/api/v2/theme/config/', headers: { Cookie: `uid=${key}` } })),
      );
    const assigned = await configsOf(sampled.map(keyOf));
    const anonymous = await configsOf(unknown);
    await host.stop();
    expect(assigned.map(({ body }) => body)).toEqual(sampled.map((index) => configOf(themeOf(index))));
    expect(anonymous.map(({ body }) => body)).toEqual(unknown.map(() => configOf(THEMES[0])));
    printRow(name, `accepted, ready after ${loaded.toFixed(1)} s; ${2 * SAMPLES} look-ups right`);
  });

  it('are found in keyed shards', LIMIT, async () => {
    const { shards } = users.mapping;
    if (shards === undefined) throw new Error('There are no shards.');
    const values = new Map([...shards.values(), pointerValue(shards)].map(({ name, text }) => [name, text()]));
    const themes = new ShardedThemes(site.rules, {
      read: async (name) => values.get(name),
      secrets: async () => [SECRETS.THEMECAST_KEY_SECRET],
    });
    const lookUp = (keys: readonly string[]) => Promise.all(keys.map((key) => themes.themeOf('user', key)));
    expect(await lookUp(sampled.map(keyOf))).toEqual(sampled.map(themeOf));
    expect(await lookUp(unknown)).toEqual(unknown.map(() => undefined));
    const [first = 0] = sampled;
    const started = performance.now();
    for (let times = 0; times < 10_000; times++) await themes.themeOf('user', keyOf(first));
    const micros = (performance.now() - started) / 10;
    printRow('look-up in a cached shard', `${micros.toFixed(0)} µs, one after the other`);
  });
});

function configOf(theme: string): string {
  return textOf(site, `api/v2/theme/config/${theme}.json`);
}

function printRow(name: string, value: string): void {
  process.stdout.write(`| ${name} | ${value} |\n`);
}
