import { type Markup, markup } from '../../document/html.ts';
import { themePath } from './layout.ts';

export interface UsersOfSource {
  file: string;
  /** Their number, such as `192 users`. */
  text: string;
}

/** Returns the users of a theme, and a form to assign it to a user. @param sources - undefined if they are too large to read */
export function usersCard(slug: string, total: string, sources: readonly UsersOfSource[] | undefined): Markup {
  const rows = sources?.map(({ file, text }) => markup`<li>${text} in <code>${file}</code></li>\n`);
  return markup`<section class="panel" aria-labelledby="users">
<h2 id="users">Users</h2>
<div id="sources" data-part>${rows === undefined || rows.length === 0 ? markup`<p><small>${total}</small></p>` : markup`<ul>\n${rows}</ul>`}</div>
<form class="row" action="${themePath(slug)}give" data-send="Saved: the user has this theme">
<input name="key" id="f-key" required maxlength="128" placeholder="Key of a user, such as u-1001" aria-label="Key of a user" aria-describedby="error-key" autocomplete="off" autocapitalize="none" spellcheck="false"><button>Assign this theme</button>
<span class="error" id="error-key" data-error="key" aria-live="polite"></span>
</form>
</section>
`;
}
