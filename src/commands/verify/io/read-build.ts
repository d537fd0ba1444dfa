import path from 'node:path';
import {
  openMapping,
  NoBuildError,
  parsePair,
  readJson,
  readLines,
  readPublished,
  readRules,
} from '../../../compiler/serve/read-build.ts';
import { LIST_FILE } from '../../../core/document/endpoint.ts';
import { BUILD_FILE, parseBuildFile } from '../../../core/document/files/build-file.ts';
import { MAX_LIST_BYTES } from '../../../core/document/files/manifest-file.ts';
import type { ThemeRecord } from '../../../core/document/record.ts';
import { isGroupHostname } from '../../../core/theme/site/hostnames.ts';
import type { KeyKind } from '../../../core/users/key.ts';
import type { SearchedKey } from '../../../core/users/mapping.ts';
import { SHARDS_FOLDER } from '../../../hosts/adapter/common-files.ts';
import { declaredHostnames, MAX_HOSTNAMES, readsHostGroups } from '../../../hosts/contract/hostnames.ts';
import { PRIVATE_LIST } from '../../../hosts/contract/private-list.ts';
import type { Build } from '../../../hosts/contract/published-build.ts';
import { KEY_SECRET } from '../../../hosts/contract/secrets.ts';
import { ContainedFolder } from '../../../system/disk/contained-folder.ts';
import { sha256Of } from '../../../system/disk/files.ts';

/** Reads everything that a deployment is compared with. @param hostname - of the URL */
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
  const canLookUp = !rules.keyed || secret(KEY_SECRET) !== undefined;
  if (keys.length > 0 && !canLookUp)
    throw new NoBuildError(`The mapping is keyed, so ${KEY_SECRET} has to be in the environment to look a key up.`);
  const hasHostGroups = readsHostGroups(rules.identity);
  const here = hasHostGroups && hostname !== undefined && isGroupHostname(hostname) ? hostname : undefined;
  const isAsked = keys.length > 0 || here !== undefined;
  const themeOf = isAsked && canLookUp ? await openMapping(edgeOutDir, rules, secret) : undefined;
  const { groups, ...samples } = await readSamples(edgeOutDir, hasHostGroups);
  const themeHere = here === undefined ? undefined : await themeOf?.('group', here);
  if (here !== undefined && themeHere !== undefined) groups.set(here, themeHere);
  const hostnames = declaredHostnames(rules.identity, groups);
  return {
    rules,
    files: await readPublished(outDir),
    manifest: sha256Of((await new ContainedFolder(outDir).read('manifest.json', MAX_LIST_BYTES)) ?? ''),
    list: await readJson<ThemeRecord[]>(outDir, LIST_FILE, Array.isArray),
    ...samples,
    commit: parseBuildFile((await edge.read(BUILD_FILE, MAX_LIST_BYTES))?.toString('utf8')).commit,
    hostnames: hostnames.slice(0, MAX_HOSTNAMES),
    here: hostnames.find(({ name }) => name === hostname),
    named: await Promise.all(keys.map(async ({ kind, key }) => ({ kind, key, theme: await themeOf?.(kind, key) }))),
    privateFiles: await readPrivateFiles(edgeOutDir),
    hosts,
    rulesAt: `${path.relative(path.dirname(edgeOutDir), edge.path)}/${host}/README.md`,
  };
}

/** Matches lines of keys with a capital letter, and of keys that web frameworks percent-encode in cookies. */
const UNUSUAL = [/^\["[a-z]+","[^"]*[A-Z]/, /^\["[a-z]+","[^"]*[@+/=:|]/];

/**
 * Returns the first key of each theme, by kind, unusual keys, and the first groups that are hostnames. Measured: 0.5 s for a million users; parsing
 * each line took 8 s.
 */
async function readSamples(
  edgeOutDir: string,
  hasHostGroups: boolean,
): Promise<Pick<Build, 'samples' | 'unusual'> & { groups: Map<string, string> }> {
  const samples = { user: new Map<string, string>(), group: new Map<string, string>() };
  const unusual: { kind: KeyKind; key: string; theme: string }[] = [];
  const groups = new Map<string, string>();
  let sought = UNUSUAL;
  for await (const lines of readLines(edgeOutDir))
    for (const line of lines) {
      const found = sought.find((pattern) => pattern.test(line));
      // `userLines` writes lines such as `["user","u-1001","meadow"]`. Nearly all are for a theme that already has a sample.
      const isGroup = !line.startsWith('["user"');
      const isKnown = samples[isGroup ? 'group' : 'user'].has(line.slice(line.lastIndexOf(',"') + 2, -2));
      const mayBeHostname = isGroup && hasHostGroups && groups.size < MAX_HOSTNAMES;
      if (isKnown && found === undefined && !mayBeHostname) continue;
      const [kind, key, theme] = parsePair(line, edgeOutDir);
      if (found !== undefined) unusual.push({ kind, key, theme });
      if (!isKnown) samples[kind].set(theme, key);
      if (mayBeHostname && isGroupHostname(key)) groups.set(key, theme);
      sought = sought.filter((pattern) => pattern !== found);
    }
  return { samples, unusual, groups };
}

const MAX_SHARD_SAMPLES = 3;

/** Returns the name of every private file; of the thousands of shards, only a few, at the end. */
async function readPrivateFiles(edgeOutDir: string): Promise<string[]> {
  const isValid = (list: { files: string[] }): boolean => list.files.every((file) => typeof file === 'string');
  const { files } = await readJson(edgeOutDir, PRIVATE_LIST, isValid);
  const isShard = (name: string): boolean => name.startsWith(`${SHARDS_FOLDER}/`);
  return [
    PRIVATE_LIST,
    ...files.filter((name) => !isShard(name)),
    ...files.filter(isShard).slice(0, MAX_SHARD_SAMPLES),
  ];
}
