/** Escapes text for a regular expression of PCRE, PCRE2 or RE2. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Returns a regular expression that matches any of the patterns. */
export function anyOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? patterns.join() : `(?:${patterns.join('|')})`;
}
