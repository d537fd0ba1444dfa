import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { meantTheme } from '../theme/meant-theme.ts';

/** Maximum number of unknown names that are stored. */
const MAX_UNKNOWN = 1000;
/** Maximum length of a stored unknown name, in characters; a slug has at most 64. */
const MAX_LENGTH = 100;

/** Collects the names of themes that do not exist, each with the place of its first use and the number of its users. */
export class UnknownThemes {
  readonly #unknown = new Map<string, { location: Location; isId: boolean; users: number }>();

  readonly add = (location: Location, name: string, isId: boolean): void => {
    const theme = name.slice(0, MAX_LENGTH);
    const entry = this.#unknown.get(theme);
    if (entry !== undefined) entry.users++;
    else if (this.#unknown.size < MAX_UNKNOWN) this.#unknown.set(theme, { location, isId, users: 1 });
  };

  /** Reports each name. It is only in the message if several rows have it and it is no number: a key of a user may be in the wrong column. */
  report(slugs: readonly string[], report: Report): void {
    for (const [theme, { location, isId, users }] of this.#unknown) {
      const name = theme.trim();
      const isNumber = /^\d+$/.test(name);
      report('mapping/unknown-theme', location, {
        isEmpty: name === '',
        isId,
        isNumber,
        isSpaced: name !== theme && (isId ? isNumber : slugs.includes(name)),
        suggestion: isId ? undefined : meantTheme(theme, slugs),
        users,
        theme: users > 1 && /^[a-z][\w-]{0,63}$/i.test(name) ? name : undefined,
      });
    }
  }
}
