import type { Diagnostic } from '../core/diagnostics/diagnostic.ts';
import type { StopSignal } from './publish/publication.ts';
import type { EdgeHost } from '../core/theme/site/site.ts';

/** Options of {@link check}. Relative paths start at the working directory. */
export interface CheckOptions {
  /** Folder of the themes. */
  themesDir: string;
  /** Further users: a file of CSV, or `-` for standard input. Default: none. */
  users?: string | undefined;
  /**
   * Folder of the cache, created if it is missing. Anyone who can write to it decides which images are published. With a cache, fingerprints of
   * files are stored in the user's state folder. Default: none, so that everything is read and rendered again.
   */
  cacheDir?: string | undefined;
  /** Overrides `base_url` of site.yaml: an https URL without query or fragment (http only for localhost). */
  baseUrl?: string | undefined;
  /** Public output of the last build, if there is one. Default: none. */
  outDir?: string | undefined;
  /** Private output of that build; with both, output that Git tracks is reported. Default: none. */
  edgeOutDir?: string | undefined;
  /** Whether warnings stop the build too. Default: false. */
  strict?: boolean | undefined;
  /** The share of the themes to compile, for one of several machines; users are not read then. Default: everything. */
  shard?: { index: number; total: number } | undefined;
  /** Called before and after each theme is compiled, with the numbers of finished themes and of all themes. */
  onProgress?: ((done: number, all: number) => void) | undefined;
  /** Folder that diagnostics name files relative to. Default: the working directory. */
  cwd?: string | undefined;
}

/**
 * The stages of a build: `walk` lists the sources and the output, `compile` checks each theme, `link` joins them, `documents` makes the files and
 * compares them with the output, `publish` moves them into place. A stage without work is left out.
 */
export type BuildStage = 'walk' | 'compile' | 'link' | 'documents' | 'publish';

/** Options of {@link build}, besides those of a check. Relative paths start at the working directory. */
export interface BuildOptions extends Omit<CheckOptions, 'outDir' | 'edgeOutDir' | 'shard'> {
  /** Folder of the public output. */
  outDir: string;
  /** Folder of the private output, for its owner alone; not inside the public one. */
  edgeOutDir: string;
  /** Secret of keyed shards, at least 32 bytes in UTF-8. Needed only if the site enables them (`mapping.keyed`). */
  keySecret?: string | undefined;
  /** The full id of the commit that is built, for the deployment record. Default: the commit that is checked out, if there is one. */
  commit?: string | undefined;
  /** Whether far fewer themes or users may be published than before. Default: false. */
  allowShrink?: boolean | undefined;
  /** Stops the build; the output stays unchanged, unless it was just being published. Default: no signal. */
  signal?: StopSignal | undefined;
  /** Called when a stage begins. Default: nothing is called. */
  onStage?: ((stage: BuildStage) => void) | undefined;
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

/** The result of a build that was published, or stopped by its diagnostics. */
export type BuildResult = BuildSuccess | (CheckResult & { ok: false });

/** The result of a build that was published. */
export interface BuildSuccess extends CheckResult {
  ok: true;
  /** Files published in `outDir`; `manifest.json` there lists them. */
  files: number;
  /** Size of these files, in bytes. */
  bytes: number;
  /** Images among them: phase 1 of an upload. */
  media: number;
  /** The hosts whose rewrite rules are in `edgeOutDir`. */
  hosts: readonly EdgeHost[];
  /** Paths of foreign files in the output, which are left alone. */
  foreign: readonly string[];
  /** Thumbnails made by this build. */
  rendered: number;
  /** Thumbnails taken from the cache. */
  cached: number;
}
