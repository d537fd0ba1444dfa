import type { Wanted } from './changes.ts';
import type { StopSignal } from './staging.ts';

/** The bytes of a file, or its text part by part. */
export type Content = Buffer | Iterable<string>;

/** The files to publish. */
export interface NewPublication<F extends Wanted> {
  /** The files of the public output, each made when it is asked for; `manifest.json` last. */
  files: Iterable<F>;
  /** The hash of `manifest.json`, if it is known before they are made. */
  manifest: string | undefined;
  /** The content of a file; asked for only if the file is not in its place. */
  contentOf: (file: F) => Content | Promise<Content>;
  /** The files of the private output, once the hash of `manifest.json` is known. */
  privateFiles: (manifest: string) => readonly Wanted[];
  privateContentOf: (path: string) => Promise<Content>;
  /** How many users and groups the private output maps. */
  users: number;
  /** The output as the last publication left it. */
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
