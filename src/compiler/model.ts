/**
 * The data that the stages of a build pass to each other, in the words of compilers:
 *
 * ```text
 * walk → compile each theme → link the site → publish the difference
 * ```
 *
 * A theme is compiled only from its own files and the settings of the site, so a change compiles one theme. Everything that depends on
 * several themes is linked: every time, from data, never stored ([decision](../../docs/adr/compile-and-link.md)).
 */
import type { Code, Location } from '../core/diagnostics/diagnostic.ts';
import type { FileFacts, OutputFile, PrivateFile } from '../core/document/files/output-file.ts';
import type { LogoAnalysis } from '../core/image/logo-analysis.ts';
import type { Format } from '../core/image/format.ts';
import type { Theme } from '../core/theme/resolve.ts';
import type { Site } from '../core/theme/site/site.ts';
import type { ThemeSource } from '../core/theme/theme-source.ts';
import type { KeyKind } from '../core/users/key.ts';
import type { AssignmentSummary } from '../core/users/mapping.ts';
import type { Walk } from './walk/walk.ts';

/** A recorded diagnostic, reported each time its cause is used. */
export type RecordedDiagnostic = readonly [code: Code, location: Location, args: never];

/** A theme folder, parsed, checked and decoded. Plain data, so that it can be stored. */
export interface CompiledTheme {
  slug: string;
  /** `theme.yaml` as diagnostics name it; undefined if it is missing or unreadable. */
  file?: string;
  /** Its fields; undefined if it could not be parsed. */
  source?: ThemeSource;
  /** The id in its text, reserved even if the rest cannot be parsed; 0 without an id. */
  writtenId: number;
  /** The images used by its own fields, except unusable images, which are reported. */
  images: readonly CompiledImage[];
  diagnostics: readonly RecordedDiagnostic[];
  /** Diagnostics about unused files, reported once the theme is complete: a name may be misspelt. */
  unused: readonly RecordedDiagnostic[];
}

export interface CompiledImage {
  /** Relative to the folder. Authors choose these names, so they are never used as keys of an object. */
  path: string;
  format: Format;
  /** Size in bytes and SHA-256 of the published original. */
  bytes: number;
  sha256: string;
  /** Whether the file has metadata, which is not published. */
  isStripped: boolean;
  /** Its side in pixels, if it is a favicon and the icon as it is. */
  iconSide?: number | undefined;
  /** A result per thumbnail spec, or one without a thumbnail if there is no spec. Empty if it was not decoded. */
  decodings: readonly Decoding[];
}

export interface Decoding {
  /** Digest of the method: thumbnail spec, and versions of the renderer and of the checks. */
  method: string;
  thumbnail?: Thumbnail;
  /** For logos only. */
  analysis?: LogoAnalysis;
}

export interface Thumbnail {
  marker: string;
  format: Format;
  bytes: number;
  sha256: string;
  /** In pixels, of a PNG. */
  width?: number;
  height?: number;
}

/** `site.yaml`, with the places that later stages report. */
export interface CompiledSettings {
  site: Site;
  edge: Location;
  rules: readonly Location[];
  /** Whether `site.yaml` has identity rules; otherwise the default rules apply. */
  hasRules: boolean;
  hostnames: readonly { name: string; theme: string; location: Location }[];
}

export interface CompiledSite {
  walk: Walk;
  settings: CompiledSettings;
  /** Digest of what all themes are compiled from besides their files. */
  settingsDigest: string;
  themes: ReadonlyMap<string, CompiledTheme>;
  /** The keys of the compiled themes in the cache. */
  keys: readonly string[];
  /** Themes that the next build may compile to something else, even if no file changes: a file could not be read. */
  unfinished: ReadonlySet<string>;
  rendered: number;
}

/** Everything that hosts need to know about the files of users, without their keys. */
export interface CompiledUsers {
  /** Number of keys that hosts must know. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Number of keys of each kind per theme, in the order of the slugs. */
  countsByTheme: Readonly<Record<KeyKind, readonly number[]>>;
  assigned: AssignmentSummary;
}

/** The part of the linked site that depends on themes alone. */
export interface LinkedThemes {
  settings: CompiledSettings;
  walk: Walk;
  /** The parsed themes, before `extends` and defaults. */
  sources: readonly ThemeSource[];
  /** Complete themes, in the order of their ids. */
  themes: readonly Theme[];
  compiled: ReadonlyMap<string, CompiledTheme>;
  nextId: number;
}

/** A file of `media/`: a published image, or a thumbnail. */
export interface MediaFile extends FileFacts {
  slug: string;
  original?: { path: string; isStripped: boolean };
  thumbnail?: Thumbnail;
}

/** The files of all hosts. Their contents are made only if one of them has to be written. */
export interface LinkedHosts {
  private: readonly Pick<FileFacts, 'path' | 'bytes' | 'sha256'>[];
  public: readonly FileFacts[];
  make: (path: string) => Promise<OutputFile | PrivateFile>;
}
