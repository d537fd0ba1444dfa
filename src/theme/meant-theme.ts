import { suggest } from '../diagnostics/suggest.ts';

/** The folder name of the theme that was probably meant by a name without a folder. */
export function meantTheme(name: string, slugs: readonly string[]): string | undefined {
  // `forest-2025` for `forest`: that far from it, but its beginning.
  const longer = slugs.find((slug) => name.startsWith(`${slug}-`) || slug.startsWith(`${name}-`));
  return suggest(name, slugs) ?? longer;
}
