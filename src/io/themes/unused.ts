import type { Report } from '../../diagnostics/diagnostic.ts';
import { type SourceImage, imageKey } from '../../image/source-image.ts';
import { twinOf } from '../../image/similar-name.ts';
import type { Theme } from '../../theme/resolve.ts';
import type { Content } from './discover.ts';

/** Reports files that no theme names, of folders whose images were all found: a file may be unused because its name is misspelt. */
export function reportUnused(
  content: Content,
  themes: readonly Theme[],
  images: ReadonlyMap<string, SourceImage>,
  report: Report,
): void {
  const used = new Set<string>();
  const whole = new Set<string>();
  for (const { slug, images: named } of themes) {
    const keys = Object.values(named).flatMap((source) => ('path' in source ? [imageKey(source)] : []));
    for (const key of keys) used.add(key);
    if (keys.every((key) => images.has(key))) whole.add(slug);
  }
  for (const { slug, file } of content.themes) {
    if (!whole.has(slug)) continue;
    const paths = content.pictures.get(slug) ?? [];
    const isUsed = (path: string): boolean => used.has(imageKey({ slug, path }));
    const usedPaths = paths.filter(isUsed);
    for (const path of paths) {
      if (isUsed(path)) continue;
      const place = { file: file.replace(/theme\.yaml$/, path) };
      const kind = content.notFiles.get(`${slug}/${path}`);
      if (kind !== undefined) report('file/not-a-file', place, { name: path, kind });
      // A second theme.yaml has a diagnostic of its own.
      else if (!/^theme\.ya?ml$/i.test(path))
        report('image/unused', place, { path, hasTwin: twinOf(path, usedPaths) !== undefined });
    }
  }
}
