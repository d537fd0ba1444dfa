/**
 * The data that the stages of a build hand to each other, in the words of compilers:
 *
 * ```text
 * walk → compile each theme → link the site → publish the difference
 * ```
 *
 * A theme is compiled from its own files and the settings of the site alone, so a change compiles one theme. All that depends on several
 * themes is linked: every time, from data, never stored ([decision](../../docs/adr/compile-and-link.md)).
 */
import type { Code, Location } from '../diagnostics/diagnostic.ts';
import type { FileFacts, OutputFile, PrivateFile } from '../document/output-file.ts';
import type { Look } from '../image/advice-look.ts';
import type { Format } from '../image/format.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Site } from '../theme/site.ts';
import type { ThemeSource } from '../theme/theme-source.ts';
import type { KeyKind } from '../users/key.ts';
import type { Assignments } from '../users/mapping.ts';
import type { Walk } from './walk.ts';

/** A diagnostic that is reported each time its cause is used. */
export type Recorded = readonly [code: Code, location: Location, args: never];

/** A theme folder, parsed, checked and decoded. Plain data, so that it can be stored. */
export interface CompiledTheme {
  slug: string;
  /** `theme.yaml` as diagnostics name it; nothing if there is none that can be read. */
  file?: string;
  /** Its fields; nothing if it could not be parsed. */
  source?: ThemeSource;
  /** The id in its text, which counts as taken even if the rest cannot be parsed; 0 without one. */
  writtenId: number;
  /** The images that its own fields name; without those that cannot be used, which is reported. */
  images: readonly CompiledImage[];
  diagnostics: readonly Recorded[];
  /** Diagnostics about files that it does not name, reported once it lacks nothing: a name may be misspelt. */
  unused: readonly Recorded[];
}

/** An image, and all that is published of it. */
export interface CompiledImage {
  /** Relative to the folder. Names come from authors, so that none is the key of an object. */
  path: string;
  format: Format;
  /** Size in bytes and SHA-256 of the published original. */
  bytes: number;
  sha256: string;
  /** Whether the file has metadata, which is not published. */
  isStripped: boolean;
  /** A decoding for each thumbnail spec; one without a thumbnail if there is none. Nothing if it was not decoded. */
  made: readonly Decoding[];
}

/** The result of decoding an image once. */
export interface Decoding {
  /** Digest of what was done: thumbnail spec, versions of the renderer and of the checks. */
  method: string;
  thumbnail?: Thumbnail;
  /** Of logos. */
  look?: Look;
}

/** A thumbnail, with the size marker of its spec. */
export interface Thumbnail {
  marker: string;
  format: Format;
  bytes: number;
  sha256: string;
  /** In pixels, of a PNG. */
  width?: number;
  height?: number;
}

/** `site.yaml`, and where it says what later stages report. */
export interface CompiledSettings {
  site: Site;
  edge: Location;
  /** The rules of identity. */
  rules: readonly Location[];
  /** Whether it has them; otherwise they are the default. */
  hasRules: boolean;
  /** The hostnames that rules declare. */
  hostnames: readonly { name: string; theme: string; location: Location }[];
}

/** The compiled parts of a site. */
export interface CompiledSite {
  walk: Walk;
  settings: CompiledSettings;
  themes: ReadonlyMap<string, CompiledTheme>;
  /** How many images were decoded. */
  rendered: number;
}

/** All that hosts need to know of the files of users, without their keys. */
export interface CompiledUsers {
  /** Keys that hosts must know. */
  counts: Readonly<Record<KeyKind, number>>;
  /** Keys of each kind that are given each theme, in the order of the slugs. */
  countsByTheme: Readonly<Record<KeyKind, readonly number[]>>;
  assigned: Assignments;
}

/** The site as far as it depends on themes alone. */
export interface LinkedThemes {
  settings: CompiledSettings;
  walk: Walk;
  /** The parsed themes, as their files have them. */
  sources: readonly ThemeSource[];
  /** The themes that lack nothing, in the order of their ids. */
  themes: readonly Theme[];
  compiled: ReadonlyMap<string, CompiledTheme>;
  /** The next free id. */
  nextId: number;
}

/** A file of `media/`: the copy of an image in the folder of a theme, or a thumbnail. */
export interface MediaFile extends FileFacts {
  slug: string;
  original?: { path: string; isStripped: boolean };
  thumbnail?: Thumbnail;
}

/** The files of all hosts: made again only if one of them has to be written. */
export interface LinkedHosts {
  private: readonly Pick<FileFacts, 'path' | 'bytes' | 'sha256'>[];
  public: readonly FileFacts[];
  make: (path: string) => Promise<OutputFile | PrivateFile>;
}
