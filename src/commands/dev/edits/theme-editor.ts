import path from 'node:path';
import { type Diagnostic } from '../../../core/diagnostics/diagnostic.ts';
import { isAcceptable } from '../../../core/theme/accept.ts';
import { ANY_IMAGE_FIELDS } from '../../../core/theme/fields/fields.ts';
import { THEME_FILE } from '../../../core/theme/themes-folder.ts';
import type { Session } from '../session/session.ts';
import { fieldAt, sentence } from './field-errors.ts';
import type { GalleryContent, GalleryTheme } from '../pages/content.ts';
import type { EditorContent, FieldMessage } from '../pages/editor-content.ts';
import type { SourceDocument } from '../../../core/source/yaml.ts';
import { readTheme } from './theme-edits.ts';
import { drawableFor } from './make-images.ts';
import { themeUsers } from './users.ts';

const PLACEHOLDER = 'image/placeholder';
const NO_VERSIONS = { light: [], dark: [] };

/** Returns the content of the editor of a theme. */
export async function themeEditor(
  { slug, diagnostics }: GalleryTheme,
  { themes }: GalleryContent,
  session: Session,
  filter = '',
): Promise<EditorContent> {
  const theme = await readTheme(session, slug);
  const messages = new Map<string, FieldMessage[]>();
  for (const diagnostic of theme === undefined ? [] : diagnostics)
    for (const field of fieldsOf(diagnostic, slug, theme?.document)) {
      const isError = diagnostic.severity === 'error';
      // The warning about placeholders covers all of a theme, so it cannot be accepted for a single field.
      const isPlaceholder = diagnostic.code === PLACEHOLDER;
      const code = !isPlaceholder && isAcceptable(field, diagnostic.code) ? diagnostic.code : undefined;
      const text = isPlaceholder ? 'A placeholder: replace it.' : sentence(diagnostic);
      const message = { text, isError, acceptable: code, isPlaceholder };
      messages.set(field, [...(messages.get(field) ?? []), message]);
    }
  const data = theme?.document.data;
  const drawable = ANY_IMAGE_FIELDS.some((field) => messages.has(field))
    ? await drawableFor(slug, data ?? {}, session, true)
    : '';
  const { versions, fills } = typeof drawable === 'string' ? { versions: NO_VERSIONS, fills: new Map() } : drawable;
  return {
    data,
    hash: theme?.hash ?? '',
    site: session.site,
    slugs: themes.flatMap((theme) => (theme.slug === slug ? [] : [theme.slug])),
    users: await themeUsers(session, slug, filter),
    versions: { light: versions.light.length, dark: versions.dark.length },
    canFill: fills.size > 0,
    messages,
  };
}

/** Returns the fields of a diagnostic: the field at its location, or all fields with its image. */
function fieldsOf(
  { code, location, message }: Diagnostic,
  slug: string,
  document: SourceDocument | undefined,
): readonly string[] {
  if (document === undefined) return [];
  // Its message lists all placeholders of the theme.
  if (code === PLACEHOLDER) return ANY_IMAGE_FIELDS.filter((field) => message.includes(`\`${field}\``));
  const inside = location.file.slice(location.file.lastIndexOf(`${slug}/`) + slug.length + 1);
  if (inside === THEME_FILE) return [fieldAt(document, location)];
  return ANY_IMAGE_FIELDS.filter((field) => {
    const value = document.data[field];
    return typeof value === 'string' && path.posix.normalize(value) === inside;
  });
}
