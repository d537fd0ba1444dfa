import type { Wanted } from './changes.ts';
import type { StopSignal } from './staging.ts';

/** What is written to a file. */
export type Content = Buffer | Iterable<string>;

/** What is to be published. */
export interface NewPublication<F extends Wanted> {
  /** The files of the public output, each made when it is asked for; `manifest.json` last. */
  files: Iterable<F>;
  /** The hash of `manifest.json`, if it is known before they are made. */
  manifest: string | undefined;
  /** What is written to one; asked for only if it is not in its place. */
  contentOf: (file: F) => Content | Promise<Content>;
  /** The files of the private output. */
  privateFiles: readonly Wanted[];
  privateContentOf: (path: string) => Promise<Content>;
  /** How many users and groups the private output maps. */
  users: number;
  /** What the last publication left. */
  left: LeftOutput | undefined;
  /** Stops the publication, until the first file is moved. */
  signal?: StopSignal | undefined;
}

/** The output as a publication left it: plain data, by which the next one knows whether it is still so. */
export interface LeftOutput {
  /** The fingerprints of the public output and the private one, if they count. */
  prints: readonly [string | undefined, string | undefined];
  /** The hash of `manifest.json`. */
  manifest: string;
  /** The hashes of the private files. */
  privateFiles: Readonly<Record<string, string>>;
  /** The files that themecast did not make. */
  foreign: readonly [readonly string[], readonly string[]];
}
