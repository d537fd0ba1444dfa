import { compact } from '../../../core/diagnostics/compact.ts';
import { count } from '../../../core/diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../../core/document/page/html.ts';
import { logoOf } from '../../../core/document/logo-choice.ts';
import { missingBox } from '../../../core/document/page/missing.ts';
import { image } from '../../../core/document/page/theme-images.ts';
import { fieldsWhere, LABELS } from '../../../core/theme/fields/fields.ts';
import type { GalleryContent, GalleryTheme, ViewedAs } from './content.ts';
import { options } from './editor.ts';
import { layout, themePath } from './layout.ts';
import { diagnosticsBadge, diagnosticsCount, unreadText } from './problems.ts';

/** Maximum height of a logo on a card, in pixels. */
const MAX_LOGO_HEIGHT = 64;

/**
 * Returns the page with all themes.
 * @param parameters - of its URL: `q` and `only`, words that a theme must contain; `as`, a user or group
 * @param viewed - the only theme to show, of this user or group
 */
export function galleryPage(content: GalleryContent, parameters = new URLSearchParams(), viewed?: ViewedAs): string {
  const { themes } = content;
  const [query, only] = [parameters.get('q') ?? '', parameters.get('only') ?? ''];
  const words = `${query} ${only}`.toLowerCase().split(/\s+/);
  const matches = themes.filter((theme) => {
    const text = textOf(theme);
    return words.every((word) => text.includes(word)) && (viewed === undefined || viewed.theme === theme.slug);
  });
  const kinds = ['changed', 'warning', 'incomplete', 'error'].map((kind) => [kind, kind] as const);
  return layout(
    {
      title: 'Themes',
      path: '/',
      main: markup`<div class="title"><h1>Themes</h1>
<p class="about">All themes in this folder, including uncommitted changes.</p></div>
<div class="tools">
<form role="search" action="/" data-live>
<label>Filter <input name="q" type="search" value="${query}" autocomplete="off" spellcheck="false"></label>
<label>Show <select name="only">${options([['', 'all'], ...kinds], only)}</select></label>
<noscript><button>Apply</button></noscript>
<p role="status"><span id="count" data-part>${content.isReading === true ? '' : `${matches.length} of ${count(themes.length, 'theme')}`}</span></p>
</form>
<form action="/">
<label>Preview as <input name="as" value="${parameters.get('as') ?? ''}" placeholder="user or group" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<button>View</button>
</form>
</div>
<div id="gallery" data-part${content.isReading === true ? markup` aria-busy="true"` : ''}>
${viewed === undefined ? '' : markup`<p class="notice">${viewed.sentence}</p>\n`}${matches.length > 0 ? '' : markup`<p class="about">${content.isReading === true ? 'Reading the themes…' : 'No theme matches. Clear the filter to see all.'}</p>\n`}<div class="cards">
${matches.map(card)}</div>
</div>
`,
    },
    content,
  );
}

/** Returns the searchable text of a theme, in lower case. */
function textOf(theme: GalleryTheme): string {
  const { slug, record, diagnostics, missing, change } = theme;
  const facts = compact([
    `${slug} ${record.name} id ${record.id}`,
    record.is_default && 'default',
    // The filter "changed" must also find new themes.
    change === 'new' ? 'new changed' : change,
    missing.size > 0 && 'incomplete',
    diagnosticsCount(diagnostics),
    usersOf(theme),
  ]);
  return facts.join(' ').toLowerCase();
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
  const drawn =
    theme.isUnread === true
      ? markup`<p class="empty">${prose(unreadText(theme.diagnostics))}</p>`
      : markup`<div class="pair">
${backgrounds}</div>
${strip(theme)}
${banners(theme)}`;
  return markup`<article class="card" aria-labelledby="theme-${slug}">
${drawn}
<h2 id="theme-${slug}"><a href="${path}"><bdi>${record.name}</bdi></a></h2>
<p class="facts">
${badges(theme)}${diagnosticsBadge(theme.diagnostics, path)}</p>
<p class="users">${usersOf(theme)}</p>
</article>
`;
}

/** Returns the colours side by side, without their values. */
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

function banners({ record, missing }: GalleryTheme): Markup {
  const drawn = BANNERS.map(
    (field) =>
      missingBox(field, missing) ??
      markup`<img src="${record[field].thumbnail}" alt="${record.name}: ${LABELS[field]}" width="320" height="160" loading="lazy" decoding="async">`,
  );
  return markup`<div class="card-banners">${drawn}</div>`;
}

/** Returns `3 users, 1 group`, and mentions everyone without a theme for the default theme. */
export function usersOf({ users, record }: Pick<GalleryTheme, 'users' | 'record'>): string {
  const counts = (['user', 'group'] as const).flatMap((kind) => (users[kind] === 0 ? [] : [count(users[kind], kind)]));
  return (
    [
      ...(counts.length > 0 ? [counts.join(', ')] : []),
      ...(record.is_default ? ['everyone without a theme'] : []),
    ].join(', and ') || 'no users'
  );
}

/** Returns the badges of a theme: slug, id, and its state. */
export function badges({ slug, record, missing, change }: GalleryTheme): Markup {
  const badge = (kind: string, text: string) => markup`<span class="badge${kind}">${text}</span>\n`;
  return markup`<code class="slug">${slug}</code> ${badge('', missing.has('id') ? 'no id' : `id ${record.id}`)}${missing.size > 0 ? badge(' warn', 'incomplete') : ''}${change === undefined ? '' : badge(' change', change)}${record.is_default ? badge(' default', 'default') : ''}`;
}
