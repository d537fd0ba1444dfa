import { quote } from '../../diagnostics/quote.ts';
import { CONFIG, LIST } from '../../document/endpoint.ts';
import { type Markup, markup, prose } from '../../document/html.ts';
import type { GalleryContent } from './content.ts';
import { type OwnErrors, problemsBox } from './problems.ts';

/** Paths of the development server that are not part of the service. */
export const DEV_PATHS = {
  style: '/__themecast/dev.css',
  scripts: '/__themecast/',
  newTheme: '/themes/new',
  newStyle: '/themes/new.css',
  propose: '/propose',
  events: '/__themecast/events',
} as const;

export function themePath(slug: string): string {
  return `/themes/${encodeURIComponent(slug)}/`;
}

/** The part of `<head>` that the script of the development server needs, also on pages of the service. @param token - empty in pages that others may read */
export function devHead({ build, token }: Pick<GalleryContent, 'build' | 'token'>): Markup {
  return markup`<meta name="themecast-build" content="${build}">
<meta name="themecast-token" content="${token}">
<link rel="stylesheet" href="${DEV_PATHS.style}">
<script type="module" src="${DEV_PATHS.scripts}studio.js"></script>
`;
}

/** Links to the pages of the development server. @param current - path of the current page */
export function pagesNav(current: string | undefined): Markup {
  const pages = [
    ['/', 'Themes'],
    [DEV_PATHS.newTheme, 'New theme'],
    [DEV_PATHS.propose, 'Propose changes'],
    [`${LIST.path}?format=api`, 'API: list'],
    [`${CONFIG.path}?format=api`, 'API: config'],
  ] as const;
  const items = pages.map(([path, name]) => {
    const mark = path === current ? markup` aria-current="page"` : '';
    return markup`<li><a href="${path}"${mark}>${name}</a></li>\n`;
  });
  return markup`<nav class="pages" aria-label="Pages">
<ul>
${items}</ul>
</nav>
`;
}

/** The parts that differ between the pages of the gallery. */
export interface Page {
  title: string;
  /** Undefined for a page that reports that there is none. */
  path: string | undefined;
  /** For a page of one theme, its errors: those of others are counted, not shown. */
  ownErrors?: OwnErrors;
  /** The style sheet of its mock pages, if themes are made or edited on it. */
  mockStyle?: string;
  /** In the header, with the one h1. */
  head: Markup;
  main: Markup;
}

/** A page for a path that does not exist: of a theme that was deleted while its page was open, or a typing error. */
export function notFoundPage(path: string, content: GalleryContent): string {
  const reason = `There is no page at ${quote(path)}. A theme may have been deleted or renamed.`;
  const head = markup`<h1>No such page</h1>
<p class="about">${prose(reason)}</p>
`;
  return layout({ title: 'Not found', path: undefined, head, main: markup`` }, content);
}

/** A page of the gallery. It can be read without the script. */
export function layout(page: Page, content: GalleryContent): string {
  const { themes, problems } = content;
  const icon = (themes.find(({ record }) => record.is_default) ?? themes[0])?.record.favicon ?? '';
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
${icon === '' ? '' : markup`<link rel="icon" href="${icon}">\n`}${devHead(content)}${page.mockStyle === undefined ? '' : markup`<link id="mock-style" data-part rel="stylesheet" href="${page.mockStyle}">\n`}</head>
<body${page.mockStyle === undefined ? '' : markup` class="studio"`}>
<a class="skip" href="#main">Skip to content</a>
<header>
${pagesNav(page.path)}${page.head}</header>
${problemsBox(problems, page.ownErrors)}
<main id="main" tabindex="-1">
${page.main}</main>
<footer>
<p>Served by <code>themecast dev</code> from the working tree.</p>
</footer>
</body>
</html>
`.text;
}
