import type { PrivateFile } from './output-file.ts';

/** The only file of a build that contains its commit, below `edge/`: all other files depend on the themes alone. */
export const BUILD_FILE = 'build.json';

export interface BuildFile {
  /** The full id of the commit; missing without Git. */
  commit?: string | undefined;
  /** The SHA-256 of `manifest.json` in the output directory. */
  manifest: string | undefined;
  /** The last commits before it, so that `deploy` knows them without Git; missing in a shallow clone. */
  ancestors?: readonly string[] | undefined;
}

export const MAX_ANCESTORS = 300;

export function buildFile(build: BuildFile): PrivateFile {
  return { path: BUILD_FILE, content: { text: `${JSON.stringify({ version: 1, ...build })}\n` } };
}

/** Parses `build.json`; returns an empty object for a missing or damaged file. */
export function parseBuildFile(text: string | undefined): Partial<BuildFile> {
  try {
    const { commit, manifest, ancestors } = JSON.parse(text ?? '{}') as BuildFile;
    return {
      commit: COMMIT.test(commit ?? '') ? commit : undefined,
      manifest,
      ...(Array.isArray(ancestors) && { ancestors: ancestors.map(String) }),
    };
  } catch {
    return {};
  }
}

/** Matches the full id of a commit. */
export const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
