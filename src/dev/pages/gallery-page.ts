import { compact } from '../../diagnostics/compact.ts';
import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup } from '../../document/html.ts';
import { logoOf } from '../../document/logo-choice.ts';
import { missingBox } from '../../document/missing.ts';
import { image } from '../../document/theme-images.ts';
import { fieldsWhere } from '../../theme/fields.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { filterText, matches } from './filter.ts';
import { DEV_PATHS, layout, themePath } from './layout.ts';
import { diagnosticsBadge } from './problems.ts';
import { badges, usersOf } from './theme-facts.ts';

/** Maximum height of a logo on a card, in pixels. */
const MAX_LOGO_HEIGHT = 64;

/**
 * All themes at a glance.
 * @param asked - `query`: words that a theme must contain to be shown; the others are hidden, so that the script can show them
 */
export function galleryPage(content: GalleryContent, asked: GalleryQuery = {}): string {
  const { themes } = content;
  const { query = '', sort = 'id', only = '', isCompact = false } = asked;
  const chosen = themes.filter((theme) => isWanted(theme, only)).toSorted(ORDERS[sort]);
  const cards = chosen.map((theme) => {
    const text = filterText(theme);
    return { theme, text, isShown: matches(text, query) };
  });
  const shown = cards.filter(({ isShown }) => isShown).length;
  return layout(
    {
      title: 'Themes',
      path: '/',
      head: markup`<h1>Themes</h1>
<p class="about">All themes, with changes that are not committed yet.${sinceCommit(content)}</p>
`,
      main: markup`${content.deleted.map((slug) => deleted(slug, content))}<div class="tools">
<form class="row" role="search" action="/">
<label for="filter">Filter</label>
<input id="filter" name="q" type="search" value="${query}" autocomplete="off" spellcheck="false" data-filter-input>
<label for="sort">Sort by</label>
${select('sort', Object.keys(ORDERS), sort)}
<label for="only">Show</label>
${select('only', ['all', 'changed', 'warning', 'incomplete', 'error'], only || 'all')}
<label><input type="checkbox" name="compact" value="on"${isCompact ? markup` checked` : ''}> Compact</label>
<button class="quiet">Apply</button>
<p role="status"><span data-filter-count>${shown}</span> of ${count(themes.length, 'theme')}</p>
</form>
<p class="row">
<a class="button" href="${DEV_PATHS.newTheme}">New theme</a>
</p>
</div>
<p class="about" data-filter-none${shown > 0 ? markup` hidden` : ''}>No theme matches. Clear the filter to see all.</p>
<div class="cards${isCompact ? ' compact' : ''}">
${cards.map(({ theme, text, isShown }) => card(theme, text, isShown))}</div>
`,
    },
    content,
  );
}

/** ` Since the last commit (9f3c1a2), 2 changed, 1 is new, 1 was removed.` */
function sinceCommit({ themes, lastCommit }: GalleryContent): string {
  if (lastCommit === undefined) return '';
  const [changed, added] = ['changed', 'new'].map((kind) => themes.filter(({ change }) => change === kind).length);
  const parts = compact([
    changed !== 0 && `${changed} changed`,
    added !== 0 && `${added} new`,
    lastCommit.removed !== 0 && `${lastCommit.removed} removed`,
  ]);
  return ` Since the last commit (${lastCommit.commit}): ${parts.join(', ') || 'no changes'}.`;
}

/** A theme that was deleted on its page. */
function deleted(slug: string, { token = '' }: GalleryContent): Markup {
  return markup`<form class="row notice" method="post" action="${themePath(slug)}undo">
<input type="hidden" name="token" value="${token}">
<span>Deleted: <code>${slug}</code></span> <button class="quiet">Undo<span class="unseen"> the deletion of ${slug}</span></button>
</form>
`;
}

/** What a gallery is asked for; what is not among the choices is as if absent. */
export interface GalleryQuery {
  query?: string;
  sort?: keyof typeof ORDERS;
  /** A word such as `incomplete`. */
  only?: string;
  isCompact?: boolean;
}

const usersIn = ({ users }: GalleryTheme): number => users.user + users.group;
const ORDERS = {
  id: () => 0,
  name: (a: GalleryTheme, b: GalleryTheme) => (a.record.name.toLowerCase() < b.record.name.toLowerCase() ? -1 : 1),
  users: (a: GalleryTheme, b: GalleryTheme) => usersIn(b) - usersIn(a),
  'last change': (a: GalleryTheme, b: GalleryTheme) => (b.changedAt ?? 0) - (a.changedAt ?? 0),
};

/** From the parameters of a URL. */
export function galleryQuery(parameters: URLSearchParams): GalleryQuery {
  const [sort, only] = [parameters.get('sort') ?? '', parameters.get('only') ?? 'all'];
  return {
    query: parameters.get('q') ?? '',
    ...(Object.hasOwn(ORDERS, sort) && { sort: sort as keyof typeof ORDERS }),
    only: only === 'all' ? '' : only,
    isCompact: parameters.has('compact'),
  };
}

/** Whether a theme is among those that are asked for; a new one has changed, too. */
function isWanted(theme: GalleryTheme, only: string): boolean {
  return only === 'changed' ? theme.change !== undefined : only === '' || filterText(theme).includes(only);
}

function select(name: string, values: readonly string[], chosen: string): Markup {
  const options = values.map((value) => markup`<option${value === chosen ? markup` selected` : ''}>${value}</option>`);
  return markup`<select id="${name}" name="${name}">${options}</select>`;
}

function card(theme: GalleryTheme, text: string, isShown: boolean): Markup {
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
</p>
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
