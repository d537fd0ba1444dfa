import { formatText } from '../../../core/diagnostics/format-text.ts';
import { type Markup, markup, prose } from '../../../core/document/page/html.ts';
import { CONFIG } from '../../../core/document/endpoint.ts';
import { LABELS } from '../../../core/theme/fields/fields.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { editorCards } from './editor.ts';
import type { EditorContent } from './editor-content.ts';
import { layout, themePath } from './layout.ts';
import { mockPages } from '../../../core/document/preview/mock-page.ts';
import { teamPages } from '../../../core/document/preview/team-page.ts';
import { PREVIEW_FILE } from '../../../core/theme/themes-folder.ts';
import { diagnosticsBox, diagnosticsCount, unreadText } from './problems.ts';
import { stage } from './stage.ts';
import { usersCard } from './users-card.ts';
import { badges, usersOf } from './gallery-page.ts';

/** Returns the page of a theme: its stage, and an inspector with the editor and the diagnostics. */
export function themePage(
  theme: GalleryTheme,
  content: GalleryContent,
  editor: EditorContent,
  query = new URLSearchParams(),
): string {
  const { slug, record } = theme;
  return layout(
    {
      title: record.name,
      path: themePath(slug),
      view: { style: `${themePath(slug)}theme.css?${content.build}`, query },
      place: neighbours(theme, content, query),
      main: markup`${stage(query, theme.isUnread === true ? markup`<p class="empty">${prose(unreadText(theme.diagnostics))}.</p>` : content.teamPage === undefined ? mockPages(theme) : ownPages(theme, content))}<section class="inspector" aria-label="Editor" data-editor>
<form id="view" data-live action="${themePath(slug)}"></form>
<span id="hash" data-part data-hash="${editor.hash}"></span>
${title(theme, editor)}${editorCards(theme, editor)}${usersCard(slug, usersOf(theme), editor.users)}
<div id="diagnostics-part" data-part>${details(theme, content)}</div>
</section>
`,
    },
    content,
  );
}

/** Returns the name of the theme, between links to the previous and the next theme with the same view. */
function neighbours({ slug, record }: GalleryTheme, { themes }: GalleryContent, query: URLSearchParams): Markup {
  const at = themes.findIndex((theme) => theme.slug === slug);
  const link = (neighbour: GalleryTheme | undefined, kind: string, arrow: string) =>
    neighbour === undefined
      ? ''
      : markup`<a class="step" rel="${kind}" href="${themePath(neighbour.slug)}${query.size === 0 ? '' : `?${query.toString()}`}" title="${neighbour.record.name}"><span aria-hidden="true">${arrow}</span><span class="unseen">${neighbour.record.name}</span></a>`;
  return markup`<div class="place" id="place" data-part><span aria-hidden="true">/</span>${link(themes[at - 1], 'prev', '‹')}<b><bdi>${record.name}</bdi></b>${link(themes[at + 1], 'next', '›')}</div>
`;
}

function title(theme: GalleryTheme, { messages }: EditorContent): Markup {
  const { record, diagnostics } = theme;
  const withMessages = Object.keys(LABELS).filter((name) => messages.has(name));
  const field = withMessages.find((name) => messages.get(name)?.some(({ isError }) => isError)) ?? withMessages[0];
  const first = field === undefined ? '#diagnostics' : `#row-${field}`;
  return markup`<div class="title">
<div id="title" data-part><h1><bdi>${record.name}</bdi></h1>
<p class="facts">${badges(theme)}<span>${usersOf(theme)}</span></p>
${diagnostics.length === 0 ? '' : markup`<p class="todo">${diagnosticsCount(diagnostics)} <a href="${first}">Show the first</a></p>`}</div>
${actions(theme)}</div>
`;
}

function details({ diagnostics }: GalleryTheme, { textOf }: GalleryContent): Markup | string {
  if (diagnostics.length === 0) return '';
  return markup`<details class="panel" id="diagnostics">
<summary>Details: ${diagnosticsCount(diagnostics)}</summary>
${diagnosticsBox(formatText(diagnostics, textOf, false).trimEnd(), 'Diagnostics')}
</details>
`;
}

/** Returns the team's page in the theme; without a link to the stylesheet, it shows no theme, and says so. */
function ownPages({ slug }: GalleryTheme, { build, teamPage }: GalleryContent): Markup {
  // With the build number, so that the page is loaded again.
  const source = (mode: string) => markup`src="${themePath(slug)}${PREVIEW_FILE}?mode=${mode}&${build}"`;
  const note = markup`<p class="notice">${PREVIEW_FILE} does not link the stylesheet of the service, so it shows no theme. Add <code>${`<link rel="stylesheet" href="${CONFIG.path}?format=css">`}</code> to its head.</p>\n`;
  return markup`${teamPage?.isThemed === false ? note : ''}${teamPages(source)}`;
}

/** Returns the actions of a theme: make default, delete. */
function actions({ slug, record }: GalleryTheme): Markup {
  const form = (action: string, done: string, button: Markup) =>
    markup`<form action="${themePath(slug)}${action}" data-send="${done}">${button}</form>\n`;
  return markup`<button class="dropdown" popovertarget="more">More</button><div class="panel" id="more" popover>
${
  record.is_default
    ? ''
    : form(
        'default',
        'Saved: default theme',
        markup`<p>Every visitor, and every user without an assigned theme, gets the default theme. Clients may notice: <code>themecast diff</code> reports the change as breaking.</p><button>Make this the default theme</button>`,
      )
}${form('delete', 'Deleted', markup`<button class="danger">Delete this theme</button>`)}</div>
`;
}
