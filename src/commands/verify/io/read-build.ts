import path from 'node:path';
import {
  NoBuildError,
  openMapping,
  parsePair,
  readJson,
  readLines,
  readPublished,
  readRules,
} from '../../../compiler/serve/read-build.ts';
import { BUILD_FILE, parseBuildFile } from '../../../core/document/files/build-file.ts';
import { LIST_FILE } from '../../../core/document/endpoint.ts';
import { MAX_LIST_BYTES } from '../../../core/document/files/manifest-file.ts';
import type { ThemeRecord } from '../../../core/document/record.ts';
import { isGroupHostname } from '../../../core/theme/site/hostnames.ts';
import type { KeyKind } from '../../../core/users/key.ts';
import type { SearchedKey } from '../../../core/users/mapping.ts';
import { SHARDS_FOLDER } from '../../../hosts/adapter/common-files.ts';
import type { EdgeRules } from '../../../hosts/contract/contract.ts';
import { declaredHostnames, MAX_HOSTNAMES, readsHostGroups } from '../../../hosts/contract/hostnames.ts';
import { PRIVATE_LIST } from '../../../hosts/contract/private-list.ts';
import type { Build } from '../../../hosts/contract/published-build.ts';
import { KEY_SECRET } from '../../../hosts/contract/secrets.ts';
import { invocation } from '../../../system/command-line/invocation.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { sha256Of } from '../../../system/disk/files.ts';

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
  if (rules.keyed && hostname !== undefined && isGroupHostname(hostname) && secret(KEY_SECRET) !== undefined) {
    const theme = await (await openMapping(edgeOutDir, rules, secret))('group', hostname);
    return theme === undefined ? groups : groups.set(hostname, theme);
  }
  for await (const lines of readLines(edgeOutDir))
    for (const line of lines) {
      if (!line.startsWith('["group"')) continue;
      const [, key, theme] = parsePair(line, edgeOutDir);
      if ((key === hostname || groups.size < MAX_HOSTNAMES) && isGroupHostname(key)) groups.set(key, theme);
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
