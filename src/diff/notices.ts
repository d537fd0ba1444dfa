import { chosenLogo, LOGO_CHOICES } from '../document/logo-choice.ts';
import { contrast } from '../theme/palette.ts';
import type { Change, ThemeChange } from '../changes/differences.ts';

/** WCAG 2.2, §1.4.3: the least contrast of text. */
const MIN_CONTRAST = 4.5;

/** What nobody may have noticed of a change: an image that no mode shows, text that can be read no more. */
export function noticesOf(change: Change, { before, after }: Pick<ThemeChange, 'before' | 'after'>): string[] {
  if (change.kind === 'colour') {
    const at = Number(change.what.replace('palette ', '')) - 1;
    return (['white', 'black'] as const).flatMap((text) => {
      const [old = 0, now = 0] = [before, after].map((theme) => contrast(theme?.palette_preview[at] ?? text, text));
      return old >= MIN_CONTRAST && now < MIN_CONTRAST
        ? [`${text} text on it is below ${MIN_CONTRAST}:1: ${old.toFixed(1)} → ${now.toFixed(1)}`]
        : [];
    });
  }
  if (after === undefined || change.kind !== 'image' || change.isReencoded) return [];
  const fields = change.what.split(', ');
  const logos = fields.filter((field) => /^(?:compact_)?logo(?:_inverse)?$/.test(field));
  const shown = LOGO_CHOICES.map((choice) => chosenLogo(after.settings, choice));
  const isHidden = logos.length > 0 && logos.length === fields.length && !shown.some((field) => logos.includes(field));
  if (!isHidden) return [];
  const choices = LOGO_CHOICES.filter(({ normal }) => logos.some((field) => field.replace('_inverse', '') === normal));
  return [`shown in no mode: ${choices.map(({ field }) => `${field} is ${after.settings[field]}`).join(', ')}`];
}
