import path from 'node:path';
import { BUILD_FILE, parseBuildFile } from '../core/document/build-file.ts';
import type { ThemeRecord } from '../core/document/record.ts';
import { RULES_FILE, SHARDS_FOLDER, USERS_FILE, valueFileName } from '../hosts/common-files.ts';
import { ShardedThemes } from '../core/edge-runtime/shards.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../hosts/secrets.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import { readsHostGroups } from '../hosts/hostnames.ts';
import { groupHostnameProblem } from '../core/theme/hostnames.ts';
import { declaredHostnames, MAX_HOSTNAMES } from '../hosts/hostnames.ts';
import { LIST_FILE } from '../core/document/endpoint.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import type { KeyKind } from '../core/users/key.ts';
import type { SearchedKey } from '../core/users/mapping.ts';
import { ContainedFolder } from '../system/disk/contained-folder.ts';
import { sha256Of } from '../system/disk/files.ts';
import { invocation } from '../system/command-line/invocation.ts';
import { MAX_LIST_BYTES } from '../core/document/manifest-file.ts';
import { servedAs } from '../core/document/served-as.ts';
import { PRIVATE_LIST } from '../hosts/private-list.ts';

export class NoBuildError extends Error {}

export type ThemeOf = (kind: KeyKind, key: string) => Promise<string | undefined>;

/** Reads back the rules of the last build. */
export async function readRules(edgeOutDir: string): Promise<EdgeRules> {
  return (await readJson<{ rules: EdgeRules }>(edgeOutDir, RULES_FILE, ({ rules }) => Array.isArray(rules.identity)))
    .rules;
}

/**
 * Opens the mapping of the last build, which resolves keys as the hosts do.
 * @param secret - reads a secret of keyed shards by the name of its variable
 */
export async function openMapping(
  edgeOutDir: string,
  rules: EdgeRules,
  secret: (name: string) => string | undefined,
): Promise<ThemeOf> {
  if (rules.keyed) {
    const shards = new ShardedThemes(rules, {
      read: (name) => readValue(edgeOutDir, name),
      secrets: async () => [secret(KEY_SECRET), secret(OLD_KEY_SECRET)],
    });
    return (kind, key) => shards.themeOf(kind, key);
  }
  const themes = new Map<string, string>();
  for await (const [kind, key, theme] of readPairs(edgeOutDir)) themes.set(`${kind} ${key}`, theme);
  return async (kind, key) => themes.get(`${kind} ${key}`);
}

/** Yields the keys of the last build and their themes; nothing if they are keyed. */
async function* readPairs(edgeOutDir: string): AsyncGenerator<[kind: KeyKind, key: string, theme: string]> {
  for await (const lines of readLines(edgeOutDir)) for (const line of lines) yield parsePair(line, edgeOutDir);
}

/** Yields the lines of the mapping in batches: `readLines` of a file takes a promise per line. */
async function* readLines(edgeOutDir: string): AsyncGenerator<string[]> {
  const file = await new ContainedFolder(edgeOutDir).open(USERS_FILE);
  if (file === undefined) return;
  let remainder = '';
  for await (const chunk of file.createReadStream({ encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (remainder + chunk).split('\n');
    remainder = lines.pop() ?? '';
    yield lines;
  }
  if (remainder !== '') yield [remainder];
}

function parsePair(line: string, edgeOutDir: string): [kind: KeyKind, key: string, theme: string] {
  try {
    const pair = JSON.parse(line) as [KeyKind, string, string];
    const isPair = Array.isArray(pair) && ['user', 'group'].includes(pair[0]) && pair.length === 3;
    if (isPair && pair.every((part) => typeof part === 'string')) return pair;
    throw new SyntaxError('not a key and its theme');
  } catch {
    throw new NoBuildError(`${path.join(edgeOutDir, USERS_FILE)} is damaged. Run \`${invocation('build')}\` again.`);
  }
}

async function readValue(edgeOutDir: string, name: string): Promise<string | undefined> {
  const edge = new ContainedFolder(edgeOutDir);
  return (await edge.read(`${SHARDS_FOLDER}/${valueFileName(name)}`, MAX_LIST_BYTES))?.toString('utf8');
}

type Manifest = { files: Omit<PublishedFile, 'type'>[] };

/** Reads the list of published files of the last build, by path. */
export async function readPublished(outDir: string): Promise<ReadonlyMap<string, PublishedFile>> {
  const isValid = ({ files }: Manifest): boolean => files.every((file) => typeof file.path === 'string');
  const { files } = await readJson<Manifest>(outDir, 'manifest.json', isValid);
  return new Map(files.map((file) => [file.path, { ...file, type: servedAs(file.path).mediaType }]));
}

/** Reads everything that a deployment is compared with. */
export async function readBuild(
  outDir: string,
  edgeOutDir: string,
  keys: readonly SearchedKey[],
  secret: (name: string) => string | undefined,
  hostname?: string,
): Promise<Build> {
  const rules = await readRules(edgeOutDir);
  const edge = new ContainedFolder(edgeOutDir);
  const entries = await edge.list();
  const hosts = entries.flatMap(({ name, kind }) => (kind === 'folder' && name !== SHARDS_FOLDER ? [name] : []));
  const host = hosts.length === 1 ? hosts[0] : '<host>';
  if (keys.length > 0 && rules.keyed && secret(KEY_SECRET) === undefined)
    throw new NoBuildError(`The mapping is keyed, so ${KEY_SECRET} has to be in the environment to look a key up.`);
  const themeOf = keys.length === 0 ? undefined : await openMapping(edgeOutDir, rules, secret);
  const hostnames = declaredHostnames(rules.identity, await readHostnames(edgeOutDir, rules, secret, hostname));
  return {
    rules,
    files: await readPublished(outDir),
    manifest: sha256Of((await new ContainedFolder(outDir).read('manifest.json', MAX_LIST_BYTES)) ?? ''),
    list: await readJson<ThemeRecord[]>(outDir, LIST_FILE, Array.isArray),
    ...(await readSamples(edgeOutDir)),
    commit: parseBuildFile((await edge.read(BUILD_FILE, START_BYTES * START_BYTES))?.toString('utf8')).commit,
    hostnames: hostnames.slice(0, MAX_HOSTNAMES),
    here: hostnames.find(({ name }) => name === hostname),
    named: await Promise.all(keys.map(async ({ kind, key }) => ({ kind, key, theme: await themeOf?.(kind, key) }))),
    privateFiles: await readPrivateFiles(edge, edgeOutDir),
    hosts,
    rulesAt: `${path.relative(path.dirname(edgeOutDir), edge.path)}/${host}/README.md`,
  };
}

/** Matches lines of keys with a capital letter, and of keys that web frameworks percent-encode in cookies. */
const UNUSUAL = [/^\["[a-z]+","[^"]*[A-Z]/, /^\["[a-z]+","[^"]*[@+/=:|]/];

/** Returns the first key of each theme, by kind, and unusual keys. Measured: 0.5 s for a million users; parsing each line took 8 s. */
async function readSamples(edgeOutDir: string): Promise<Pick<Build, 'samples' | 'unusual'>> {
  const samples = { user: new Map<string, string>(), group: new Map<string, string>() };
  const unusual: { kind: KeyKind; key: string; theme: string }[] = [];
  let sought = UNUSUAL;
  for await (const lines of readLines(edgeOutDir))
    for (const line of lines) {
      const found = sought.find((pattern) => pattern.test(line));
      if (found !== undefined) {
        const [kind, key, theme] = parsePair(line, edgeOutDir);
        unusual.push({ kind, key, theme });
        sought = sought.filter((pattern) => pattern !== found);
      }
      // `userLines` writes lines such as `["user","u-1001","meadow"]`. Nearly all are for a theme that already has a sample.
      const samplesOfKind = samples[line.startsWith('["user"') ? 'user' : 'group'];
      if (samplesOfKind.has(line.slice(line.lastIndexOf(',"') + 2, -2))) continue;
      const [kind, key, theme] = parsePair(line, edgeOutDir);
      samples[kind].set(theme, key);
    }
  return { samples, unusual };
}

/** Returns the first groups that are hostnames, and the group of the URL's hostname, with their themes. */
async function readHostnames(
  edgeOutDir: string,
  rules: EdgeRules,
  secret: (name: string) => string | undefined,
  hostname: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const groups = new Map<string, string>();
  if (!readsHostGroups(rules.identity)) return groups;
  const isGroup = (name: string): boolean => groupHostnameProblem(name) === undefined;
  if (rules.keyed && hostname !== undefined && isGroup(hostname) && secret(KEY_SECRET) !== undefined) {
    const theme = await (await openMapping(edgeOutDir, rules, secret))('group', hostname);
    return theme === undefined ? groups : groups.set(hostname, theme);
  }
  for await (const lines of readLines(edgeOutDir))
    for (const line of lines) {
      if (!line.startsWith('["group"')) continue;
      const [, key, theme] = parsePair(line, edgeOutDir);
      if ((key === hostname || groups.size < MAX_HOSTNAMES) && isGroup(key)) groups.set(key, theme);
    }
  return groups;
}

/** Bytes at the start of a private file that identify it. */
const START_BYTES = 64;

/** Returns every private file with its first bytes; of the thousands of shards, only a few, at the end. */
async function readPrivateFiles(edge: ContainedFolder, edgeOutDir: string): Promise<Build['privateFiles']> {
  const isValid = (list: { files: string[] }): boolean => list.files.every((file) => typeof file === 'string');
  const { files } = await readJson(edgeOutDir, PRIVATE_LIST, isValid);
  const isShard = (name: string): boolean => name.startsWith(`${SHARDS_FOLDER}/`);
  const names = [...files.filter((name) => !isShard(name)), ...files.filter(isShard).slice(0, MAX_SHARD_SAMPLES)];
  return Promise.all(
    [PRIVATE_LIST, ...names].map(async (name) => ({ path: name, start: await readStart(edge, name) })),
  );
}

const MAX_SHARD_SAMPLES = 3;

async function readStart(edge: ContainedFolder, name: string): Promise<string> {
  const start = await edge.readStart(name, START_BYTES);
  if (start === undefined)
    throw new NoBuildError(`${path.join(edge.path, name)} is missing. Run \`${invocation('build')}\` again.`);
  return start;
}

/** Reads a JSON file of a build. @param isValid - whether the value has the expected form; it may throw */
async function readJson<T>(folder: string, name: string, isValid: (read: T) => boolean): Promise<T> {
  const file = path.join(folder, name);
  const bytes = await new ContainedFolder(folder).read(name, MAX_LIST_BYTES);
  if (bytes === undefined)
    throw new NoBuildError(`There is no build here: ${file} is missing. Run \`${invocation('build')}\` first.`);
  try {
    const value = JSON.parse(bytes.toString('utf8')) as T;
    if (isValid(value)) return value;
  } catch {
    // not JSON, or of another form
  }
  throw new NoBuildError(`${file} is corrupted. Run \`${invocation('build')}\` again.`);
}
