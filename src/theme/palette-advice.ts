import type { Location, Report } from '../diagnostics/diagnostic.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { firstAlike, publishedShift } from './colour.ts';

/** CIEDE2000 from which a published colour looks different: more than whole numbers can cause, so the colour is outside sRGB. */
const MAX_SHIFT = 2;
/** CIEDE2000 below which two colours look the same. Measured: neighbours in the scales of Tailwind and Material differ by 1.04 or more. */
const MIN_DIFFERENCE = 1;

/**
 * Reports colours that are published differently, and those that look like an earlier one of the same palette.
 * @param authored - the values in `palette_preview`
 * @param published - the same colours as they are published
 */
export function advisePalette(
  authored: readonly string[],
  published: readonly string[],
  document: SourceDocument,
  report: Report,
): void {
  const isWritten = (value: string, index: number): boolean =>
    [value, `"${value}"`, `'${value}'`].includes(document.sourceAt(['palette_preview', index]));
  // One that YAML reads otherwise has errors, and its colours have no places.
  if (!authored.every(isWritten)) return;
  const alike = firstAlike(published, MIN_DIFFERENCE);
  published.forEach((hsl, index) => {
    const value = authored[index] ?? hsl;
    const place = (): Location => document.valueAt(['palette_preview', index]);
    if (publishedShift(value, hsl) > MAX_SHIFT) report('palette/shifted', place(), { value, hsl });
    const other = authored[alike[index] ?? -1];
    if (other !== undefined) report('palette/alike', place(), { value, other });
  });
}
