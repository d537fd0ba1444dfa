import { jsonText } from '../../core/diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../core/document/page/html.ts';
import { NOTHING_MISSING } from '../../core/document/page/missing.ts';
import { recordWith } from '../../core/document/record.ts';
import { mockPages } from '../../core/document/preview/mock-page.ts';
import { screenStyle } from '../../core/document/stylesheet.ts';
import type { Look } from '../../core/document/variables.ts';
import {
  ANY_IMAGE_FIELDS,
  type AnyImageField,
  fieldsWhere,
  LABELS,
  type Palette,
  PALETTES,
  ROWS,
} from '../../core/theme/fields/fields.ts';
import type { Theme } from '../../core/theme/resolve.ts';
import { PALETTE_NAMES, type ThemeChange, writtenColours } from '../changes/differences.ts';
import { type DiffReport, type ReportLine, successorOf } from './report.ts';
import { type ImagePlace, placeOf } from '../changes/site-state.ts';

const SIDES = ['before', 'after'] as const;
type Side = (typeof SIDES)[number];
type Images = ReadonlyMap<string, string>;
const BANNERS: ReadonlySet<AnyImageField> = new Set(fieldsWhere({ page: 'banners' }));

/** Returns the theme on a side of a change; after a removal, the theme that the users get instead. */
function lookOn(side: Side, change: ThemeChange, report: DiffReport, images?: Images): Look | undefined {
  const theme = change[side] ?? (side === 'after' ? successorOf(report, change) : undefined);
  if (theme === undefined) return undefined;
  const record = recordWith(theme, (field) => urlOf(placeOf(report[side], theme.images[field]), images) ?? '');
  return { record, palette_dark: theme.palette_dark };
}

function urlOf(place: ImagePlace | undefined, images: Images | undefined): string | undefined {
  return place === undefined || 'url' in place ? undefined : images?.get(place.sha256);
}

/** Returns the CSS variables of a theme on both sides, for its mock pages. */
export function mockStyle(change: ThemeChange, report: DiffReport, at: number): string {
  return SIDES.map((side) => {
    const look = lookOn(side, change, report);
    return look === undefined ? '' : screenStyle(look, report[side].site, `.${side}-${at} `);
  }).join('');
}

/** Returns pictures of the changes on both sides; for a new or removed theme, of all images and colours. */
export function themePictures(
  theme: ThemeChange,
  rows: readonly ReportLine[],
  report: DiffReport,
  images: Images,
): Markup {
  if (theme.before === undefined) return portrait(theme, 'after', report, images);
  if (theme.after === undefined) return portrait(theme, 'before', report, images);
  return markup`${rows.map((row) => imagePair(row, theme, images))}${PALETTES.map((palette) => palettePair(palette, theme, report))}`;
}

/** Returns the logos of a theme, each file once, then its banners and its palette. */
function portrait(change: ThemeChange, side: Side, report: DiffReport, images: Images): Markup {
  const theme = change[side];
  if (theme === undefined) return markup``;
  const fields = new Map<string, { place: ImagePlace | undefined; fields: AnyImageField[] }>();
  for (const field of ANY_IMAGE_FIELDS) {
    const place = placeOf(report[side], theme.images[field]);
    const key = `${BANNERS.has(field)} ${jsonText(place)}`;
    fields.set(key, { place, fields: [...(fields.get(key)?.fields ?? []), field] });
  }
  const [logos, banners] = [false, true].map((isBanner) =>
    [...fields.values()].flatMap(({ place, fields: names }) => {
      const [field] = names;
      if (field === undefined || BANNERS.has(field) !== isBanner) return [];
      const caption = names.map((name) => LABELS[name]).join(', ');
      return figure(field, theme, urlOf(place, images), markup`${caption}`, caption);
    }),
  );
  const palettes = PALETTES.flatMap((palette) => {
    const colours = writtenColours(report[side], theme, palette);
    const caption = markup`<span class="codes">${colours.map((colour) => markup`<code>${colour}</code> `)}</span>`;
    return theme[palette] === undefined ? [] : strip(theme, palette, colours, caption);
  });
  return markup`<h3>Logos</h3><div class="figures portrait">${logos ?? ''}</div><h3>Banners</h3><div class="figures banners">${banners ?? ''}</div><h3>Palette</h3><div class="figures">${palettes}</div>`;
}

function imagePair({ code, values, images: places, text }: ReportLine, theme: ThemeChange, images: Images): Markup {
  if (places === undefined) return markup``;
  const field = code.split(', ')[0] as AnyImageField;
  const figures = SIDES.map((side, at) => {
    const caption = markup`<b>${side}</b> <code>${values?.[at] ?? ''}</code>`;
    return figure(field, theme[side], urlOf(places[side], images), caption, `${code}, ${side}`);
  });
  return markup`<h3><code>${code}</code> ${prose(text)}</h3><div class="figures">${figures}</div>`;
}

/** Returns a figure: a banner, or a logo at its configured height on a light and a dark background. */
function figure(
  field: AnyImageField,
  theme: Theme | undefined,
  url: string | undefined,
  caption: Markup,
  alt: string,
): Markup {
  const row = ROWS[field];
  const height = 'height' in row ? markup` height="${theme?.settings[row.height] ?? ''}"` : '';
  const image =
    url === undefined ? markup`<span>no image here</span>` : markup`<img alt="${alt}" src="${url}"${height}>`;
  const content = BANNERS.has(field)
    ? markup`<div class="photo">${image}</div>`
    : markup`<div class="pair"><div class="ground light">${image}</div><div class="ground dark">${image}</div></div>`;
  return markup`<figure>${content}<figcaption>${caption}</figcaption></figure>`;
}

/** Returns the nine colours on both sides, with the changed ones outlined. */
function palettePair(palette: Palette, change: ThemeChange, report: DiffReport): Markup {
  const name = PALETTE_NAMES[palette];
  const changed = change.changes.flatMap(({ kind, what }) =>
    kind === 'colour' && what.startsWith(`${name} `) ? [Number(what.slice(name.length))] : [],
  );
  if (changed.length === 0) return markup``;
  const strips = SIDES.flatMap((side) => {
    const theme = change[side];
    const colours = theme && writtenColours(report[side], theme, palette);
    return theme && colours ? strip(theme, palette, colours, markup`<b>${side}</b>`, changed) : [];
  });
  return markup`<h3>${name.charAt(0).toUpperCase()}${name.slice(1)}</h3><div class="figures">${strips}</div>`;
}

/** Returns the nine colours of a theme, with the changed ones outlined. @param colours - in the author's spelling */
function strip(
  theme: Theme,
  palette: Palette,
  colours: readonly string[],
  caption: Markup,
  changed: readonly number[] = [],
): Markup {
  const swatches = (theme[palette] ?? theme.palette_preview).map((colour, at) => {
    const outline = changed.includes(at + 1)
      ? markup`<rect x="6" y="6" width="88" height="88" fill="none" stroke="#fff" stroke-width="12"/><rect x="6" y="6" width="88" height="88" fill="none" stroke="#000" stroke-width="5"/>`
      : '';
    return markup`<svg role="img" viewBox="0 0 100 100" preserveAspectRatio="none"><title>${at + 1}: ${colours[at] ?? colour}</title><rect width="100" height="100" fill="${colour}"/>${outline}</svg>`;
  });
  return markup`<figure><div class="strip">${swatches}</div><figcaption>${caption}</figcaption></figure>`;
}

/** Returns a mock community page in the themes of both sides. */
export function mocks(change: ThemeChange, report: DiffReport, images: Images, at: number): Markup {
  const pages = SIDES.map((side) => {
    const look = lookOn(side, change, report, images);
    if (look === undefined) return '';
    const { record } = look;
    const title = change[side] === undefined ? `${side}: ${record.name}` : side;
    return markup`<div class="${side}-${at}"><h3>${title}</h3>${mockPages({ ...look, missing: NOTHING_MISSING }, `${record.name} ${side}: `)}</div>`;
  });
  return markup`<details><summary>In a community page</summary><div class="both">${pages}</div></details>`;
}
