import { suggest } from '../diagnostics/suggest.ts';

/** Returns the existing folder name that an unknown name probably meant. */
export function meantTheme(name: string, slugs: readonly string[]): string | undefined {
  // `forest` and `forest-2025` are too different for `suggest`, but one begins with the other.
  const longer = slugs.find((slug) => name.startsWith(`${slug}-`) || slug.startsWith(`${name}-`));
  return suggest(name, slugs) ?? longer;
}
