import type { FileToPublish } from './changes.ts';
import type { StopSignal } from './staging.ts';

/** The bytes of a file, or its text part by part. */
export type Content = Buffer | Iterable<string>;

export interface NewPublication<F extends FileToPublish> {
  /** The files of the public output, each made on request; `manifest.json` last. */
  files: Iterable<F>;
  /** The digest of `manifest.json`, if it is known before the files are made. */
  manifest: string | undefined;
  /** Returns the content of a file; called only if the file has to be written. */
  contentOf: (file: F) => Content | Promise<Content>;
  /** Returns the files of the edge directory, once the digest of `manifest.json` is known. */
  privateFiles: (manifest: string) => readonly FileToPublish[];
  privateContentOf: (path: string) => Promise<Content>;
  /** Number of users and groups mapped in the edge directory. */
  users: number;
  previous: OutputState | undefined;
  /** Stops the publication, until the first file is moved. */
  signal?: StopSignal | undefined;
}

/** The output after a publication, as plain data from which the next publication detects changes. */
export interface OutputState {
  /** Fingerprints of the output directory and the edge directory, if they are trusted. */
  fingerprints: readonly [string | undefined, string | undefined];
  /** The digest of `manifest.json`. */
  manifest: string;
  privateFiles: Readonly<Record<string, string>>;
  foreign: readonly [readonly string[], readonly string[]];
}
