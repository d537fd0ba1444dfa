import type { Site } from '../../theme/site/site.ts';
import {
  CONFIG,
  type Endpoint,
  LIST,
  CONTENT_TYPES,
  optionsDocument,
  renderingsOf,
  SCHEMAS,
  vary,
} from '../endpoint.ts';
import { Markup, markup, pageStart } from './html.ts';
import { jsonBox, link, prettyJson } from './pretty-json.ts';
import type { ThemeRecord } from '../record.ts';
import { image, themeImages } from './theme-images.ts';

export interface PageContent {
  endpoint: Endpoint;
  document: unknown;
  themes: readonly ThemeRecord[];
  /** Number of themes in the response, of which the page may show the first only. Default: all are shown. */
  total?: number;
  site: Site;
  /** Its style sheet, which becomes part of the page. */
  style: string;
}

/** Markup that only the development server adds to the page. */
export interface PageExtra {
  /** Inside `<head>`, at its end. */
  head?: Markup;
  /** At the top of `<body>`. */
  top?: Markup;
}

/**
 * Yields the response to `?format=api`: the page of Django REST Framework, with the images and palettes of the themes. It has neither
 * scripts nor style attributes. Links to the service are relative, so they also work in a preview on another host. The target of
 * `#options` is inside the disclosure, because only then do browsers open it when a user follows the link.
 */
export function* browsablePage(content: PageContent, extra: PageExtra = {}): Generator<string> {
  const { document, themes } = content;
  const [start, middle, end] = frame(content, extra).text.split(PLACE) as [string, string, string];
  yield start;
  for (const { text } of prettyJson(document)) yield text;
  yield middle;
  for (const theme of themes) yield themeCard(theme).text;
  yield end;
}

/** The position of the document, and then of the themes, in the frame of the page: escaped text can never contain this markup. */
const PLACE = '<!---->';

/** Returns the page without its document and its themes, which may be 10,000. */
function frame({ endpoint, themes, total = themes.length, site, style }: PageContent, extra: PageExtra): Markup {
  const { head = '', top = '' } = extra;
  const config = endpoint === CONFIG;
  const repository = site.repository_url;
  const icon = themes.find(({ is_default }) => is_default) ?? themes[0];
  return markup`${pageStart(endpoint.name)}${icon === undefined ? '' : markup`<link rel="icon" href="${icon.favicon}">\n`}<style>${new Markup(style)}</style>
${head}</head>
<body>
${top}<header>
<nav class="trail" aria-label="Breadcrumb">
<ol>
${config ? markup`<li><a href="../">${LIST.name}</a></li>\n` : ''}<li><a href="./" aria-current="page">${endpoint.name}</a></li>
</ol>
</nav>
<h1>${endpoint.name}</h1>
<p class="about">${endpoint.description}${config ? '' : markup` The theme of the requesting user is at <a href="config/">${CONFIG.name}</a>.`}${site.schema ? schemaLinks(endpoint) : ''}${total > themes.length ? markup` This page shows the first ${themes.length} of ${total.toLocaleString('en')} themes; <a href="?format=json">the JSON</a> has all of them.` : ''}</p>
<nav aria-label="On this page">
<ul class="contents">
<li><a href="#get">GET</a></li>
<li><a href="#options">OPTIONS</a></li>
<li><a href="#themes">Images and palettes</a></li>
</ul>
</nav>
</header>
<main>
<section aria-labelledby="get">
<h2 id="get">GET</h2>
${exchange('GET', new Markup(PLACE), endpoint, site)}
</section>
<section aria-labelledby="options-title">
<h2 id="options-title">OPTIONS</h2>
<details>
<summary>Response to <code>OPTIONS</code></summary>
<div id="options">
${exchange('OPTIONS', prettyJson(optionsDocument(endpoint, renderingsOf(endpoint, site))), endpoint, site)}
</div>
</details>
</section>
<section aria-labelledby="themes">
<h2 id="themes">Images and palettes</h2>
${new Markup(PLACE)}</section>
</main>
<footer>
<p>Published by themecast.${repository === undefined ? '' : markup` Themes are edited in ${link(repository, repository)}.`}</p>
</footer>
</body>
</html>
`;
}

/** Returns links to the schemas, relative like all links to the service. */
function schemaLinks({ path }: Endpoint): Markup {
  const root = '../'.repeat(path.split('/').length - 2);
  const linkTo = (schema: string, name: string) => markup`<a href="${root}${schema.slice(1)}">${name}</a>`;
  return markup` Described as ${linkTo(SCHEMAS.openapi, 'OpenAPI')} and ${linkTo(SCHEMAS.jsonSchema, 'JSON Schema')}.`;
}

/** Returns a request and its response in HTTP notation. The formats are those that GET offers; the page itself is `api`. */
function exchange(method: 'GET' | 'OPTIONS', json: Markup | Iterable<Markup>, endpoint: Endpoint, site: Site): Markup {
  const formats = renderingsOf(endpoint, site).map(
    ({ format }) =>
      markup`<li><a href="?format=${format}"${format === 'api' ? markup` aria-current="true"` : ''}>${format}</a></li>\n`,
  );
  const path = new URL(site.base_url).pathname.replace(/\/$/, '') + endpoint.path;
  return markup`<div class="exchange">
<div class="request">
<pre><b>${method}</b> ${path}</pre>
${method === 'GET' ? markup`<ul class="formats" aria-label="Formats">\n${formats}</ul>` : ''}
</div>
<pre class="head"><b>HTTP 200 OK</b>
<b>Allow:</b> ${endpoint.methods.join(', ')}
<b>Content-Type:</b> ${CONTENT_TYPES.json}
<b>Vary:</b> ${vary(endpoint, site).join(', ')}</pre>
${jsonBox(json, `Response body of ${method}`)}
</div>`;
}

/** Returns the card of a theme. A name may be written from right to left, so `bdi` isolates it from the text around it. */
function themeCard(theme: ThemeRecord): Markup {
  return markup`<article class="theme" id="theme-${theme.id}" aria-labelledby="theme-${theme.id}-name">
<div class="name">
${image(theme.favicon, '', 32, 32)}
<h3 id="theme-${theme.id}-name"><bdi>${theme.name}</bdi></h3>
<span class="badge">id ${theme.id}</span>
${theme.is_default ? markup`<span class="badge default">default</span>` : ''}
</div>
${themeImages(theme)}
</article>
`;
}
