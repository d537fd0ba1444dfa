import path from 'node:path';
import { RULES_FILE, SHARDS_FOLDER, USERS_FILE, valueFileName } from '../../hosts/adapter/common-files.ts';
import { ShardedThemes } from '../../core/edge-runtime/shards.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../../hosts/contract/secrets.ts';
import type { PublishedFile } from '../../hosts/contract/published-build.ts';
import type { EdgeRules } from '../../hosts/contract/contract.ts';
import type { KeyKind } from '../../core/users/key.ts';
import { ContainedFolder } from '../../system/disk/contained-folder.ts';
import { invocation } from '../../system/command-line/invocation.ts';
import { MAX_LIST_BYTES } from '../../core/document/files/manifest-file.ts';
import { servedAs } from '../../core/document/files/served-as.ts';

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
export async function* readLines(edgeOutDir: string): AsyncGenerator<string[]> {
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

export function parsePair(line: string, edgeOutDir: string): [kind: KeyKind, key: string, theme: string] {
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

/** Reads a JSON file of a build. @param isValid - whether the value has the expected form; it may throw */
export async function readJson<T>(folder: string, name: string, isValid: (read: T) => boolean): Promise<T> {
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
