import { quote } from '../../diagnostics/quote.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import { markup, prose } from '../../document/html.ts';
import type { GalleryContent } from './content.ts';
import { DEV_PATHS, layout, themePath } from './layout.ts';

/**
 * The page for a path that does not exist: of a theme that was deleted while its page was open, or a typing error. It reloads like any
 * other page, so it is replaced once the theme exists.
 */
export function notFoundPage(pathname: string, content: GalleryContent): string {
  const [, folder, name = ''] = decoded(pathname)?.split('/') ?? [];
  const slugs = content.themes.map(({ slug }) => slug);
  const isTheme = folder === 'themes' && name !== '';
  const meant = suggest(isTheme ? name : (folder ?? ''), slugs);
  const reason = isTheme
    ? `There is no theme ${quote(name)}. It may have been deleted or renamed.`
    : `There is no page at ${quote(decoded(pathname) ?? pathname)}.`;
  return layout(
    {
      title: 'Not found',
      path: undefined,
      head: markup`<h1>${isTheme ? 'No such theme' : 'No such page'}</h1>
<p class="about">${prose(reason)}</p>
`,
      main: markup`${meant === undefined ? '' : markup`<p>Did you mean <a href="${themePath(meant)}">${meant}</a>?</p>\n`}<ul class="row links">
<li><a href="/">All themes</a></li>
<li><a href="${DEV_PATHS.viewAs}">Preview as a user</a></li>
</ul>
`,
    },
    content,
  );
}

/** A page for a request that cannot be carried out. */
export function refusedPage(title: string, reason: string, content: GalleryContent): string {
  return layout(
    { title, path: undefined, head: markup`<h1>${title}</h1>\n`, main: markup`<p>${prose(reason)}</p>\n` },
    content,
  );
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
