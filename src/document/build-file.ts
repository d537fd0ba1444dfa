import type { PrivateFile } from './output-file.ts';

/** The one file of a build that names its commit, below `edge/`: equal themes still give equal bytes in all others. */
export const BUILD_FILE = 'build.json';

/** The contents of the file. */
export interface BuildFile {
  /** The full id of the commit; missing where there is no Git. */
  commit?: string | undefined;
  /** SHA-256 of `manifest.json` of the public output. */
  manifest: string | undefined;
}

export function buildFile(build: BuildFile): PrivateFile {
  return { path: BUILD_FILE, content: { text: `${JSON.stringify({ version: 1, ...build })}\n` } };
}

/** Reads a `build.json`; nothing of one that is missing or damaged. */
export function parseBuildFile(text: string | undefined): Partial<BuildFile> {
  try {
    const { commit, manifest } = JSON.parse(text ?? '{}') as BuildFile;
    return { commit: COMMIT.test(commit ?? '') ? commit : undefined, manifest };
  } catch {
    return {};
  }
}

/** The full id of a commit. */
export const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
