import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { type LogoAnalysis, MAX_FAINT } from '../image/logo-analysis.ts';
import type { Theme } from '../theme/resolve.ts';
import { chosenLogo, LOGO_CHOICES, type LogoField } from './logo-choice.ts';

/** A logo that is a file, with the analysis of its pixels. */
interface Logo {
  slug: string;
  path: string;
  location: Location;
  look: LogoAnalysis;
}

/**
 * Reports logos that are hardly visible in the modes that show them. Each logo is reported once: for the theme that has the file, or for
 * the first theme that inherits it.
 * @param lookOf - returns the logo analysis of an image, if it was decoded
 */
export function adviseLogos(
  themes: readonly Theme[],
  lookOf: (image: { slug: string; path: string }) => LogoAnalysis | undefined,
  report: Report,
): void {
  const reported = new Set<string>();
  const once = (kind: string, { location }: Logo, add: () => void): void => {
    const key = JSON.stringify([kind, location]);
    if (!reported.has(key)) add();
    reported.add(key);
  };
  const logoOf = ({ images }: Theme, field: LogoField): Logo | undefined => {
    const source = images[field];
    const look = 'path' in source ? lookOf(source) : undefined;
    return 'path' in source && look !== undefined ? { ...source, look } : undefined;
  };
  const shownLogos = themes.flatMap((theme) =>
    LOGO_CHOICES.flatMap((choice) => {
      const field = chosenLogo(theme.settings, choice);
      const logo = logoOf(theme, field);
      return logo === undefined ? [] : [{ theme, choice, field, logo, isOwn: logo.slug === theme.slug }];
    }),
  );
  for (const { theme, choice, field, logo, isOwn } of shownLogos.toSorted(
    (a, b) => Number(b.isOwn) - Number(a.isOwn),
  )) {
    const { mode, normal } = choice;
    const { path, location, look } = logo;
    const isInverse = field !== normal;
    if (look.isBlank) once('blank', logo, () => report('image/blank', location, { path }));
    else if (mode === 'dark' && look.isBoxed)
      once('boxed', logo, () => report('image/opaque-background', location, { path }));
    else if (look.faint[mode] > MAX_FAINT) {
      const percent = Math.round(look.faint[mode] * 100);
      const args = { path, mode, percent, setting: choice.field, isInverse, theme: isOwn ? undefined : theme.slug };
      once(mode, logo, () => report('image/faint', location, args));
    }
  }
}
