import { type Markup, markup } from '../document/html.ts';
import { NOTHING_MISSING } from '../document/missing.ts';
import { recordWith } from '../document/record.ts';
import { mockPages } from '../preview/mock-page.ts';
import { themeVariables } from '../preview/theme-style.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Change, ThemeChange } from '../changes/differences.ts';
import { audienceLine, kindLine, slugOf } from './format-text.ts';
import type { DiffReport } from './report.ts';
import { type ImagePlace, placeOf, type SiteState } from '../changes/site-state.ts';

/** The variables and sizes of a theme, for the mock pages and images of its section. */
export function mockStyles({ before, after }: ThemeChange, at: number): string[] {
  return ([before, after] as const).flatMap((theme, side) => {
    if (theme === undefined) return [];
    const properties = themeVariables(recordWith(theme, () => '')).map(([name, value]) => `${name}: ${value};`);
    const { logo_height: height, compact_logo_size: compact } = theme.settings;
    return [
      `.m${at}-${side} .screen { ${properties.join(' ')} }`,
      `.m${at}-${side} .logo-size { height: ${height}px; }`,
      `.m${at}-${side} .compact-size { height: ${compact}px; }`,
    ];
  });
}

/** What changes in a theme, with its images and, if they fit, its mock pages. */
export function themeSection(
  theme: ThemeChange,
  { before, after }: DiffReport,
  images: ReadonlyMap<string, string>,
  withMock: boolean,
  at: number,
): Markup {
  const state = theme.after ?? theme.before;
  const kind = theme.kind === 'renamed' ? kindLine(theme) : theme.kind === 'changed' ? [] : [theme.kind];
  const about = [`id ${state?.id}`, ...kind, audienceLine(theme) ?? ''];
  const colours = theme.changes.filter(({ kind }) => kind === 'colour');
  const settings = theme.changes.filter(({ kind }) => kind === 'setting');
  const isVisible =
    theme.kind === 'new' ||
    theme.changes.some(({ what, isReencoded }) => what !== 'is_default' && isReencoded !== true);
  const pictures = theme.changes.filter(({ kind }) => kind === 'image');
  return markup`<section><h2>${state?.name ?? ''} <small><code>${slugOf(theme)}</code> · ${about.filter((part) => part !== '').join(' · ')}</small></h2>
${pictures.map((change) => imagePair(change, images, at))}
${colours.length === 0 ? '' : markup`<h3>Palette</h3><div class="sides">${swatches('before', theme.before, colours)}${swatches('after', theme.after, colours)}</div><ul>${colours.map(row)}</ul>`}
${settings.length === 0 ? '' : markup`<h3>Settings</h3><ul>${settings.map(row)}</ul>`}
${withMock && isVisible && images.size > 0 ? mocks(theme, { before, after }, images, at) : ''}
</section>`;
}

function row(change: Change): Markup {
  return markup`<li><code>${change.what}</code>: ${change.before} → ${change.after}${remarks(change)}</li>`;
}

function remarks({ remark, heirs, notices }: Change): Markup {
  const plain = [
    ...(remark === undefined ? [] : [remark]),
    ...(heirs.length === 0
      ? []
      : [`also in ${heirs.slice(0, 5).join(', ')}${heirs.length > 5 ? ` and ${heirs.length - 5} more` : ''}`]),
  ];
  return markup`${plain.map((text) => markup` · ${text}`)}${notices.map((notice) => markup` <b class="bad">${notice}</b>`)}`;
}

function imagePair(change: Change, images: ReadonlyMap<string, string>, at: number): Markup {
  const { what, images: places, before, after } = change;
  const [field = ''] = what.split(', ');
  const size = field.startsWith('compact_logo') ? 'compact-size' : /^logo(?:_inverse)?$/.test(field) ? 'logo-size' : '';
  const side = (name: string, placed: ImagePlace | undefined, text: string, index: number): Markup => {
    const url = placed === undefined || 'url' in placed ? undefined : images.get(placed.sha256);
    const image =
      url === undefined
        ? markup`<span>no image here</span>`
        : markup`<img class="${size}" alt="${what}, ${name}" src="${url}">`;
    return markup`<figure class="m${at}-${index}"><figcaption><b>${name}</b> ${text}</figcaption><div class="pair"><div class="ground light">${image}</div><div class="ground dark">${image}</div></div></figure>`;
  };
  return markup`<h3><code>${what}</code>${remarks(change)}</h3>
<div class="sides">${side('before', places?.before, before, 0)}${side('after', places?.after, after, 1)}</div>`;
}

/** The nine colours, those that change outlined on both sides. */
function swatches(name: string, theme: Theme | undefined, changed: readonly Change[]): Markup {
  const colours = (theme?.palette_preview ?? []).map((colour, at) => {
    const isChanged = changed.some(({ what }) => what === `palette ${at + 1}`);
    const outline = isChanged
      ? markup`<rect x="6" y="6" width="88" height="88" fill="none" stroke="#fff" stroke-width="12"/><rect x="6" y="6" width="88" height="88" fill="none" stroke="#000" stroke-width="5"/>`
      : '';
    return markup`<svg role="img" viewBox="0 0 100 100" preserveAspectRatio="none"><title>${at + 1}: ${colour}${isChanged ? ', changes' : ''}</title><rect width="100" height="100" fill="${colour}"/>${outline}</svg>`;
  });
  return markup`<figure><figcaption><b>${name}</b></figcaption><div class="swatches">${colours}</div></figure>`;
}

function mocks(
  theme: ThemeChange,
  { before, after }: { before: SiteState; after: SiteState },
  images: ReadonlyMap<string, string>,
  at: number,
): Markup {
  const side = (state: SiteState, one: Theme | undefined, index: number): Markup | string => {
    if (one === undefined) return '';
    const record = recordWith(one, (field) => {
      const place = placeOf(state, one.images[field]);
      return place === undefined || 'url' in place ? '' : (images.get(place.sha256) ?? '');
    });
    const name = index === 0 ? 'Before' : 'After';
    return markup`<div class="m${at}-${index}"><h3>${name}</h3>${mockPages({ record, missing: NOTHING_MISSING }, `${one.name} ${name.toLowerCase()}: `)}</div>`;
  };
  return markup`<details><summary>In a community page, before and after</summary><div class="both">${side(before, theme.before, 0)}${side(after, theme.after, 1)}</div></details>`;
}
