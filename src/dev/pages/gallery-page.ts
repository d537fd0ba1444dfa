import { compact } from '../../diagnostics/compact.ts';
import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup } from '../../document/html.ts';
import { logoOf } from '../../document/logo-choice.ts';
import { missingBox } from '../../document/missing.ts';
import { image } from '../../document/theme-images.ts';
import { fieldsWhere, LABELS } from '../../theme/fields.ts';
import type { GalleryContent, GalleryTheme, ViewedAs } from './content.ts';
import { options } from './editor.ts';
import { layout, themePath } from './layout.ts';
import { diagnosticsBadge, diagnosticsCount } from './problems.ts';

/** Maximum height of a logo on a card, in pixels. */
const MAX_LOGO_HEIGHT = 64;

/**
 * All themes at a glance.
 * @param asked - the parameters of its URL: `q`, words that a theme must contain; `sort`, `only`, `compact`; `as`, a user or a group
 * @param viewed - the theme that these get, which alone is shown then
 */
export function galleryPage(content: GalleryContent, asked = new URLSearchParams(), viewed?: ViewedAs): string {
  const { themes } = content;
  const [query, sort, only] = [asked.get('q') ?? '', asked.get('sort') ?? '', asked.get('only') ?? ''];
  const isCompact = asked.has('compact');
  const words = `${query} ${only}`.toLowerCase().split(/\s+/);
  const shown = themes
    .filter((theme) => {
      const text = textOf(theme);
      return words.every((word) => text.includes(word)) && (viewed === undefined || viewed.theme === theme.slug);
    })
    .toSorted(ORDERS.get(sort) ?? (() => 0));
  return layout(
    {
      title: 'Themes',
      path: '/',
      main: markup`<div class="title"><h1>Themes</h1>
<p class="about">All themes in this folder, including uncommitted changes.</p></div>
<div class="tools">
<form role="search" action="/" data-live>
<label>Filter <input name="q" type="search" value="${query}" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
<label>Sort by ${select('sort', 'id', [...ORDERS.keys()], sort)}</label>
<label>Show ${select('only', 'all', ['changed', 'warning', 'incomplete', 'error'], only)}</label>
<label><input type="checkbox" name="compact" value="on"${isCompact ? markup` checked` : ''}> Compact</label>
<noscript><button>Apply</button></noscript>
<p role="status"><span id="count" data-part>${shown.length} of ${count(themes.length, 'theme')}</span></p>
</form>
<form action="/">
<label>Preview as <input name="as" value="${asked.get('as') ?? ''}" placeholder="user or group" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<button>View</button>
</form>
</div>
<div id="gallery" data-part>
${viewed === undefined ? '' : markup`<p class="notice">${viewed.sentence}</p>\n`}${shown.length > 0 ? '' : markup`<p class="about">No theme matches. Clear the filter to see all.</p>\n`}<div class="cards${isCompact ? ' compact' : ''}">
${shown.map(card)}</div>
</div>
`,
    },
    content,
  );
}

const usersIn = ({ users }: GalleryTheme): number => users.user + users.group;
/** What themes are sorted by, besides their ids. */
const ORDERS = new Map<string, (a: GalleryTheme, b: GalleryTheme) => number>([
  ['name', (a, b) => (a.record.name.toLowerCase() < b.record.name.toLowerCase() ? -1 : 1)],
  ['users', (a, b) => usersIn(b) - usersIn(a)],
  ['last change', (a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0)],
]);

/** The text that is searched, in lower case. */
function textOf(theme: GalleryTheme): string {
  const { slug, record, diagnostics, missing, change } = theme;
  const facts = compact([
    `${slug} ${record.name} id ${record.id}`,
    record.is_default && 'default',
    // A new theme has changed, too.
    change === 'new' ? 'new changed' : change,
    missing.size > 0 && 'incomplete',
    diagnosticsCount(diagnostics),
    usersOf(theme),
  ]);
  return facts.join(' ').toLowerCase();
}

/** @param usual - what is chosen without a parameter */
function select(name: string, usual: string, values: readonly string[], chosen: string): Markup {
  const texts = values.map((value) => [value, value] as const);
  return markup`<select name="${name}">${options([['', usual], ...texts], chosen)}</select>`;
}

function card(theme: GalleryTheme): Markup {
  const { slug, record, missing } = theme;
  const path = themePath(slug);
  const backgrounds = (['light', 'dark'] as const).map((mode) => {
    const field = logoOf(record, mode, 'logo');
    const alt = `${record.name}: ${LABELS[field]}, in ${mode} mode`;
    const height = Math.min(record.logo_height, MAX_LOGO_HEIGHT);
    const logo = missingBox(field, missing) ?? image(record[field], alt, undefined, height);
    return markup`<div class="ground ${mode}">${logo}</div>\n`;
  });
  return markup`<article class="card" aria-labelledby="theme-${slug}">
<div class="pair">
${backgrounds}</div>
${strip(theme)}
${banners(theme)}
<h2 id="theme-${slug}"><a href="${path}"><bdi>${record.name}</bdi></a></h2>
<p class="facts">
${badges(theme)}${diagnosticsBadge(theme.diagnostics, path)}</p>
<p class="users">${usersOf(theme)}</p>
</article>
`;
}

/** The colours side by side; their values are on the page of the theme. */
export function strip({
  record: { palette_preview: colours },
  missing,
}: Pick<GalleryTheme, 'record' | 'missing'>): Markup {
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
      markup`<img src="${record[field].thumbnail}" alt="${record.name}: ${LABELS[field]}" width="320" height="160" loading="lazy" decoding="async">`,
  );
  return markup`<div class="card-banners">${drawn}</div>`;
}

/** `3 users, 1 group`, and, for the default theme, everyone else. */
export function usersOf({ users, record }: Pick<GalleryTheme, 'users' | 'record'>): string {
  const given = (['user', 'group'] as const).flatMap((kind) => (users[kind] === 0 ? [] : [count(users[kind], kind)]));
  return (
    [...(given.length > 0 ? [given.join(', ')] : []), ...(record.is_default ? ['everyone without a theme'] : [])].join(
      ', and ',
    ) || 'no users'
  );
}

/** Slug, id and whether it is the default. */
export function badges({ slug, record, missing, change }: GalleryTheme): Markup {
  const badge = (kind: string, text: string) => markup`<span class="badge${kind}">${text}</span>\n`;
  return markup`<code class="slug">${slug}</code> ${badge('', missing.has('id') ? 'no id' : `id ${record.id}`)}${missing.size > 0 ? badge(' warn', 'incomplete') : ''}${change === undefined ? '' : badge(' change', change)}${record.is_default ? badge(' default', 'default') : ''}`;
}
