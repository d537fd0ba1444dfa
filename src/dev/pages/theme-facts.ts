import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup } from '../../document/html.ts';
import type { GalleryTheme } from './content.ts';

/** `3 users, 1 group`, and, for the default theme, everyone else. */
export function usersOf({ users, record }: Pick<GalleryTheme, 'users' | 'record'>): string {
  const given = (['user', 'group'] as const).flatMap((kind) => (users[kind] === 0 ? [] : [count(users[kind], kind)]));
  return [...given, ...(record.is_default ? ['everyone without another theme'] : [])].join(', ') || 'no users';
}

/** Slug, id and whether it is the default. */
export function badges({ slug, record, missing, isEarlier, change }: GalleryTheme): Markup {
  return markup`<code>${slug}</code> <span class="badge">${missing.has('id') ? 'no id' : `id ${record.id}`}</span>
${missing.size > 0 ? markup`<span class="badge warn">incomplete</span>\n` : ''}${isEarlier ? markup`<span class="badge warn">last good version</span>\n` : ''}${change === undefined ? '' : markup`<span class="badge change">${change}</span>\n`}${record.is_default ? markup`<span class="badge default">default</span>\n` : ''}`;
}
