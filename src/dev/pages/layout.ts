import { CONFIG, type Endpoint, LIST } from '../../document/endpoint.ts';
import { type Markup, markup } from '../../document/html.ts';
import type { Site } from '../../theme/site.ts';
import type { GalleryContent } from './content.ts';
import { OPEN_PATH, problemsBox } from './problems.ts';

/** Paths of the development server that are not part of the service. */
export const DEV_PATHS = {
  style: '/__themecast/dev.css',
  script: '/__themecast/dev.js',
  events: '/__themecast/events',
  open: OPEN_PATH,
  viewAs: '/view-as/',
} as const;

/** Path of an endpoint, with that of `base_url`. */
export function servicePath(site: Pick<Site, 'base_url'>, { path }: Endpoint): string {
  return new URL(site.base_url).pathname.replace(/\/$/, '') + path;
}

export function themePath(slug: string): string {
  return `/themes/${encodeURIComponent(slug)}/`;
}

/** The form that edits a theme. */
export function editPath(slug: string): string {
  return `${themePath(slug)}edit`;
}

/** The style sheet of a theme, for its mock pages. */
export function themeStylePath(slug: string): string {
  return `${themePath(slug)}theme.css`;
}

/** The part of `<head>` that the script of the development server needs, also on pages of the service. */
export function devHead(build: number): Markup {
  return markup`<meta name="themecast-build" content="${build}">
<link rel="stylesheet" href="${DEV_PATHS.style}">
<script src="${DEV_PATHS.script}" defer></script>
`;
}

/** Links to the pages of the development server. @param current - path of the current page */
export function pagesNav(site: Pick<Site, 'base_url'>, current: string | undefined): Markup {
  const pages = [
    ['/', 'Gallery'],
    [DEV_PATHS.viewAs, 'View as'],
    [`${servicePath(site, LIST)}?format=api`, LIST.name],
    [`${servicePath(site, CONFIG)}?format=api`, CONFIG.name],
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
  /** Its path; undefined for a page that reports that there is none. */
  path: string | undefined;
  /** Slug of the theme that its mock pages show. */
  mocked?: string | undefined;
  /** In the header, with the one h1. */
  head: Markup;
  main: Markup;
}

/** A page of the gallery. Everything on it works without the script. */
export function layout(page: Page, content: GalleryContent): string {
  const { site, themes, problems, build, isServed, token } = content;
  const icon = (themes.find(({ record }) => record.is_default) ?? themes[0])?.record.favicon ?? '';
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
${page.path === undefined ? '' : markup`<link rel="canonical" href="${page.path}">\n`}${icon === '' ? '' : markup`<link rel="icon" href="${icon}">\n`}${devHead(build)}${page.mocked === undefined ? '' : markup`<link rel="stylesheet" href="${themeStylePath(page.mocked)}">\n`}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
${pagesNav(site, page.path)}${page.head}</header>
<main id="main" tabindex="-1">
${problems === undefined ? '' : problemsBox({ text: problems, isServed, token })}${page.main}</main>
<footer>
<p>Served by <code>themecast dev</code>, while the themes are edited.</p>
</footer>
</body>
</html>
`.text;
}
