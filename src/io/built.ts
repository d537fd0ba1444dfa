import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ThemeRecord } from '../document/record.ts';
import type { Build, PublishedFile } from '../edge/verify/build.ts';
import { LIST_FILE } from '../edge/verify/list.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';
import { errorCode } from './files.ts';

/** There is no build to compare a deployment with. */
export class NoBuildError extends Error {}

/** Reads back what the last build published, and its private rules and users. */
export async function readBuild(outDir: string, edgeOutDir: string): Promise<Build> {
  const { rules, users } = await readJson<{ rules: EdgeRules; users: [string, string][] }>(edgeOutDir, 'users.json');
  const { files } = await readJson<{ files: PublishedFile[] }>(outDir, 'manifest.json');
  const list = await readJson<ThemeRecord[]>(outDir, LIST_FILE);
  const hosts = (await readdir(edgeOutDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const host = hosts.length === 1 ? hosts[0]?.name : '<host>';
  return {
    rules,
    files: new Map(files.map((file) => [file.path, file])),
    list,
    users: new Map(users),
    rulesAt: `${path.basename(edgeOutDir)}/${host}/README.md`,
  };
}

async function readJson<T>(folder: string, name: string): Promise<T> {
  const file = path.join(folder, name);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new NoBuildError(
      `There is no build to compare with: ${file} is missing. Run \`themecast build\` on the commit that is deployed.`,
    );
  }
}
