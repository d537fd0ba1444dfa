import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { TextOf } from '../diagnostics/format-text.ts';
import type { FileSizes } from '../document/media.ts';
import type { ThemeRecord } from '../document/record.ts';
import type { KeyKind } from '../users/key.ts';
import type { Site } from '../theme/site.ts';
import type { GitLinks } from './git-links.ts';

/** A theme of the last successful build. */
export interface GalleryTheme {
  slug: string;
  /** Its record in the list, with URLs of this server. */
  record: ThemeRecord;
  sizes: FileSizes;
  /** The diagnostics in the files of this theme. */
  diagnostics: readonly Diagnostic[];
  /** Number of keys of each kind that are assigned to the theme. */
  users: Readonly<Record<KeyKind, number>>;
}

/** What the pages of the development server show. */
export interface GalleryContent {
  site: Pick<Site, 'base_url'>;
  /** Number of the build that is shown; the script reloads the page after another build. */
  build: number;
  /** In ascending order of id. */
  themes: readonly GalleryTheme[];
  /** The texts of the files that diagnostics point into. */
  textOf: TextOf;
  /** Where themes are edited on the web; undefined if the remote of the repository is not a known Git host. */
  links: GitLinks | undefined;
  /** The diagnostics that prevent a build of the last change, as the terminal prints them. */
  problems: string | undefined;
  /** Keys that are suggested as input on the page View as. */
  sampleUsers: readonly { kind: KeyKind; key: string }[];
}
