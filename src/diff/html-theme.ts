import { type Markup, markup } from '../document/html.ts';
import { NOTHING_MISSING } from '../document/missing.ts';
import { recordWith } from '../document/record.ts';
import { mockPages } from '../preview/mock-page.ts';
import { themeStyle } from '../preview/theme-style.ts';
import { type AnyImageField, ROWS } from '../theme/fields.ts';
import type { Theme } from '../theme/resolve.ts';
import type { Change, ThemeChange } from '../changes/differences.ts';
import type { DiffReport } from './report.ts';
import { placeOf } from '../changes/site-state.ts';

const SIDES = ['before', 'after'] as const;
type Images = ReadonlyMap<string, string>;

/** The variables of a theme on both sides, for its mock pages. */
export function mockStyle(change: ThemeChange, at: number): string {
  const style = (side: (typeof SIDES)[number]): string => {
    const theme = change[side];
    return theme === undefined
      ? ''
      : themeStyle(
          recordWith(theme, () => ''),
          `.${side}-${at} `,
        );
  };
  return SIDES.map(style).join('');
}

/** What changes in a theme, as it looks: images on light and dark at their configured height, the palette, the mock pages. */
export function themePictures(theme: ThemeChange, report: DiffReport, images: Images, at: number): Markup {
  const ofImages = theme.changes.filter(({ kind }) => kind === 'image');
  const colours = theme.changes.flatMap(({ kind, what }) => (kind === 'colour' ? [what] : []));
  const palette = SIDES.map((side) => swatches(side, theme[side], colours));
  return markup`${ofImages.map((change) => imagePair(change, theme, images))}${colours.length === 0 ? '' : markup`<h3>Palette</h3><div class="figures">${palette}</div>`}${mocks(theme, report, images, at)}`;
}

function imagePair({ what, images: places, ...change }: Change, theme: ThemeChange, images: Images): Markup {
  const row = ROWS[what.split(', ')[0] as AnyImageField];
  const figures = SIDES.map((side) => {
    const place = places?.[side];
    const url = place === undefined || 'url' in place ? undefined : images.get(place.sha256);
    const height = 'height' in row ? markup` height="${theme[side]?.settings[row.height] ?? ''}"` : '';
    const image =
      url === undefined
        ? markup`<span>no image here</span>`
        : markup`<img alt="${what}, ${side}" src="${url}"${height}>`;
    return markup`<figure><div class="pair"><div class="ground light">${image}</div><div class="ground dark">${image}</div></div><figcaption><b>${side}</b> <code>${change[side]}</code></figcaption></figure>`;
  });
  return markup`<h3><code>${what}</code></h3><div class="figures">${figures}</div>`;
}

/** The nine colours, those that change outlined on both sides. */
function swatches(side: string, theme: Theme | undefined, changed: readonly string[]): Markup {
  const colours = (theme?.palette_preview ?? []).map((colour, at) => {
    const outline = changed.includes(`palette ${at + 1}`)
      ? markup`<rect x="6" y="6" width="88" height="88" fill="none" stroke="#fff" stroke-width="12"/><rect x="6" y="6" width="88" height="88" fill="none" stroke="#000" stroke-width="5"/>`
      : '';
    return markup`<svg role="img" viewBox="0 0 100 100" preserveAspectRatio="none"><title>${at + 1}: ${colour}</title><rect width="100" height="100" fill="${colour}"/>${outline}</svg>`;
  });
  return markup`<figure><div class="swatches">${colours}</div><figcaption><b>${side}</b></figcaption></figure>`;
}

function mocks(change: ThemeChange, report: DiffReport, images: Images, at: number): Markup {
  const pages = SIDES.map((side) => {
    const theme = change[side];
    if (theme === undefined) return '';
    const record = recordWith(theme, (field) => {
      const place = placeOf(report[side], theme.images[field]);
      return place === undefined || 'url' in place ? '' : (images.get(place.sha256) ?? '');
    });
    return markup`<div class="${side}-${at}"><h3>${side}</h3>${mockPages({ record, missing: NOTHING_MISSING }, `${theme.name} ${side}: `)}</div>`;
  });
  return markup`<details><summary>In a community page, before and after</summary><div class="both">${pages}</div></details>`;
}
