// The results of the client for every kind of response, as one value: the same in Node.js, Deno and Chromium.

/**
 * @param {typeof import('../../src/client/client.ts')} module
 * @param {string} origin - of the faulty service
 * @param {import('../../src/client/types.ts').ThemeRecord} fallback
 * @param {readonly string[]} faults - modes of the service
 */
export async function exercise({ createThemeClient, logoFor }, origin, fallback, faults) {
  const memory = new Map();
  const storage = {
    getItem: (/** @type {string} */ key) => memory.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void memory.set(key, value),
    removeItem: (/** @type {string} */ key) => void memory.delete(key),
  };
  let mode = 'etag';
  const options = {
    baseUrl: `${origin}/service/`,
    fallback,
    timeout: 3000,
    /** @type {import('../../src/client/types.ts').ThemeFetch} */
    fetch: (url, init) => fetch(url.replace('/service/', `/${mode}/`), init),
  };
  const client = createThemeClient({ ...options, storage });
  /** @type {string[]} */
  const seen = [];
  const stop = client.subscribe(({ name }) => void seen.push(name));
  const first = await client.current();
  const notModified = (await client.current()).name;
  mode = 'ok';
  const list = (await client.list()).map(({ id }) => id);
  const keys = [...memory.keys()].map((key) => key.replace(origin, ''));
  /** @type {Record<string, [string, number, string]>} */
  const faulty = {};
  const fresh = createThemeClient({ ...options, storage: null });
  for (mode of faults)
    faulty[mode] = [(await client.current()).name, (await client.list()).length, (await fresh.current()).name];
  const inTime = createThemeClient({ ...options, storage, timeout: 50 });
  mode = 'hang';
  const late = [(await inTime.current()).name];
  mode = 'half-body';
  late.push((await inTime.current()).name);
  client.clear();
  await Promise.resolve();
  stop();
  return { name: first.name, logo: logoFor(first), notModified, list, keys, faulty, late, seen, left: memory.size };
}
