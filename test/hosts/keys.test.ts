import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { readUsers, type Users } from '../../src/users/read-users.ts';
import { KEY_LENGTH } from '../../src/users/key.ts';
import { HTTPD, startApache } from './apache-process.ts';
import { CADDY, startCaddy } from './caddy-process.ts';
import type { Host } from './contract.ts';
import { CONFIG } from './contract/expected.ts';
import { sendAll } from './contract/send.ts';
import { NGINX, startNginx } from './nginx-process.ts';
import type { WebServer } from './web-servers.ts';
import { adapters } from '../../src/hosts/adapters.ts';
import { reportMissing } from './process.ts';
import { type PublishedSite, publishSite, removeSite, textOf, THEMES } from './site.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@+:|=/~-'.split('');

/** Keywords of configurations, maps and shells, and prefixes that a host might change. */
const AWKWARD = 'default include hostnames volatile no-case server if else end true false null none key value map'
  .split(' ')
  .concat('= =x | |y / // /etc/passwd .. . ./x - -- -n @ @x + : ::'.split(' '))
  .concat(['__proto__', 'constructor', '0', '00', '007', '1e3', '0x10', 'x~', 'a=b|c', 'http://a.b/c:1', '_', '-f/x'])
  .concat(['k'.repeat(KEY_LENGTH), `${'.'.repeat(KEY_LENGTH - 1)}x`]);

const key = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: KEY_LENGTH - 8, maxLength: KEY_LENGTH }),
    fc.tuple(fc.constantFrom(...AWKWARD), fc.constantFrom(...ALPHABET)).map(([word, last]) => word + last),
  )
  .filter((text) => !text.startsWith('~') && text.length <= KEY_LENGTH);

/** Makes some keys with a theme and some without; any two differ by more than case. */
const keys = fc
  .uniqueArray(key, { minLength: 400, maxLength: 400, selector: (text) => text.toLowerCase() })
  .map((random) => {
    const words = new Set(AWKWARD.map((word) => word.toLowerCase()));
    const plainKeys = random.filter((text) => !words.has(text.toLowerCase()));
    const half = plainKeys.length / 2;
    return { known: [...AWKWARD, ...plainKeys.slice(0, half)], unknown: plainKeys.slice(half) };
  });

const themeAt = (index: number): (typeof THEMES)[number] => (index % 2 === 0 ? 'meadow' : 'nightfall');

async function usersOf(csv: string, diagnostics = new Diagnostics()): Promise<Users> {
  const ids = THEMES.map((_, index) => index + 1);
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(csv);
  };
  return readUsers(
    [{ file: 'users.csv', open: () => Promise.resolve(bytes()) }],
    { themes: THEMES, ids: { user: ids, group: ids }, foldsCase: true, retainsPairs: true, shards: undefined },
    diagnostics.report,
  );
}

const csvOf = (all: readonly string[]): string =>
  [
    'user,theme',
    ...all.map((one, index) => (index % 3 === 0 ? `"${one}",${themeAt(index)}` : `${one},${themeAt(index)}`)),
  ].join('\n');

const HOSTS: Readonly<Record<WebServer, { isHere: boolean; start: (site: PublishedSite) => Promise<Host> }>> = {
  nginx: { isHere: NGINX !== undefined, start: (site) => startNginx(site) },
  apache: { isHere: HTTPD !== undefined, start: (site) => startApache(site) },
  caddy: { isHere: CADDY !== undefined, start: (site) => startCaddy(site) },
};

describe.each(Object.entries(HOSTS))('keys on %s', (name, { isHere, start }) => {
  if (!isHere) {
    reportMissing(adapters[name as WebServer].title);
    return;
  }

  it('are all found, and no others', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(keys, async ({ known, unknown }) => {
        const { diagnostics: found, answers, site } = await ask(known, unknown, start);
        await removeSite(site);
        expect(found).toEqual([]);
        expect(answers).toEqual([
          ...known.map((one, index) => [one, themeAt(index)]),
          ...unknown.map((one) => [one, 'harbor']),
        ]);
      }),
      // Each run starts a server, so shrinking a failure would take hundreds of starts.
      { numRuns: 1, endOnFailure: true },
    );
  });
});

/** Serves the keys, and returns the theme of each, and of some keys without a theme. */
async function ask(
  known: readonly string[],
  unknown: readonly string[],
  start: (site: PublishedSite) => Promise<Host>,
) {
  const published = await publishSite();
  const diagnostics = new Diagnostics();
  const { mapping } = await usersOf(csvOf(known), diagnostics);
  const site: PublishedSite = { ...published, mapping, assignments: [] };
  const host = await start(site);
  try {
    const all = [...known, ...unknown];
    // Every second client sends the key percent-encoded, like many web frameworks.
    const sent = (key: string, index: number): string => (index % 2 === 0 ? key : encodeURIComponent(key));
    const replies = await sendAll(
      host.port,
      all.map((one, index) => ({ path: CONFIG, headers: { Cookie: `uid=${sent(one, index)}` } })),
    );
    const themes = new Map(THEMES.map((theme) => [textOf(site, `${CONFIG.slice(1)}${theme}.json`), theme]));
    const answers = replies.map(({ body }, index) => [all[index], themes.get(body) ?? body]);
    return { diagnostics: diagnostics.sorted, answers, site };
  } finally {
    await host.stop();
  }
}
