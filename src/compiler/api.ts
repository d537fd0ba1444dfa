import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { StopSignal } from './output/staging.ts';
import type { EdgeHost } from '../theme/site.ts';

/** Options of {@link check}. Relative paths start at the working directory. */
export interface CheckOptions {
  /** Folder of the themes. */
  themesDir: string;
  /** Further users: a file of CSV, or `-` for standard input. Default: none. */
  users?: string | undefined;
  /**
   * Folder of the cache, made if it is missing: anyone who can write to it decides which images are published. What is known of files by their
   * times is then kept in the state folder of the user. Default: none, so that everything is read and rendered again.
   */
  cacheDir?: string | undefined;
  /** Overrides `base_url` of site.yaml: an https URL without query or fragment (http only for localhost). */
  baseUrl?: string | undefined;
  /** Public output of the last build, if there is one. Default: none. */
  outDir?: string | undefined;
  /** Its private output; with both, what Git tracks of them is reported. Default: none. */
  edgeOutDir?: string | undefined;
  /** Whether warnings stop the build too. Default: false. */
  strict?: boolean | undefined;
  /** Whether images are decoded; without it, corrupt images and advice on logos are not found. Default: true. */
  decode?: boolean | undefined;
  /** The share of the themes that is compiled, for one of several machines; then no users are read. Default: everything. */
  shard?: { index: number; total: number } | undefined;
  /** Called before and after each theme that is compiled, with how many are done and how many there are. */
  onProgress?: ((done: number, all: number) => void) | undefined;
  /** Folder that diagnostics name files relative to. Default: the working directory. */
  cwd?: string | undefined;
}

/** Options of {@link build}. Relative paths start at the working directory. */
export interface BuildOptions {
  /** Folder of the themes. */
  themesDir: string;
  /** Folder of the public output. */
  outDir: string;
  /** Folder of the private output, for its owner alone; not inside the public one. */
  edgeOutDir: string;
  /** Further users, as for a check. */
  users?: string | undefined;
  /** Folder of the cache, as for a check. */
  cacheDir?: string | undefined;
  /** Overrides `base_url` of site.yaml, as for a check. */
  baseUrl?: string | undefined;
  /** Whether warnings stop the build too. Default: false. */
  strict?: boolean | undefined;
  /** Secret of keyed shards, at least 32 bytes in UTF-8. Needed only if the site asks for them (`mapping.keyed`). */
  keySecret?: string | undefined;
  /** The full id of the commit that is built, which a deployment records. Default: the one that is checked out, if there is one. */
  commit?: string | undefined;
  /** Whether far fewer themes or users may be published than there are now. Default: false. */
  allowShrink?: boolean | undefined;
  /** Stops the build; the output is then as it was, unless it was just being published. Default: nothing does. */
  signal?: StopSignal | undefined;
  /** Called before and after each theme that is compiled, with how many are done and how many there are. */
  onProgress?: ((done: number, all: number) => void) | undefined;
  /** Folder that diagnostics name files relative to. Default: the working directory. */
  cwd?: string | undefined;
}

/** The result of a check. */
export interface CheckResult {
  /** Whether the themes can be published: there is no error, and with `strict` no warning. */
  ok: boolean;
  /** Sorted by file, line, column and code. */
  diagnostics: readonly Diagnostic[];
  /** Themes without errors. */
  themes: number;
  /** Users and groups with a theme other than the default. */
  users: number;
}

/** The result of a build that was published, or of one that published nothing because of its diagnostics. */
export type BuildResult = BuildSuccess | (CheckResult & { ok: false });

/** The result of a build that was published. */
export interface BuildSuccess extends CheckResult {
  ok: true;
  /** Files that are published in `outDir`; `manifest.json` there lists them. */
  files: number;
  /** Size of these files, in bytes. */
  bytes: number;
  /** Images among them: phase 1 of an upload. */
  media: number;
  /** The hosts whose rewrite rules are in `edgeOutDir`. */
  hosts: readonly EdgeHost[];
  /** Paths of files in the output that themecast did not make, and left alone. */
  foreign: readonly string[];
  /** Thumbnails that were made. */
  rendered: number;
  /** Thumbnails that were taken from the cache. */
  cached: number;
}
