import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { ShardedThemes } from '../../src/core/edge-runtime/shards.ts';
import { KEY_LENGTH, type KeyKind, keyProblem } from '../../src/core/users/key.ts';
import { POINTER, pointerValue, type Shards } from '../../src/core/users/shards.ts';
import { type Assignment, type ThemeIds, usersOf } from '../sample-users.ts';
import { sampledRuns } from '../long-test.ts';

const SECRET = 'key-secret-0123456789-abcdefghijklmnop';
const NEW_SECRET = 'new-secret-0123456789-abcdefghijklmnop';
const IDS: ThemeIds = { harbor: 1, meadow: 2, nightfall: 65_536 };
const SLUGS = Object.keys(IDS);

/** A key-value store that records the names of all values it returns. */
class Store {
  readonly values = new Map<string, string>();
  readonly reads: string[] = [];
  currentSecrets: (string | undefined)[] = [SECRET];

  async read(name: string): Promise<string | undefined> {
    this.reads.push(name);
    return this.values.get(name);
  }

  async secrets(): Promise<(string | undefined)[]> {
    return this.currentSecrets;
  }

  put(shards: Shards): this {
    for (const { name, text } of shards.values()) this.values.set(name, text());
    this.values.set(POINTER, pointerValue(shards).text());
    return this;
  }

  delete(start: string): void {
    for (const name of this.values.keys()) if (name.startsWith(start)) this.values.delete(name);
  }
}

async function shardsOf(
  assignments: readonly Assignment[],
  secret = SECRET,
  shards = 4096,
  ids = IDS,
): Promise<Shards> {
  const { mapping } = await usersOf(assignments, ids, secret, shards);
  if (mapping.shards === undefined) throw new Error('There are no shards.');
  return mapping.shards;
}

function lookUp(store: Store, ids = IDS): ShardedThemes {
  return new ShardedThemes({ themes: SLUGS, themeIds: Object.values(ids) }, store);
}

const user = (key: string, theme: string): Assignment => ({ kind: 'user', key, theme });
const TOM = user('tom', 'meadow');
const MINUTE = 60_000;

describe('ShardedThemes', () => {
  let logged: MockInstance<typeof console.error>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    logged.mockRestore();
  });

  it('finds exactly the mapped keys, in any number of shards, with ids of one to three bytes', async () => {
    const key = fc.string({ minLength: 1, maxLength: KEY_LENGTH }).filter((text) => keyProblem(text) === undefined);
    const kind = fc.constantFrom<KeyKind>('user', 'group');
    const rows = fc.array(fc.tuple(kind, key, fc.constantFrom(...SLUGS)), { maxLength: 200 });
    const searches = fc.array(fc.tuple(kind, fc.string()), { maxLength: 50 });
    const shape = fc.tuple(fc.constantFrom(256, 512, 8192, 32_768), fc.constantFrom(255, 256, 65_535, 65_536));
    await fc.assert(
      fc.asyncProperty(rows, searches, shape, async (mapped, otherKeys, [count, lastId]) => {
        const expected = new Map(mapped.map(([kind, key, theme]) => [`${kind} ${key}`, theme]));
        const assignments = [...expected].map(([name, theme]): Assignment => {
          const [kind = '', key = ''] = name.split(' ');
          return { kind: kind as KeyKind, key, theme };
        });
        const ids = { harbor: 1, meadow: 2, nightfall: lastId };
        const themes = lookUp(new Store().put(await shardsOf(assignments, SECRET, count, ids)), ids);
        for (const [kind, key] of [...mapped, ...otherKeys])
          expect(await themes.themeOf(kind, key)).toBe(expected.get(`${kind} ${key}`));
      }),
      { numRuns: sampledRuns(30) },
    );
  });

  it('stores only digests keyed by the secret', async () => {
    const shards = await shardsOf([TOM]);
    const digest = createHmac('sha256', SECRET).update('u:tom').digest();
    const shard = [...shards.values()].find(({ name }) => name.startsWith('s:'));
    expect(shard?.name.slice(2, 5)).toBe(digest.toString('hex').slice(0, 3));
    expect(Buffer.from(shard?.text() ?? '', 'base64').subarray(0, 6)).toEqual(digest.subarray(2, 8));
    const { values } = new Store().put(shards);
    expect(JSON.stringify([...values])).not.toMatch(/tom|meadow|secret-0123/);
  });

  describe('caching', () => {
    it('reads the pointer, a page and a shard only once', async () => {
      const store = new Store().put(await shardsOf([TOM]));
      const themes = lookUp(store);
      for (let time = 0; time < 3; time++) expect(await themes.themeOf('user', 'tom')).toBe('meadow');
      expect(store.reads.map((name) => name.replace(/:.*/, ''))).toEqual(['pointer', 'i', 's']);
    });
  });

  describe('the pointer', () => {
    it('is cached for a minute, then read again with its shards', async () => {
      const store = new Store().put(await shardsOf([TOM]));
      const themes = lookUp(store);
      expect(await themes.themeOf('user', 'tom')).toBe('meadow');
      store.put(await shardsOf([user('tom', 'nightfall'), user('nancy', 'harbor')]));
      vi.advanceTimersByTime(MINUTE - 1);
      expect(await themes.themeOf('user', 'tom')).toBe('meadow');
      expect(await themes.themeOf('user', 'nancy')).toBeUndefined();
      vi.advanceTimersByTime(1);
      expect(await themes.themeOf('user', 'tom')).toBe('nightfall');
      expect(await themes.themeOf('user', 'nancy')).toBe('harbor');
      expect(store.reads.filter((name) => name === POINTER)).toHaveLength(2);
    });

    it('is kept while a new pointer cannot be read', async () => {
      const store = new Store().put(await shardsOf([TOM]));
      const themes = lookUp(store);
      await themes.themeOf('user', 'tom');
      for (const text of [undefined, '{"version":2}', '{', 'null']) {
        if (text === undefined) store.values.delete(POINTER);
        else store.values.set(POINTER, text);
        vi.advanceTimersByTime(MINUTE);
        expect(await themes.themeOf('user', 'tom')).toBe('meadow');
      }
      expect(logged).toHaveBeenCalledTimes(1);
    });
  });

  it('rejects if the store is down, instead of returning another theme', async () => {
    const store = new Store();
    store.read = () => Promise.reject(new Error('The store is down.'));
    await expect(lookUp(store).themeOf('user', 'tom')).rejects.toThrow('The store is down.');
  });

  describe('logs one message, without personal data, if', () => {
    const cases: [title: string, corrupt: (store: Store) => void, message: RegExp][] = [
      ['there is no pointer', (store) => store.delete(POINTER), /pointer to the keyed shards is missing/],
      ['there are no pages', (store) => store.delete('i:'), /^themecast: Some of the keyed shards .* are missing/],
      ['the secret is wrong', (store) => (store.currentSecrets = [NEW_SECRET]), /THEMECAST_KEY_SECRET/],
      ['the secret is truncated', (store) => (store.currentSecrets = [SECRET.slice(0, 31)]), /THEMECAST_KEY_SECRET/],
    ];
    it.each(cases)('%s', async (_, corrupt, message) => {
      const store = new Store().put(await shardsOf([TOM, user('nancy', 'nightfall')]));
      corrupt(store);
      const themes = lookUp(store);
      for (const key of ['tom', 'nancy', 'tom']) expect(await themes.themeOf('user', key)).toBeUndefined();
      expect(logged).toHaveBeenCalledTimes(1);
      const text = String(logged.mock.calls[0]?.[0]);
      expect(text).toMatch(message);
      expect(text).not.toMatch(/tom|nancy|secret-0123/);
    });
  });

  it('uses the secret of the pointer during a change of the secret', async () => {
    const store = new Store().put(await shardsOf([TOM]));
    store.currentSecrets = [NEW_SECRET, SECRET];
    const themes = lookUp(store);
    expect(await themes.themeOf('user', 'tom')).toBe('meadow');
    store.put(await shardsOf([user('tom', 'nightfall')], NEW_SECRET));
    vi.advanceTimersByTime(MINUTE);
    expect(await themes.themeOf('user', 'tom')).toBe('nightfall');
    expect(logged).not.toHaveBeenCalled();
  });
});
