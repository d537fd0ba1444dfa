import type { Location, Report } from '../diagnostics/diagnostic.ts';
import type { ThemeFolder } from '../theme/themes-folder.ts';
import { isImageName } from './format.ts';

/**
 * Reports the files in the folder of a theme that it does not name.
 * @param placeOf - a file as diagnostics name it
 */
export function reportUnused(
  { files, notFiles }: ThemeFolder,
  named: ReadonlySet<string>,
  placeOf: (file: string) => Location,
  report: Report,
): void {
  for (const path of files) {
    if (named.has(path)) continue;
    const kind = notFiles.get(path);
    if (kind !== undefined) report('file/not-a-file', placeOf(path), { name: path, kind });
    // A second theme.yaml has a diagnostic of its own.
    else if (!/^theme\.ya?ml$/i.test(path)) report('image/unused', placeOf(path), { path, isImage: isImageName(path) });
  }
}
