import type { Rendering } from './rules.ts';
import { trimmed } from './white-space.ts';

/** Returns the first `format` parameter of a query string, undecoded, so that every host reads the same value. */
export function formatParameter(search: string): string | undefined {
  return /(?:^\??|&)format=([^&]*)/.exec(search)?.[1];
}

/**
 * Negotiates content like Django REST Framework 3.14 (`DefaultContentNegotiation`): `format` filters the renderings, then the entries of
 * Accept are tried by specificity (3 with parameters, 2 type/subtype, 1 type/*, 0 anything); `q` is ignored.
 * @param renderings - the renderings of the endpoint; the first wins a tie
 * @param format - the query parameter; empty is the same as absent
 * @param accept - the header; absent or empty accepts anything
 * @returns a rendering, or 404 or 406
 */
export function negotiate(
  renderings: readonly Rendering[],
  format: string | undefined,
  accept: string | null,
): Rendering | 404 | 406 {
  const offered = renderings.filter(({ isExplicit, format: name }) => (format ? name === format : isExplicit !== true));
  if (offered[0]?.isExplicit === true) return offered[0];
  if (offered.length === 0) return 404;
  const entries = (accept || '*/*').split(',').map(parseEntry);
  for (let precedence = 3; precedence >= 0; precedence--) {
    for (const rendering of offered) {
      const [type, subtype] = rendering.mediaType.split('/');
      const matches = entries.some(
        (entry) =>
          entry.precedence === precedence &&
          (entry.type === '*' || entry.type === type) &&
          (entry.subtype === '*' || entry.subtype === subtype),
      );
      if (matches) return rendering;
    }
  }
  return 406;
}

function parseEntry(text: string): { type: string; subtype: string; precedence: number } {
  const [mediaType = '', ...parameters] = text.split(';');
  const [, type = '', subtype = ''] = /^([^/]*)\/?(.*)$/s.exec(trimmed(mediaType).toLowerCase()) ?? [];
  // As in Django REST Framework, only `name=value` is a parameter, and `q` does not make an entry more specific.
  const specific = parameters.some((parameter) => parameter.includes('=') && !/^[ \t]*q[ \t]*=/i.test(parameter));
  return { type, subtype, precedence: type === '*' ? 0 : subtype === '*' ? 1 : specific ? 3 : 2 };
}
