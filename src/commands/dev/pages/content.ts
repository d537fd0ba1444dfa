import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts';
import type { TextOf } from '../../../core/diagnostics/format-text.ts';
import type { Missing } from '../../../core/document/page/missing.ts';
import type { ThemeRecord } from '../../../core/document/record.ts';
import type { Look } from '../../../core/document/variables.ts';
import type { KeyKind } from '../../../core/users/key.ts';
import type { Problems } from './problems.ts';

/** The valid parts of a theme. */
export interface PartialTheme extends Look {
  slug: string;
  /** Its record in the list, with URLs of this server, and blanks for missing values. */
  record: ThemeRecord;
  /** The missing fields. */
  missing: Missing;
  /** Whether its theme.yaml cannot be read at all. */
  isUnread?: boolean;
}

/** A theme in the gallery, with its diagnostics, changes and users. */
export interface GalleryTheme extends PartialTheme {
  /** The diagnostics in the files of this theme. */
  diagnostics: readonly Diagnostic[];
  /** Its change since the last commit, if any. */
  change?: 'new' | 'changed' | undefined;
  /** Number of keys of each kind that are assigned to the theme. */
  users: Readonly<Record<KeyKind, number>>;
}

/** The content of the pages of the development server. */
export interface GalleryContent {
  /** The number of the build; the script refreshes the page after another build. */
  build: number;
  /** Whether the first build is under way. */
  isReading?: boolean;
  /** In ascending order of id. */
  themes: readonly GalleryTheme[];
  /** Returns the source text of a file, for diagnostics. */
  textOf: TextOf;
  /** The problems that prevent a build. */
  problems: Problems | undefined;
  /** Required in requests that change files. */
  token: string;
  /** The number of themes removed since the last commit. */
  removed?: number;
  /** The team's own page, in which themes are previewed instead of the mock community, and whether it links the stylesheet. */
  teamPage?: { isThemed: boolean } | undefined;
  /** The next changes to undo and redo. */
  undo?: { slug: string; label: string } | undefined;
  redo?: GalleryContent['undo'];
}

/** The theme of a user or group, with an explanation. */
export interface ViewedAs {
  sentence: string;
  theme: string | undefined;
}
