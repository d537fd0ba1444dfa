import { soleSuggestion, suggest } from '../diagnostics/suggest.ts';

/** The folder name of a theme that an unknown name was probably meant for; `fix`: if it can be no other. */
export interface MeantTheme {
  suggestion: string | undefined;
  fix: string | undefined;
}

/** The theme that was probably meant by a name without a folder. */
export function meantTheme(name: string, slugs: readonly string[]): MeantTheme {
  // `forest-2025` for `forest`: that far from it, but its beginning.
  const longer = slugs.find((slug) => name.startsWith(`${slug}-`) || slug.startsWith(`${name}-`));
  return { suggestion: suggest(name, slugs) ?? longer, fix: soleSuggestion(name, slugs) };
}
