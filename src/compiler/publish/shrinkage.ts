import { count } from '../../core/diagnostics/quote.ts';
import type { PublishedSite } from './publication.ts';
import { publishError } from './publish-error.ts';

/** A build may remove a fifth of the themes, and always one. */
const MAX_REMOVED_THEMES_SHARE = 0.2;
const ALWAYS_REMOVABLE_THEMES = 1;
/** A build may remove half of the users, and always ten. */
const MAX_REMOVED_USERS_SHARE = 0.5;
const ALWAYS_REMOVABLE_USERS = 10;
const MAX_LISTED_THEMES = 20;

/** Throws a {@link ThemecastError} if a build would remove so much that a mistake is likely: half a checkout, an empty export of users. */
export function checkShrinkage(
  published: PublishedSite | undefined,
  { themes, users, hasUsersFile }: { themes: readonly { slug: string }[]; users: number; hasUsersFile: boolean },
): void {
  if (published === undefined) return;
  const slugs = new Set(themes.map(({ slug }) => slug));
  const removed = published.themes.filter((slug) => !slugs.has(slug)).toSorted();
  const problems: string[] = [];
  if (removed.length > Math.max(ALWAYS_REMOVABLE_THEMES, published.themes.length * MAX_REMOVED_THEMES_SHARE)) {
    const more = removed.length > MAX_LISTED_THEMES ? ` and ${removed.length - MAX_LISTED_THEMES} more` : '';
    const names = removed.slice(0, MAX_LISTED_THEMES).map((slug) => `\`${slug}\``);
    problems.push(
      `${removed.length} of the ${count(published.themes.length, 'theme')} that are published would vanish: ${names.join(', ')}${more}.`,
    );
  }
  if (published.users - users > Math.max(ALWAYS_REMOVABLE_USERS, published.users * MAX_REMOVED_USERS_SHARE))
    problems.push(
      `Of ${count(published.users, 'user')} with an assigned theme, ${users.toLocaleString('en')} would be left.${hasUsersFile ? '' : ' Did you forget `--users`, if the last build had it?'}`,
    );
  if (problems.length > 0)
    throw publishError(
      `${problems.join(' ')} Nothing was published. If this is intended, build with \`--allow-shrink\`.`,
    );
}
