import { contrast } from '../../core/theme/colour/palette.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import { type Change, PALETTE_NAMES, type ThemeChange } from '../changes/differences.ts';

/** The minimum contrast of text (WCAG 2.2, §1.4.3). */
const MIN_CONTRAST = 4.5;

export function contrastRemark({ kind, what }: Change, { before, after }: ThemeChange): Pick<Change, 'remark'> {
  if (kind !== 'colour') return {};
  const at = Number(what.replace(/^\D+/, '')) - 1;
  const colourOf = (theme: Theme | undefined): string | undefined =>
    ((what.startsWith(PALETTE_NAMES.palette_dark) && theme?.palette_dark) || theme?.palette_preview)?.[at];
  const lost = (['white', 'black'] as const).flatMap((text) => {
    const [old = 0, now = 0] = [before, after].map((theme) => contrast(colourOf(theme) ?? text, text));
    return old >= MIN_CONTRAST && now < MIN_CONTRAST
      ? [`⚠ ${text} text on it is below ${MIN_CONTRAST}:1: ${old.toFixed(1)} → ${now.toFixed(1)}`]
      : [];
  });
  return lost.length === 0 ? {} : { remark: lost.join('; ') };
}
