import type { Site } from '../../theme/site.ts';
import type { BrokenSource } from './source-card.ts';
import type { UsersOfSource } from './users-card.ts';

/** The content of the editor of a theme. */
export interface EditorContent {
  /** The fields of theme.yaml; undefined if its YAML has errors. */
  data: Readonly<Record<string, unknown>> | undefined;
  /** The images in the folder of the theme. */
  files: readonly string[];
  /** Set if the YAML has errors. */
  broken: BrokenSource | undefined;
  /** Of theme.yaml. */
  hash: string;
  site: Pick<Site, 'logo_types' | 'logo_alignments'>;
  /** The other themes, which this one may extend. */
  slugs: readonly string[];
  /** The files that give this theme to users; undefined if they are too large to count. */
  sources: readonly UsersOfSource[] | undefined;
  /** Messages for each field. */
  messages: ReadonlyMap<string, readonly FieldMessage[]>;
}

/** A diagnostic at the control of a field. */
export interface FieldMessage {
  text: string;
  isError: boolean;
  /** The code of a warning that the theme can accept. */
  acceptable: string | undefined;
  isPlaceholder: boolean;
}
