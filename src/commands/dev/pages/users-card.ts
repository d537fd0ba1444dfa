import { count } from '../../../core/diagnostics/quote.ts';
import { type Markup, markup } from '../../../core/document/page/html.ts';
import type { UserOfTheme } from '../../../core/users/find-users.ts';
import { themePath } from './layout.ts';

/** The users of a theme. */
export interface ThemeUsers {
  /** The files with users of the theme, each with their number, such as `192 users`. */
  sources: readonly { file: string; text: string }[];
  /** The text that the keys of {@link users} contain. */
  filter: string;
  /** The first users whose keys contain the filter. */
  users: readonly UserOfTheme[];
  /** The number of all of those. */
  total: number;
}

/** Returns the users of a theme, and a form to assign it to a user. @param users - undefined if they are too many to read for a page */
export function usersCard(slug: string, summary: string, users: ThemeUsers | undefined): Markup {
  const hasUsers = users !== undefined && (users.total > 0 || users.filter !== '');
  return markup`<section class="panel" aria-labelledby="users">
<h2 id="users">Users</h2>
<form class="row" action="${themePath(slug)}give" data-send="Saved: the user has this theme">
<input name="key" id="f-key" required maxlength="128" placeholder="Key of a user, such as u-1001" aria-label="Key of a user" aria-describedby="error-key" autocomplete="off" autocapitalize="none" spellcheck="false"><button>Assign this theme</button>
<span class="error" id="error-key" data-error="key" aria-live="polite"></span>
</form>
${hasUsers ? markup`<input type="search" class="filter" form="view" name="user" id="user" value="${users.filter}" placeholder="Filter" aria-label="Filter the users" autocomplete="off">\n` : ''}<div id="sources" data-part>${users === undefined || users.sources.length === 0 ? markup`<p><small>${summary}</small></p>` : markup`<ul>\n${users.sources.map(({ file, text }) => markup`<li>${text} in <code>${file}</code></li>\n`)}</ul>`}${hasUsers ? list(slug, users) : ''}</div>
</section>
`;
}

function list(slug: string, { users, total, filter }: ThemeUsers): Markup {
  const rows = users.map(
    ({ key }) =>
      markup`<li><form action="${themePath(slug)}take" data-send="Removed"><input type="hidden" name="key" value="${key}"><span>${key}</span><button class="quiet">Remove<span class="unseen"> ${key}</span></button></form></li>\n`,
  );
  const shown =
    total === 0
      ? `No user contains “${filter}”.`
      : total > users.length
        ? `The first ${users.length} of ${count(total, 'user')}.`
        : '';
  return markup`<ul class="users-list">
${rows}</ul>${shown === '' ? '' : markup`<p><small>${shown}</small></p>`}`;
}
