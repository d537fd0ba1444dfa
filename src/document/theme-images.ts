import { count } from '../diagnostics/quote.ts';
import {
  type AnyImageField,
  FIELDS,
  fieldsWhere,
  type FieldsWhere,
  type ImageSetField,
  ROWS,
  SETTING_FIELDS,
  type SettingField,
} from '../theme/fields.ts';
import { fileSize } from './file-size.ts';
import { type Markup, markup } from './html.ts';
import { chosenLogo, LOGO_CHOICES } from './logo-choice.ts';
import { type FileSizes, imageUrls } from './media.ts';
import { link } from './pretty-json.ts';
import type { ThemeRecord } from './record.ts';

/** Maximum height of a logo on the page, in pixels; settings may be up to 2000. */
const MAX_LOGO_HEIGHT = 160;
/** Site logos are up to 250 pixels high; the page shows them at the height of the tallest logo. */
const SITE_LOGO_SIZE = MAX_LOGO_HEIGHT;

type LogoField = FieldsWhere<{ page: 'logos' }>;
type IconField = FieldsWhere<{ page: 'icons' }>;
const LOGOS = fieldsWhere({ page: 'logos' });
/** The larger ones first. */
const ICONS: readonly IconField[] = [
  ...fieldsWhere({ page: 'icons', kind: 'image_set' }),
  ...fieldsWhere({ page: 'icons', kind: 'image' }),
];
const BANNERS = fieldsWhere({ page: 'banners' });

/** The images, the palette and the settings of a theme. */
export function themeImages(theme: ThemeRecord, sizes: FileSizes): Markup {
  const shown: Shown = { theme, sizes };
  return markup`<h4>Logos</h4>
<div class="figures">
${LOGOS.map((field) => logo(shown, field))}</div>
${settings(shown)}
<h4>Site logo and favicon</h4>
<div class="figures">
${ICONS.map((field) => icon(shown, field))}</div>
<h4>Banners</h4>
<div class="figures banners">
${BANNERS.map((field) => banner(shown, field))}</div>
<h4>Palette</h4>
${palette(shown)}`;
}

/** How many files a theme has, and their size. A file that several fields name counts once; a file without a known size does not count. */
export function totalSize(theme: ThemeRecord, sizes: FileSizes): string {
  const known = [...new Set(imageUrls(theme))].flatMap((url) => sizes.get(url) ?? []);
  const bytes = known.reduce((sum, size) => sum + size, 0);
  return known.length === 0 ? '' : `${count(known.length, 'file')}, ${fileSize(bytes)}`;
}

interface Shown {
  theme: ThemeRecord;
  sizes: FileSizes;
}

function logo(shown: Shown, field: LogoField): Markup {
  const { theme } = shown;
  const modes = LOGO_CHOICES.filter((choice) => chosenLogo(theme, choice) === field).map(({ mode }) => mode);
  const setting = FIELDS[field].height;
  const height = Math.min(theme[setting], MAX_LOGO_HEIGHT);
  return onBothBackgrounds(
    shown,
    field,
    theme[field],
    setting === 'compact_logo_size' ? height : undefined,
    height,
    modes,
  );
}

function icon(shown: Shown, field: IconField): Markup {
  const value = shown.theme[field];
  if (typeof value === 'string') return onBothBackgrounds(shown, field, value, 32, 32);
  return onBothBackgrounds(shown, field, value.thumbnail, SITE_LOGO_SIZE, SITE_LOGO_SIZE);
}

function onBothBackgrounds(
  shown: Shown,
  field: AnyImageField,
  url: string,
  width: number | undefined,
  height: number,
  modes: readonly string[] = [],
): Markup {
  const backgrounds = ['light', 'dark'].map((mode) => {
    const used = modes.includes(mode) ? markup`<p class="used">used in ${mode} mode</p>` : '';
    const alt = `${shown.theme.name}: ${field} on a ${mode} background`;
    return markup`<div class="ground ${mode}">${image(url, alt, width, height)}${used}</div>\n`;
  });
  return markup`<figure>\n<div class="pair">\n${backgrounds}</div>\n${caption(shown, field)}\n</figure>\n`;
}

function banner(shown: Shown, field: ImageSetField): Markup {
  const { original, thumbnail } = shown.theme[field];
  const drawn = image(thumbnail, `${shown.theme.name}: ${field}`, 640, 360);
  return markup`<figure>\n${link(original, drawn)}\n${caption(shown, field)}\n</figure>\n`;
}

/** The name of the field and the sizes of its files, with links to them. */
function caption({ theme, sizes }: Shown, field: AnyImageField): Markup {
  const size = (url: string) => (sizes.has(url) ? ` ${fileSize(sizes.get(url) ?? 0)}` : '');
  const value = theme[field];
  if (typeof value === 'string')
    return markup`<figcaption><code>${link(value, field)}</code><span>${size(value)}</span></figcaption>`;
  const files = (['original', 'thumbnail'] as const).map(
    (part) => markup` <span>${link(value[part], part)}${size(value[part])}</span>`,
  );
  return markup`<figcaption><code>${field}</code>${files}</figcaption>`;
}

/** @param width - absent if the aspect ratio of the image determines it */
export function image(url: string, alt: string, width: number | undefined, height: number): Markup {
  const size = markup`${width === undefined ? '' : markup` width="${width}"`} height="${height}"`;
  return markup`<img src="${url}" alt="${alt}"${size} loading="lazy" decoding="async">`;
}

function settings({ theme }: Shown): Markup {
  const choices = LOGO_CHOICES.map((choice): [SettingField, string] => [
    choice.field,
    `${theme[choice.field]} → ${chosenLogo(theme, choice)}`,
  ]);
  const others = SETTING_FIELDS.flatMap((field): [SettingField, string][] => {
    if (choices.some(([shown]) => shown === field)) return [];
    const row = ROWS[field];
    const isLength = row.kind === 'setting' && row.type === 'pixels';
    return [[field, `${theme[field]}${isLength ? ' px' : ''}`]];
  });
  const items = [...choices, ...others].map(
    ([field, value]) => markup`<div><dt><code>${field}</code></dt><dd>${value}</dd></div>\n`,
  );
  return markup`<dl class="settings">\n${items}</dl>`;
}

/** The Content-Security-Policy forbids style attributes, so the swatches are drawn. */
function palette({ theme: { palette_preview: colours } }: Shown): Markup {
  const swatch = (colour: string) =>
    markup`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${colour}"/></svg>`;
  const items = colours.map((colour) => markup`<li>${swatch(colour)}<code>${colour}</code></li>\n`);
  return items.length === 0 ? markup`` : markup`<ul class="palette">\n${items}</ul>`;
}
