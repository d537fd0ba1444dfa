// Returns the results of the client for every kind of response, as a value that must be equal in Node.js, Deno and Chromium.

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
  const reportedNames = [];
  const stop = client.subscribe(({ name }) => void reportedNames.push(name));
  const firstTheme = await client.current();
  const notModified = (await client.current()).name;
  mode = 'ok';
  const list = (await client.list()).map(({ id }) => id);
  const keys = [...memory.keys()].map((key) => key.replace(origin, ''));
  /** @type {Record<string, [string, number, string]>} */
  const resultsByFault = {};
  const withoutStorage = createThemeClient({ ...options, storage: null });
  for (mode of faults)
    resultsByFault[mode] = [
      (await client.current()).name,
      (await client.list()).length,
      (await withoutStorage.current()).name,
    ];
  const impatient = createThemeClient({ ...options, storage, timeout: 50 });
  mode = 'hang';
  const lateNames = [(await impatient.current()).name];
  mode = 'half-body';
  lateNames.push((await impatient.current()).name);
  client.clear();
  await Promise.resolve();
  stop();
  return {
    name: firstTheme.name,
    logo: logoFor(firstTheme),
    notModified,
    list,
    keys,
    faulty: resultsByFault,
    late: lateNames,
    seen: reportedNames,
    left: memory.size,
  };
}
