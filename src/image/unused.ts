import type { Report } from '../diagnostics/diagnostic.ts';
import type { Theme } from '../theme/resolve.ts';
import type { ThemesFolder } from '../theme/themes-folder.ts';
import { isImageName } from './format.ts';
import { imageKey, type SourceImage } from './source-image.ts';

/**
 * Reports files that no theme names, in folders whose images were all found: a file may be unused because its name is misspelt.
 * @param sources - the `theme.yaml` files, by slug
 */
export function reportUnused(
  sources: readonly { slug: string; file: string }[],
  { files, notFiles }: Pick<ThemesFolder, 'files' | 'notFiles'>,
  themes: readonly Theme[],
  images: ReadonlyMap<string, SourceImage>,
  report: Report,
): void {
  const used = new Set<string>();
  const complete = new Set<string>();
  for (const { slug, images: named } of themes) {
    const keys = Object.values(named).flatMap((source) => ('path' in source ? [imageKey(source)] : []));
    for (const key of keys) used.add(key);
    if (keys.every((key) => images.has(key))) complete.add(slug);
  }
  for (const { slug, file } of sources) {
    if (!complete.has(slug)) continue;
    const paths = files.get(slug) ?? [];
    const isUsed = (path: string): boolean => used.has(imageKey({ slug, path }));
    for (const path of paths) {
      if (isUsed(path)) continue;
      const place = { file: file.replace(/theme\.yaml$/, () => path) };
      const kind = notFiles.get(`${slug}/${path}`);
      if (kind !== undefined) report('file/not-a-file', place, { name: path, kind });
      // A second theme.yaml has a diagnostic of its own.
      else if (!/^theme\.ya?ml$/i.test(path)) report('image/unused', place, { path, isImage: isImageName(path) });
    }
  }
}
