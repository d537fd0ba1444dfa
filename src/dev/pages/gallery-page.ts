import { count } from '../../diagnostics/quote.ts';
import { LIST } from '../../document/endpoint.ts';
import { type Markup, markup } from '../../document/html.ts';
import { logoOf } from '../../document/logo-choice.ts';
import { missingBox } from '../../document/missing.ts';
import { image } from '../../document/theme-images.ts';
import { fieldsWhere } from '../../theme/fields.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { filterText, matches } from './filter.ts';
import { layout, servicePath, themePath } from './layout.ts';
import { diagnosticsBadge } from './problems.ts';
import { badges, editLinks, usersOf } from './theme-facts.ts';

/** Maximum height of a logo on a card, in pixels. */
const MAX_LOGO_HEIGHT = 64;

/**
 * All themes at a glance.
 * @param query - words that a theme must contain to be shown; the others are hidden, so that the script can show them
 */
export function galleryPage(content: GalleryContent, query = ''): string {
  const { site, themes } = content;
  const cards = themes.map((theme) => {
    const text = filterText(theme);
    return { theme, text, isShown: matches(text, query) };
  });
  const shown = cards.filter(({ isShown }) => isShown).length;
  return layout(
    {
      title: 'Themes',
      path: '/',
      head: markup`<h1>Themes</h1>
<p class="about">All themes, as they are in the working tree.</p>
`,
      main: markup`<div class="tools">
<form class="row" role="search" action="/">
<label for="filter">Filter</label>
<input id="filter" name="q" type="search" value="${query}" autocomplete="off" spellcheck="false" data-filter-input>
<button class="quiet">Filter</button>
<p role="status"><span data-filter-count>${shown}</span> of ${count(themes.length, 'theme')}</p>
</form>
<p class="row">
${newOnHost(content)}<a class="button" href="${servicePath(site, LIST)}?format=api#post">New theme</a>
</p>
</div>
<div class="cards">
${cards.map(({ theme, text, isShown }) => card(theme, content, text, isShown))}</div>
`,
    },
    content,
  );
}

/** Creates a theme on the Git host; it is complete from the start because it extends the default theme. */
function newOnHost({ themes, links }: GalleryContent): Markup | string {
  const parent = themes.find(({ record }) => record.is_default) ?? themes[0];
  if (links === undefined || parent === undefined) return '';
  const free = 1 + themes.reduce((id, { record }) => Math.max(id, record.id), 0);
  return markup`<a href="${links.create(free, parent.slug)}">New theme on ${links.host}</a>\n`;
}

function card(theme: GalleryTheme, { links }: GalleryContent, text: string, isShown: boolean): Markup {
  const { slug, record, missing } = theme;
  const path = themePath(slug);
  const backgrounds = (['light', 'dark'] as const).map((mode) => {
    const field = logoOf(record, mode, 'logo');
    const alt = `${record.name}: ${field}, used in ${mode} mode`;
    const height = Math.min(record.logo_height, MAX_LOGO_HEIGHT);
    const logo = missingBox(field, missing) ?? image(record[field], alt, undefined, height);
    return markup`<div class="ground ${mode}">${logo}</div>\n`;
  });
  return markup`<article class="card" aria-labelledby="theme-${slug}" data-filter="${text}"${isShown ? '' : markup` hidden`}>
<div class="pair">
${backgrounds}</div>
${strip(theme)}
${banners(theme)}
<h2 id="theme-${slug}"><a href="${path}"><bdi>${record.name}</bdi></a></h2>
<p class="row">
${badges(theme)}${diagnosticsBadge(theme.diagnostics, path)}</p>
<p class="users">Used by ${usersOf(theme)}</p>
<p class="row links">
<a href="${path}">Details<span class="unseen"> of <bdi>${record.name}</bdi></span></a>
${editLinks(theme, links)}</p>
</article>
`;
}

/** The colours side by side; their values are on the page of the theme. */
function strip({ record: { palette_preview: colours }, missing }: GalleryTheme): Markup {
  if (colours.length === 0) return missingBox('palette_preview', missing) ?? markup``;
  const colour = (fill: string, x: number) =>
    fill === '' ? '' : markup`<rect x="${x}" width="1" height="1" fill="${fill}"/>`;
  return markup`<svg class="strip" viewBox="0 0 ${colours.length} 1" preserveAspectRatio="none" aria-hidden="true">${colours.map(colour)}</svg>`;
}

const BANNERS = fieldsWhere({ page: 'banners' });

/** The three banners side by side. */
function banners({ record, missing }: GalleryTheme): Markup {
  const drawn = BANNERS.map(
    (field) =>
      missingBox(field, missing) ??
      markup`<img src="${record[field].thumbnail}" alt="${record.name}: ${field}" width="320" height="160" loading="lazy" decoding="async">`,
  );
  return markup`<div class="card-banners">${drawn}</div>`;
}
