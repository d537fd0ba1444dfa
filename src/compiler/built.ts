import path from 'node:path';
import type { ThemeRecord } from '../document/record.ts';
import { RULES_FILE, SHARDS_FOLDER, USERS_FILE, valueFileName } from '../hosts/common-files.ts';
import { ShardedThemes } from '../edge-runtime/shards.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../hosts/secrets.ts';
import type { Build, PublishedFile } from '../hosts/published-build.ts';
import { readsHostGroups } from '../hosts/hostnames.ts';
import { groupHostnameProblem } from '../theme/hostnames.ts';
import { declaredHostnames, MAX_HOSTNAMES } from '../hosts/hostnames.ts';
import { LIST_FILE } from '../document/endpoint.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import type { KeyKind } from '../users/key.ts';
import type { SearchedKey } from '../users/mapping.ts';
import { ContainedFolder } from '../disk/contained-folder.ts';
import { sha256Of } from '../disk/files.ts';
import { invocation } from '../command-line/invocation.ts';
import { PRIVATE_LIST } from '../hosts/edge-names.ts';

/** Maximum size of the list of a tree, in bytes: that of 100,000 themes has some 200 million. */
export const MAX_LIST_BYTES = 400 * 1024 * 1024;

/** There is no complete build where one was looked for. */
export class NoBuildError extends Error {}

/** Looks up the theme of a key. */
export type ThemeOf = (kind: KeyKind, key: string) => Promise<string | undefined>;

/** Reads back the rules of the last build. */
export async function readRules(edgeOutDir: string): Promise<EdgeRules> {
  return (await readJson<{ rules: EdgeRules }>(edgeOutDir, RULES_FILE, ({ rules }) => Array.isArray(rules.identity)))
    .rules;
}

/**
 * Opens the mapping of the last build, as the hosts look keys up in it.
 * @param secret - reads the secret of keyed shards
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

/** The keys of the last build and their themes; none if they are keyed. */
async function* readPairs(edgeOutDir: string): AsyncGenerator<[kind: KeyKind, key: string, theme: string]> {
  for await (const lines of readLines(edgeOutDir)) for (const line of lines) yield parsedPair(line, edgeOutDir);
}

/** The lines of the mapping, many at a time: `readLines` of a file gives one at a time, each by a promise. */
async function* readLines(edgeOutDir: string): AsyncGenerator<string[]> {
  const file = await new ContainedFolder(edgeOutDir).open(USERS_FILE);
  if (file === undefined) return;
  let rest = '';
  for await (const chunk of file.createReadStream({ encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}

function parsedPair(line: string, edgeOutDir: string): [kind: KeyKind, key: string, theme: string] {
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

type Manifest = { files: PublishedFile[] };

/** Reads back what the last build published, by path. */
export async function readPublished(outDir: string): Promise<ReadonlyMap<string, PublishedFile>> {
  const isWhole = ({ files }: Manifest): boolean => files.every((file) => typeof file.path === 'string');
  const { files } = await readJson<Manifest>(outDir, 'manifest.json', isWhole);
  return new Map(files.map((file) => [file.path, file]));
}

/**
 * Reads back all that a deployment is compared with.
 * @param named - the keys that the caller names
 * @param hostname - that of the URL
 */
export async function readBuild(
  outDir: string,
  edgeOutDir: string,
  named: readonly SearchedKey[],
  secret: (name: string) => string | undefined,
  hostname?: string,
): Promise<Build> {
  const rules = await readRules(edgeOutDir);
  const edge = new ContainedFolder(edgeOutDir);
  const entries = await edge.list();
  const hosts = entries.flatMap(({ name, kind }) => (kind === 'folder' && name !== SHARDS_FOLDER ? [name] : []));
  const host = hosts.length === 1 ? hosts[0] : '<host>';
  if (named.length > 0 && rules.keyed && secret(KEY_SECRET) === undefined)
    throw new NoBuildError(`The mapping is keyed, so ${KEY_SECRET} has to be in the environment to look a key up.`);
  const themeOf = named.length === 0 ? undefined : await openMapping(edgeOutDir, rules, secret);
  const hostnames = declaredHostnames(rules.identity, await readHostnames(edgeOutDir, rules, secret, hostname));
  return {
    rules,
    files: await readPublished(outDir),
    manifest: sha256Of((await new ContainedFolder(outDir).read('manifest.json', MAX_LIST_BYTES)) ?? ''),
    list: await readJson<ThemeRecord[]>(outDir, LIST_FILE, Array.isArray),
    samples: await readSamples(edgeOutDir),
    hostnames: hostnames.slice(0, MAX_HOSTNAMES),
    here: hostnames.find(({ name }) => name === hostname),
    named: await Promise.all(named.map(async ({ kind, key }) => ({ kind, key, theme: await themeOf?.(kind, key) }))),
    privateFiles: await readPrivateFiles(edge, edgeOutDir),
    hosts,
    rulesAt: `${path.relative(path.dirname(edgeOutDir), edge.path)}/${host}/README.md`,
  };
}

/** The first key of each theme, by kind. Measured: of a million users in 0.5 s; parsing each line took 8 s. */
async function readSamples(edgeOutDir: string): Promise<Build['samples']> {
  const samples = { user: new Map<string, string>(), group: new Map<string, string>() };
  for await (const lines of readLines(edgeOutDir))
    for (const line of lines) {
      // As `userLines` writes it: `["user","u-1001","meadow"]`. Nearly all are of a theme that has a key already.
      const known = samples[line.startsWith('["user"') ? 'user' : 'group'];
      if (known.has(line.slice(line.lastIndexOf(',"') + 2, -2))) continue;
      const [kind, key, theme] = parsedPair(line, edgeOutDir);
      samples[kind].set(theme, key);
    }
  return samples;
}

/** The first groups that are hostnames, and that of the URL, with their themes. */
async function readHostnames(
  edgeOutDir: string,
  rules: EdgeRules,
  secret: (name: string) => string | undefined,
  own: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const groups = new Map<string, string>();
  if (!readsHostGroups(rules.identity)) return groups;
  const isGroup = (name: string): boolean => groupHostnameProblem(name) === undefined;
  if (rules.keyed && own !== undefined && isGroup(own) && secret(KEY_SECRET) !== undefined) {
    const theme = await (await openMapping(edgeOutDir, rules, secret))('group', own);
    return theme === undefined ? groups : groups.set(own, theme);
  }
  for await (const lines of readLines(edgeOutDir))
    for (const line of lines) {
      if (!line.startsWith('["group"')) continue;
      const [, key, theme] = parsedPair(line, edgeOutDir);
      if ((key === own || groups.size < MAX_HOSTNAMES) && isGroup(key)) groups.set(key, theme);
    }
  return groups;
}

/** Characters by which a private file is recognised. */
const START = 64;

/** Every file of the private output with how it begins; the shards, of which there are thousands, last. */
async function readPrivateFiles(edge: ContainedFolder, edgeOutDir: string): Promise<Build['privateFiles']> {
  const isWhole = (list: { files: string[] }): boolean => list.files.every((file) => typeof file === 'string');
  const { files } = await readJson(edgeOutDir, PRIVATE_LIST.file, isWhole);
  const isShard = (name: string): boolean => name.startsWith(`${SHARDS_FOLDER}/`);
  const names = [...files.filter((name) => !isShard(name)), ...files.filter(isShard).slice(0, FEW_SHARDS)];
  return Promise.all(
    [PRIVATE_LIST.file, ...names].map(async (name) => ({ path: name, start: await readStart(edge, name) })),
  );
}

const FEW_SHARDS = 3;

async function readStart(edge: ContainedFolder, name: string): Promise<string> {
  const start = await edge.readStart(name, START);
  if (start === undefined)
    throw new NoBuildError(`${path.join(edge.path, name)} is missing. Run \`${invocation('build')}\` again.`);
  return start;
}

/** @param isWhole - whether what was read has the form that is expected; it may throw */
async function readJson<T>(folder: string, name: string, isWhole: (read: T) => boolean): Promise<T> {
  const file = path.join(folder, name);
  const bytes = await new ContainedFolder(folder).read(name, MAX_LIST_BYTES);
  if (bytes === undefined)
    throw new NoBuildError(`There is no build here: ${file} is missing. Run \`${invocation('build')}\` first.`);
  try {
    const read = JSON.parse(bytes.toString('utf8')) as T;
    if (isWhole(read)) return read;
  } catch {
    // not JSON, or of another form
  }
  throw new NoBuildError(`${file} is corrupted. Run \`${invocation('build')}\` again.`);
}
