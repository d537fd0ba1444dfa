import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ThemeRecord } from '../document/record.ts';
import { RULES_FILE, SHARDS_FOLDER, USERS_FILE, valueFileName } from '../edge/common.ts';
import { ShardedThemes } from '../edge/runtime/shards.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../edge/secrets.ts';
import type { Build, PublishedFile } from '../edge/verify/build.ts';
import { LIST_FILE } from '../edge/verify/list.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';
import type { KeyKind } from '../mapping/key.ts';
import { MOST_SHARDS, pageNames, type Pointer, POINTER, readPage, type StoredBuild } from '../mapping/shards.ts';
import { errorCode } from './files.ts';
import { liveFolder } from './places.ts';

/** There is no whole build where one was looked for. */
export class NoBuildError extends Error {}

/** Looks up the theme of a key. */
export type ThemeOf = (kind: KeyKind, key: string) => Promise<string | undefined>;

/** Reads back the rules of the last build. */
export async function readRules(edgeOutDir: string): Promise<EdgeRules> {
  const { rules } = await readJson<{ rules: EdgeRules }>(await liveFolder(edgeOutDir), RULES_FILE);
  return rules;
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
export async function* readPairs(edgeOutDir: string): AsyncGenerator<[kind: KeyKind, key: string, theme: string]> {
  const file = await open(path.join(await liveFolder(edgeOutDir), USERS_FILE)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    for await (const line of file.readLines({ autoClose: false })) yield parsedPair(line, edgeOutDir);
  } finally {
    // Whoever has seen enough stops before the end.
    await file.close();
  }
}

function parsedPair(line: string, edgeOutDir: string): [kind: KeyKind, key: string, theme: string] {
  try {
    return JSON.parse(line) as [KeyKind, string, string];
  } catch {
    throw new NoBuildError(`${path.join(edgeOutDir, USERS_FILE)} is damaged. Run \`themecast build\` again.`);
  }
}

/** Names and hashes of the keyed shards of a build; nothing if it has none that are whole. */
export async function readStoredBuild(edgeOutDir: string): Promise<StoredBuild | undefined> {
  const pointer = parsedPointer(await readValue(edgeOutDir, POINTER));
  if (pointer === undefined) return undefined;
  const pages: string[] = [];
  for (const name of pageNames(pointer)) {
    const page = await readValue(edgeOutDir, name);
    if (page === undefined) return undefined;
    pages.push(page);
  }
  return { pointer, hashes: pages.flatMap(readPage) };
}

/** The same of a folder that was named, where a build has to be. */
export async function readNamedBuild(edgeOutDir: string): Promise<StoredBuild> {
  const { keyed } = await readRules(edgeOutDir);
  const build = await readStoredBuild(edgeOutDir);
  if (build !== undefined) return build;
  const problem = keyed
    ? `The keyed shards in ${edgeOutDir} are not whole`
    : `There are no keyed shards in ${edgeOutDir}`;
  throw new NoBuildError(`${problem}. Name the build that is live, or leave --previous out and publish all shards.`);
}

function parsedPointer(text = ''): Pointer | undefined {
  try {
    const pointer = JSON.parse(text) as Pointer;
    const isKnown = pointer.version === 1 && pointer.shards <= MOST_SHARDS;
    return isKnown && Number.isInteger(Math.log2(pointer.shards)) ? pointer : undefined;
  } catch {
    return undefined;
  }
}

async function readValue(edgeOutDir: string, name: string): Promise<string | undefined> {
  const edge = await liveFolder(edgeOutDir);
  return readFile(path.join(edge, SHARDS_FOLDER, valueFileName(name)), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Reads back what the last build published, by path. */
export async function readPublished(outDir: string): Promise<ReadonlyMap<string, PublishedFile>> {
  const { files } = await readJson<{ files: PublishedFile[] }>(await liveFolder(outDir), 'manifest.json');
  return new Map(files.map((file) => [file.path, file]));
}

/**
 * Reads back all that a deployment is compared with.
 * @param as - the users that are asked for
 */
export async function readBuild(
  outDir: string,
  edgeOutDir: string,
  as: readonly string[],
  secret: (name: string) => string | undefined,
): Promise<Build> {
  const rules = await readRules(edgeOutDir);
  const users = await readUsers(edgeOutDir, rules, as, secret);
  const edge = await liveFolder(edgeOutDir);
  const entries = await readdir(edge, { withFileTypes: true });
  const hosts = entries.flatMap((entry) => (entry.isDirectory() && entry.name !== SHARDS_FOLDER ? [entry.name] : []));
  const host = hosts.length === 1 ? hosts[0] : '<host>';
  return {
    rules,
    files: await readPublished(outDir),
    list: await readJson<ThemeRecord[]>(await liveFolder(outDir), LIST_FILE),
    users,
    hosts,
    rulesAt: `${path.relative(path.dirname(edgeOutDir), edge)}/${host}/README.md`,
  };
}

/** Users and their themes: those that are asked for, and without shards a few more, of whom samples are taken. */
async function readUsers(
  edgeOutDir: string,
  rules: EdgeRules,
  as: readonly string[],
  secret: (name: string) => string | undefined,
): Promise<Map<string, string>> {
  const users = new Map<string, string>();
  for await (const [kind, key, theme] of readPairs(edgeOutDir)) {
    if (users.size === SAMPLES) break;
    if (kind === 'user') users.set(key, theme);
  }
  if (as.length === 0) return users;
  const themeOf = await openMapping(edgeOutDir, rules, secret);
  for (const key of as) {
    const theme = await themeOf('user', key);
    if (theme !== undefined) users.set(key, theme);
  }
  return users;
}

/** Users that samples are taken from. */
const SAMPLES = 1000;

async function readJson<T>(folder: string, name: string): Promise<T> {
  const file = path.join(folder, name);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new NoBuildError(`${file} is damaged. Run \`themecast build\` again.`);
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new NoBuildError(`There is no build here: ${file} is missing. Run \`themecast build\` first.`);
  }
}
