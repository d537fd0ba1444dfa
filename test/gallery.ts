import type { ThemeRecord } from '../src/document/record.ts';
import type { GalleryContent, GalleryTheme } from '../src/dev/pages/content.ts';
import { theme } from './sample-records.ts';

/** Returns a theme of the gallery, by default without diagnostics and users; its slug is `theme-ID`. */
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

/** Returns the gallery: three themes. */
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
