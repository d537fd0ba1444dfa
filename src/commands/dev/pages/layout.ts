import { quote } from '../../../core/diagnostics/quote.ts';
import { CONFIG, LIST } from '../../../core/document/endpoint.ts';
import { type Markup, markup, pageStart, prose } from '../../../core/document/page/html.ts';
import type { GalleryContent } from './content.ts';
import { problemsBox } from './problems.ts';

/** Paths of the development server that are not part of the service. */
export const DEV_PATHS = {
  style: '/__themecast/dev.css',
  scripts: '/__themecast/',
  newTheme: '/themes/new',
  newStyle: '/themes/new.css',
  propose: '/propose',
  undo: '/__themecast/undo',
  redo: '/__themecast/redo',
  events: '/__themecast/events',
} as const;

/** Path of the versions of a logo, inside the path of its theme; followed by `MODE/RANK`. */
export const MADE_LOGOS = 'made/';

export function themePath(slug: string): string {
  return `/themes/${encodeURIComponent(slug)}/`;
}

/** Returns the elements of `<head>` for the script, also on pages of the service. @param token - empty in pages that other origins may read */
export function devHead({ build, token }: Pick<GalleryContent, 'build' | 'token'>): Markup {
  return markup`<meta name="themecast-build" content="${build}">
<meta name="themecast-token" content="${token}">
<link rel="stylesheet" href="${DEV_PATHS.style}">
<script type="module" src="${DEV_PATHS.scripts}studio.js"></script>
`;
}

/**
 * Returns the links to the pages of the development server.
 * @param current - path of the current page
 * @param view - the query parameters of the current page, if it has a preview (`stage.ts`)
 */
export function pagesNav(current: string | undefined, view?: URLSearchParams): Markup {
  const item = (path: string, name: string) =>
    markup`<li><a href="${path}"${path === current ? markup` aria-current="page"` : ''}>${name}</a></li>\n`;
  const names = markup`<label><input type="checkbox" form="view" name="names" id="names" value="on"${view?.has('names') === true ? markup` checked` : ''}> Show field names</label>`;
  return markup`<nav class="pages" aria-label="Pages">
<ul>
${item('/', 'Themes')}${item(DEV_PATHS.newTheme, 'New theme')}</ul>
<button class="dropdown" popovertarget="developer">Developer</button><div class="panel" id="developer" popover><ul>
${item(`${LIST.path}?format=api`, 'API: list')}${item(`${CONFIG.path}?format=api`, 'API: config')}</ul>${view === undefined ? '' : names}</div>
</nav>
`;
}

/** The individual parts of a page of the gallery. */
export interface Page {
  title: string;
  /** Undefined for the page "Not found". */
  path: string | undefined;
  /** For a page with a stage, which fills the window: the style sheet of its mock pages, and the parameters of its URL. */
  view?: { style: string; query: URLSearchParams };
  /** Navigation after the link to all themes. */
  place?: Markup;
  main: Markup;
}

/** Returns the page "Not found", for example after a theme was deleted. */
export function notFoundPage(path: string, content: GalleryContent): string {
  const reason = `There is no page at ${quote(path)}. A theme may have been deleted or renamed.`;
  const main = markup`<h1>No such page</h1>
<p class="about">${prose(reason)}</p>
`;
  return layout({ title: 'Not found', path: undefined, main }, content);
}

/** Returns a page of the gallery, which is readable without the script. */
export function layout(page: Page, content: GalleryContent): string {
  const { themes, problems } = content;
  const icon = (themes.find(({ record }) => record.is_default) ?? themes[0])?.record.favicon ?? '';
  const { view } = page;
  return markup`${pageStart(page.title)}${icon === '' ? '' : markup`<link rel="icon" href="${icon}">\n`}${devHead(content)}${view === undefined ? '' : markup`<link id="mock-style" data-part rel="stylesheet" href="${view.style}">\n`}</head>
<body class="${view === undefined ? 'gallery' : 'studio'}">
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
${icon === '' ? '' : markup`<img class="site" src="${icon}" alt="" width="20" height="20">\n`}${pagesNav(page.path, view?.query)}${page.place ?? ''}${history(page, content)}</header>
${problemsBox(problems, view !== undefined)}
<main id="main" tabindex="-1">
${page.main}</main>
${view === undefined ? markup`<footer><p>Served by <code>themecast dev</code> from this folder.</p></footer>\n` : ''}</body>
</html>
`.text;
}

/** Returns the number of changed themes, and the buttons for undo, redo and proposing. */
function history({ path = '' }: Page, { themes, removed = 0, undo, redo }: GalleryContent): Markup {
  const changed = themes.filter(({ change }) => change !== undefined).length + removed;
  const form = (word: 'Undo' | 'Redo', step: GalleryContent['undo']) => {
    if (step === undefined) return '';
    const { label, slug } = step;
    const theme = themePath(slug) === path || label.includes(slug) ? '' : ` of ${slug}`;
    return markup`<form action="${DEV_PATHS[word === 'Undo' ? 'undo' : 'redo']}" data-send="${word === 'Undo' ? 'Undone' : 'Done again'}: ${label}${theme}"><input type="hidden" name="page" value="${path}"><button id="${word.toLowerCase()}">${word}<span>: ${label}${theme}</span></button></form>\n`;
  };
  return markup`<div class="history" id="history" data-part>
${changed === 0 ? '' : markup`<a href="/?only=changed">${changed === 1 ? '1 theme' : `${changed} themes`} changed</a>\n`}${form('Undo', undo)}${form('Redo', redo)}${path === DEV_PATHS.propose ? '' : markup`<a class="button" href="${DEV_PATHS.propose}">Propose changes</a>\n`}</div>
`;
}
