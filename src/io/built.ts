import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ThemeRecord } from '../document/record.ts';
import type { Build, PublishedFile } from '../edge/verify/build.ts';
import { LIST_FILE } from '../edge/verify/list.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';
import { errorCode } from './files.ts';
import { liveFolder } from './places.ts';

/** There is no whole build where one was looked for. */
export class NoBuildError extends Error {}

/** What the last build wrote for hosts that run code. */
export interface Mapping {
  rules: EdgeRules;
  /** Themes by key. */
  users: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, string>;
}

/** Reads back the rules and the mapping of the last build. */
export async function readMapping(edgeOutDir: string): Promise<Mapping> {
  type Pairs = [key: string, theme: string][];
  const { rules, users, groups } = await readJson<{ rules: EdgeRules; users: Pairs; groups: Pairs }>(
    await liveFolder(edgeOutDir),
    'users.json',
  );
  return { rules, users: new Map(users), groups: new Map(groups) };
}

/** Reads back what the last build published, by path. */
export async function readPublished(outDir: string): Promise<ReadonlyMap<string, PublishedFile>> {
  const { files } = await readJson<{ files: PublishedFile[] }>(await liveFolder(outDir), 'manifest.json');
  return new Map(files.map((file) => [file.path, file]));
}

/** Reads back all that a deployment is compared with. */
export async function readBuild(outDir: string, edgeOutDir: string): Promise<Build> {
  const { rules, users } = await readMapping(edgeOutDir);
  const edge = await liveFolder(edgeOutDir);
  const entries = await readdir(edge, { withFileTypes: true });
  const hosts = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
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
