import type { KeyKind } from '../../users/key.ts';
import type { Mapping } from '../../users/mapping.ts';
import { block, firstOf, quote } from './syntax.ts';
import { chunks } from '../hostnames.ts';
import { escapeRegExp } from '../regexp.ts';

/**
 * `users.vcl` or `groups.vcl`: a subroutine that sets the theme of a mapped key. Varnish compiles regular expressions when it loads
 * the VCL, much faster than gcc compiles comparisons (1,000 of which take 21 s).
 */
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
