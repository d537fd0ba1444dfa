import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { TextOf } from '../diagnostics/format-text.ts';
import type { FileSizes } from '../document/media.ts';
import type { ThemeRecord } from '../document/record.ts';
import type { KeyKind } from '../users/key.ts';
import type { Site } from '../theme/site.ts';
import type { GitLinks } from './git-links.ts';

/** A theme of the last good build. */
export interface GalleryTheme {
  slug: string;
  /** As the list has it, with URLs of this server. */
  record: ThemeRecord;
  sizes: FileSizes;
  /** Those in the files of this theme. */
  diagnostics: readonly Diagnostic[];
  /** How many keys of each kind are given the theme. */
  users: Readonly<Record<KeyKind, number>>;
}

/** What the pages of the development server show. */
export interface GalleryContent {
  site: Pick<Site, 'base_url'>;
  /** Number of the build that is shown; the script loads the page again when there is another one. */
  build: number;
  /** In the order of their ids. */
  themes: readonly GalleryTheme[];
  /** The files that diagnostics point into. */
  textOf: TextOf;
  /** Where themes are edited on the web; nothing if the remote of the repository is not known to have such pages. */
  links: GitLinks | undefined;
  /** The diagnostics that keep the last change from being shown, as the terminal has them. */
  problems: string | undefined;
  /** Keys that are suggested when somebody is typed. */
  sampleUsers: readonly { kind: KeyKind; key: string }[];
}
