import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TextOf } from '../../diagnostics/format-text.ts';
import type { ThemeAssets } from '../../client/types.ts';
import type { Missing } from '../../document/missing.ts';
import type { ThemeRecord } from '../../document/record.ts';
import type { KeyKind } from '../../users/key.ts';
import type { Problems } from './problems.ts';

/** A theme as far as it is valid. */
export interface ShownTheme {
  slug: string;
  /** Its record in the list, with URLs of this server; blank where something is missing. */
  record: ThemeRecord;
  /** What it lacks, by field. */
  missing: Missing;
  /** The icons that are made of its favicon. */
  icons?: Partial<ThemeAssets['icons']>;
}

/** The same with what the pages say about it. */
export interface GalleryTheme extends ShownTheme {
  /** The diagnostics in the files of this theme. */
  diagnostics: readonly Diagnostic[];
  /** How it differs from the last commit, if it does. */
  change?: 'new' | 'changed' | undefined;
  /** When its files last changed, in milliseconds since 1970. */
  changedAt?: number;
  /** Number of keys of each kind that are assigned to the theme. */
  users: Readonly<Record<KeyKind, number>>;
}

/** What the pages of the development server show. */
export interface GalleryContent {
  /** Number of what is shown; the script reloads the page when another is. */
  build: number;
  /** In ascending order of id. */
  themes: readonly GalleryTheme[];
  /** The texts of the files that diagnostics point into. */
  textOf: TextOf;
  /** What prevents a build of the last change. */
  problems: Problems | undefined;
  /** Required in requests that change files. */
  token: string;
  /** The commit that themes are compared with, and how many it has that are gone; undefined if there is none. */
  lastCommit?: { commit: string; removed: number } | undefined;
  /** Whether themes are previewed in a page of the team, and not in the mock community. */
  hasTeamPage?: boolean;
  /** The change that Undo takes back, and the change that Redo makes again. */
  undo?: { slug: string; label: string } | undefined;
  redo?: GalleryContent['undo'];
}

/** Which theme a user or a group gets. */
export interface ViewedAs {
  sentence: string;
  theme: string | undefined;
}
