import type { Mode } from '../../../core/document/logo-choice.ts';
import type { Site } from '../../../core/theme/site/site.ts';
import type { ThemeUsers } from './users-card.ts';

/** The content of the editor of a theme. */
export interface EditorContent {
  /** The fields of theme.yaml; undefined if its YAML has errors. */
  data: Readonly<Record<string, unknown>> | undefined;
  /** The digest of theme.yaml. */
  hash: string;
  site: Pick<Site, 'logo_types' | 'logo_alignments'>;
  /** The other themes, which this one may extend. */
  slugs: readonly string[];
  /** The users of this theme; undefined if they are too many to read for a page. */
  users: ThemeUsers | undefined;
  /** The number of versions of its logo for the pages of each mode. */
  versions: Readonly<Record<Mode, number>>;
  /** Whether something made from the logo fills a placeholder without a warning. */
  canFill: boolean;
  /** Messages for each field. */
  messages: ReadonlyMap<string, readonly FieldMessage[]>;
}

/** A diagnostic at the control of a field. */
export interface FieldMessage {
  text: string;
  isError: boolean;
  /** The code of the warning, if the theme can accept it. */
  acceptable: string | undefined;
  isPlaceholder: boolean;
}
