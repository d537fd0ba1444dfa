import type { GalleryTheme } from './content.ts';
import { diagnosticsCount } from './problems.ts';
import { usersOf } from './theme-facts.ts';

/** The text that the filter of the gallery searches, in lower case: on the server without the script, and in `data-filter` with it. */
export function filterText(theme: GalleryTheme): string {
  const { slug, record, diagnostics, missing } = theme;
  const { id, name, is_default: isDefault } = record;
  const facts = [
    slug,
    name,
    `id ${id}`,
    isDefault ? 'default' : '',
    theme.change ?? '',
    missing.size > 0 ? 'incomplete' : '',
    diagnosticsCount(diagnostics),
    usersOf(theme),
  ];
  return facts.filter(Boolean).join(' ').toLowerCase();
}

/** Whether a text contains every word of a query. */
export function matches(text: string, query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
