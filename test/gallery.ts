import type { ThemeRecord } from '../src/core/document/record.ts';
import type { GalleryContent, GalleryTheme } from '../src/commands/dev/pages/content.ts';
import { theme } from './sample-records.ts';

/** Returns a theme of the gallery, without diagnostics and users by default. Its slug is `theme-ID`. */
export function galleryTheme(record: ThemeRecord, changes: Partial<GalleryTheme> = {}): GalleryTheme {
  return {
    slug: `theme-${record.id}`,
    record,
    missing: new Map(),
    diagnostics: [],
    users: { user: 0, group: 0 },
    ...changes,
  };
}

/** Returns the content of a gallery with three themes. */
export function galleryContent(changes: Partial<GalleryContent> = {}): GalleryContent {
  return {
    build: 7,
    themes: [1, 2, 3].map((id) => galleryTheme(theme(id))),
    textOf: () => undefined,
    problems: undefined,
    token: 'the-token',
    ...changes,
  };
}
