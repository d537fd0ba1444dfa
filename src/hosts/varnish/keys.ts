import type { KeyKind } from '../../users/key.ts';
import type { Mapping } from '../../users/mapping.ts';
import { block, firstOf, quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';

/**
 * Maximum length of a regular expression of keys, in characters. Varnish compiles it when it loads the VCL, much faster than gcc
 * compiles comparisons (1,000 of which take 21 s). The limit of PCRE2 is 65,536 code units.
 */
const MAX_PATTERN_LENGTH = 8000;

/** `users.vcl` or `groups.vcl`: a subroutine that sets the theme of a mapped key. */
export function keysVcl(kind: KeyKind, mapping: Mapping): string {
  const byTheme = new Map<string, string[]>();
  for (const [key, theme] of mapping.pairs(kind)) {
    const keys = byTheme.get(theme);
    if (keys === undefined) byTheme.set(theme, [escapeRegExp(key)]);
    else keys.push(escapeRegExp(key));
  }
  const cases = [...byTheme].flatMap(([theme, keys]) =>
    chunks(keys).map(
      (some) => [`req.http.X-Themecast-Key ~ ${quote(`^(?:${some.join('|')})$`)}`, setTheme(theme)] as const,
    ),
  );
  return `# themecast: ${kind} keys and their themes. Personal data: keep it out of every published folder. Read by requests.vcl.
# Each pattern is a list of keys, escaped with backslashes.
${block(`sub themecast_${kind}`, firstOf(cases)).join('\n')}
`;
}

/** Sets the theme. */
export function setTheme(theme: string): string {
  return `set req.http.X-Themecast-Theme = ${quote(theme)};`;
}

function chunks(patterns: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = Infinity;
  for (const pattern of patterns) {
    length += pattern.length + 1;
    if (length > MAX_PATTERN_LENGTH) {
      all.push([]);
      length = pattern.length + 1;
    }
    all.at(-1)?.push(pattern);
  }
  return all;
}
