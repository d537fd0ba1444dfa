import type { KeyKind } from '../../users/key.ts';
import type { Mapping } from '../../users/mapping.ts';
import { block, firstOf, quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';

/**
 * Longest regular expression of keys, in characters. Varnish compiles these as it loads the VCL, in much less time than gcc takes for
 * comparisons of its own (1,000 of which take 21 s), and far below the 65,536 code units that PCRE2 ends at.
 */
const PATTERN_LENGTH = 8000;

/** `users.vcl` or `groups.vcl`: a sub that sets the theme of a key; nothing for keys that it does not know. */
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
# Each pattern is a list of keys; their special characters have a backslash.
${block(`sub themecast_${kind}`, firstOf(cases)).join('\n')}
`;
}

/** Says which theme it is. */
export function setTheme(theme: string): string {
  return `set req.http.X-Themecast-Theme = ${quote(theme)};`;
}

function chunks(patterns: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = Infinity;
  for (const pattern of patterns) {
    length += pattern.length + 1;
    if (length > PATTERN_LENGTH) {
      all.push([]);
      length = pattern.length + 1;
    }
    all.at(-1)?.push(pattern);
  }
  return all;
}
