import { count } from '../../diagnostics/quote.ts';
import type { Published } from './publish.ts';
import { publishError } from './publish-error.ts';

/** A fifth of the themes may be removed at once, and always one. */
const THEMES_SHARE = 0.2;
const THEMES_FEW = 1;
/** Half of the users may be removed at once, and always ten. */
const USERS_SHARE = 0.5;
const USERS_FEW = 10;
/** Maximum number of slugs in the message. */
const MAX_NAMED = 20;

/** Throws a {@link ThemecastError} if so much of what is published would vanish that a mistake is likely: half a checkout, an empty export of users. */
export function checkShrinkage(
  published: Published | undefined,
  { themes, users, hasUsersFile }: { themes: readonly { slug: string }[]; users: number; hasUsersFile: boolean },
): void {
  if (published === undefined) return;
  const slugs = new Set(themes.map(({ slug }) => slug));
  const gone = published.themes.filter((slug) => !slugs.has(slug)).toSorted();
  const found: string[] = [];
  if (gone.length > Math.max(THEMES_FEW, published.themes.length * THEMES_SHARE)) {
    const more = gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : '';
    const named = gone.slice(0, MAX_NAMED).map((slug) => `\`${slug}\``);
    found.push(
      `${gone.length} of the ${count(published.themes.length, 'theme')} that are published would vanish: ${named.join(', ')}${more}.`,
    );
  }
  if (published.users - users > Math.max(USERS_FEW, published.users * USERS_SHARE))
    found.push(
      `Of ${count(published.users, 'user')} with an assigned theme, ${users.toLocaleString('en')} would be left.${hasUsersFile ? '' : ' Did you forget `--users`, if the last build had it?'}`,
    );
  if (found.length > 0)
    throw publishError(`${found.join(' ')} Nothing was published. If this is intended, build with \`--allow-shrink\`.`);
}
