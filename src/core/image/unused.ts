import type { Location, Report } from '../diagnostics/diagnostic.ts';
import type { ThemeFolder } from '../theme/themes-folder.ts';
import { isImageName } from './format.ts';

/** Reports files in the folder of a theme that it does not use. @param placeOf - returns the place of a file for diagnostics */
export function reportUnused(
  { files, notFiles }: ThemeFolder,
  used: ReadonlySet<string>,
  placeOf: (file: string) => Location,
  report: Report,
): void {
  for (const path of files) {
    if (used.has(path)) continue;
    const kind = notFiles.get(path);
    if (kind !== undefined) report('file/not-a-file', placeOf(path), { name: path, kind });
    // A second theme.yaml has its own diagnostic.
    else if (!/^theme\.ya?ml$/i.test(path)) report('image/unused', placeOf(path), { path, isImage: isImageName(path) });
  }
}
