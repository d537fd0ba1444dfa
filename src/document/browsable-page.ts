import { createHash } from 'node:crypto';
import type { ImageSetField, PictureField } from '../theme/fields.ts';
import type { Site } from '../theme/site.ts';
import { CONFIG, type Endpoint, LIST, optionsDocument, RENDERINGS, vary } from './endpoint.ts';
import { Markup, markup } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { ThemeRecord } from './record.ts';

export interface PageContent {
  endpoint: Endpoint;
  /** The JSON document that the page shows. */
  document: unknown;
  /** The themes whose pictures and palettes it shows. */
  themes: readonly ThemeRecord[];
  site: Site;
}

/** `sha256-…` of the page's one style sheet, for the Content-Security-Policy. */
export const PAGE_STYLE_HASH = `sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}`;

/**
 * The page that answers `?format=api`: what Django REST Framework shows, and the pictures and palettes of the themes.
 * It has neither scripts nor style attributes. Links to the service are relative, so a preview on another host has no dead ones.
 * The target of `#options` lies inside the disclosure: only then do browsers open it when the link is followed.
 */
export function browsablePage(content: PageContent): string {
  const { endpoint, document, themes, site } = content;
  const config = endpoint === CONFIG;
  const repository = site.repository_url;
  const icon = themes.find(({ is_default }) => is_default) ?? themes[0];
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${endpoint.name}</title>
${icon === undefined ? '' : markup`<link rel="icon" href="${icon.favicon}">\n`}<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<header>
<nav class="trail" aria-label="Breadcrumb">
<ol>
${config ? markup`<li><a href="../">${LIST.name}</a></li>\n` : ''}<li><a href="./" aria-current="page">${endpoint.name}</a></li>
</ol>
</nav>
<h1>${endpoint.name}</h1>
<p class="about">${endpoint.description}${config ? '' : markup` The theme of whoever asks is at <a href="config/">${CONFIG.name}</a>.`}</p>
<nav aria-label="On this page">
<ul class="contents">
<li><a href="#get">GET</a></li>
<li><a href="#options">OPTIONS</a></li>
<li><a href="#themes">Pictures and palettes</a></li>
</ul>
</nav>
</header>
<main>
<section aria-labelledby="get">
<h2 id="get">GET</h2>
${exchange('GET', document, endpoint, site)}
</section>
<section aria-labelledby="options-title">
<h2 id="options-title">OPTIONS</h2>
<details>
<summary>The answer to <code>OPTIONS</code></summary>
<div id="options">
${exchange('OPTIONS', optionsDocument(endpoint), endpoint, site)}
</div>
</details>
</section>
<section aria-labelledby="themes">
<h2 id="themes">Pictures and palettes</h2>
${themes.length < 2 ? '' : jumpList(themes)}
${themes.map(themeCard)}</section>
</main>
<footer>
<p>Published by themecast.${repository === undefined ? '' : markup` Themes are edited in ${link(repository, repository)}.`}</p>
</footer>
</body>
</html>
`;
  return page.text;
}

/** A request and its answer, written as HTTP has them. */
function exchange(method: 'GET' | 'OPTIONS', document: unknown, endpoint: Endpoint, site: Site): Markup {
  const formats = Object.keys(RENDERINGS).map((format) => markup`<li><a href="?format=${format}">${format}</a></li>\n`);
  const path = new URL(site.base_url).pathname.replace(/\/$/, '') + endpoint.path;
  return markup`<div class="exchange">
<div class="request">
<pre><b>${method}</b> ${path}</pre>
${method === 'GET' ? markup`<ul class="formats" aria-label="Formats">\n${formats}</ul>` : ''}
</div>
<pre class="head"><b>HTTP 200 OK</b>
<b>Allow:</b> ${endpoint.methods.join(', ')}
<b>Content-Type:</b> ${RENDERINGS.json}
<b>Vary:</b> ${vary(endpoint, site).join(', ')}</pre>
<pre class="body" tabindex="0" role="region" aria-label="Body of the answer to ${method}">${prettyJson(document)}</pre>
</div>`;
}

/** Invisible characters that reorder or break the text around them: shown as JSON escapes, which mean the same. */
const REORDERING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** A line of pretty JSON: indent, key, value, comma. */
const JSON_LINE = /^( *)(?:("(?:[^"\\]|\\.)*")(: ))?(.*?)(,?)$/;
const URL_VALUE = /^"(https?:\/\/[^"\\]+)"$/;

function prettyJson(document: unknown): Markup[] {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const lines = JSON.stringify(document, null, 4).replace(REORDERING, escape).split('\n');
  return lines.map((line, index) => {
    const [, indent = '', key, colon = '', value = '', comma = ''] = JSON_LINE.exec(line) ?? [];
    const url = URL_VALUE.exec(value)?.[1];
    const shownKey = key === undefined ? '' : markup`<b>${key}</b>`;
    const shownValue = url === undefined ? value : markup`"${link(url, url)}"`;
    return markup`${index === 0 ? '' : '\n'}${indent}${shownKey}${colon}${shownValue}${comma}`;
  });
}

/** A link, if the URL is one of the web: `javascript:` and the like stay text. */
function link(url: string, content: Markup | string): Markup {
  return /^https?:\/\//.test(url) ? markup`<a href="${url}">${content}</a>` : markup`${content}`;
}

/** Names may be written from right to left, so every one is isolated from the text around it. */
function jumpList(themes: readonly ThemeRecord[]): Markup {
  const items = themes.map(({ id, name }) => markup`<li><a href="#theme-${id}"><bdi>${name}</bdi></a></li>\n`);
  return markup`<ul class="jump" aria-label="Themes">\n${items}</ul>`;
}

function themeCard(theme: ThemeRecord): Markup {
  return markup`<article class="theme" id="theme-${theme.id}" aria-labelledby="theme-${theme.id}-name">
<div class="name">
${picture(theme.favicon, '', 32, 32)}
<h3 id="theme-${theme.id}-name"><bdi>${theme.name}</bdi></h3>
<span class="badge">id ${theme.id}</span>
${theme.is_default ? markup`<span class="badge default">default</span>` : ''}
</div>
<h4>Logos</h4>
<div class="figures">
${(['logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'] as const).map((field) => logo(theme, field))}</div>
${settings(theme)}
<h4>Site logo and favicon</h4>
<div class="figures site">
${onGrounds(theme, 'logo_site', theme.logo_site.thumbnail, 250, 250)}${onGrounds(theme, 'favicon', theme.favicon, 32, 32)}</div>
<h4>Banners</h4>
<div class="figures banners">
${(['default_group_banner', 'default_event_banner', 'default_user_profile_banner'] as const).map((field) => banner(theme, field))}</div>
<h4>Palette</h4>
${palette(theme.palette_preview)}
</article>
`;
}

/** Which setting a mode reads to choose between a logo and its inverse variant. */
const LOGO_CHOICES = [
  { field: 'light_mode_logo_type', mode: 'light', normal: 'logo' },
  { field: 'dark_mode_logo_type', mode: 'dark', normal: 'logo' },
  { field: 'compact_light_mode_logo_type', mode: 'light', normal: 'compact_logo' },
  { field: 'compact_dark_mode_logo_type', mode: 'dark', normal: 'compact_logo' },
] as const satisfies { field: keyof ThemeRecord; mode: string; normal: PictureField }[];
type LogoChoice = (typeof LOGO_CHOICES)[number];
type LogoField = LogoChoice['normal'] | `${LogoChoice['normal']}_inverse`;

/** The logo that a mode shows: the inverse one for `INVERSE`, the normal one for any other value. */
function chosenLogo(theme: ThemeRecord, { field, normal }: LogoChoice): LogoField {
  return theme[field] === 'INVERSE' ? `${normal}_inverse` : normal;
}

/** Tallest logo that the page shows at full height; settings may be up to 2000 pixels. */
const LOGO_CAP = 160;

function logo(theme: ThemeRecord, field: LogoField): Markup {
  const modes = LOGO_CHOICES.filter((choice) => chosenLogo(theme, choice) === field).map(({ mode }) => mode);
  const compact = field.startsWith('compact');
  const height = Math.min(compact ? theme.compact_logo_size : theme.logo_height, LOGO_CAP);
  return onGrounds(theme, field, theme[field], compact ? height : undefined, height, modes);
}

type ShownField = PictureField | ImageSetField;

function onGrounds(
  theme: ThemeRecord,
  field: ShownField,
  url: string,
  width: number | undefined,
  height: number,
  modes: readonly string[] = [],
): Markup {
  const grounds = ['light', 'dark'].map((ground) => {
    const used = modes.includes(ground) ? markup`<p class="used">used in ${ground} mode</p>` : '';
    const shown = picture(url, `${theme.name}: ${field} on ${ground} ground`, width, height);
    return markup`<div class="ground ${ground}">${shown}${used}</div>\n`;
  });
  return markup`<figure>\n<div class="pair">\n${grounds}</div>\n${caption(theme, field)}\n</figure>\n`;
}

function banner(theme: ThemeRecord, field: ImageSetField): Markup {
  const shown = picture(theme[field].thumbnail, `${theme.name}: ${field}`, 640, 360);
  return markup`<figure>\n${link(theme[field].original, shown)}\n${caption(theme, field)}\n</figure>\n`;
}

/** Names the field; its links lead to the files. */
function caption(theme: ThemeRecord, field: ShownField): Markup {
  const value = theme[field];
  if (typeof value === 'string') return markup`<figcaption><code>${link(value, field)}</code></figcaption>`;
  const files = markup`${link(value.original, 'original')} ${link(value.thumbnail, 'thumbnail')}`;
  return markup`<figcaption><code>${field}</code> <span>${files}</span></figcaption>`;
}

/** @param width - left out where the shape of the picture gives it */
function picture(url: string, alt: string, width: number | undefined, height: number): Markup {
  const size = markup`${width === undefined ? '' : markup` width="${width}"`} height="${height}"`;
  return markup`<img src="${url}" alt="${alt}"${size} loading="lazy" decoding="async">`;
}

function settings(theme: ThemeRecord): Markup {
  const rows: [keyof ThemeRecord, string][] = [
    ...LOGO_CHOICES.map((choice): [keyof ThemeRecord, string] => [
      choice.field,
      `${theme[choice.field]} → ${chosenLogo(theme, choice)}`,
    ]),
    ['logo_alignment', theme.logo_alignment],
    ['logo_height', `${theme.logo_height} px`],
    ['logo_margin_left', `${theme.logo_margin_left} px`],
    ['logo_margin_top', `${theme.logo_margin_top} px`],
    ['compact_logo_size', `${theme.compact_logo_size} px`],
  ];
  const items = rows.map(([field, value]) => markup`<div><dt><code>${field}</code></dt><dd>${value}</dd></div>\n`);
  return markup`<dl class="settings">\n${items}</dl>`;
}

/** The Content-Security-Policy forbids style attributes, so the swatches are drawn. */
function palette(colours: readonly string[]): Markup {
  const swatch = (colour: string) =>
    markup`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${colour}"/></svg>`;
  const items = colours.map((colour) => markup`<li>${swatch(colour)}<code>${colour}</code></li>\n`);
  return markup`<ul class="palette">\n${items}</ul>`;
}
