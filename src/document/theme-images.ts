import { count } from '../diagnostics/quote.ts';
import type { ImageSetField, PictureField } from '../theme/fields.ts';
import { fileSize } from './file-size.ts';
import { type Markup, markup } from './html.ts';
import { chosenLogo, LOGO_CHOICES, type LogoField } from './logo-choice.ts';
import type { FileSizes } from './media.ts';
import { link } from './pretty-json.ts';
import type { ThemeRecord } from './record.ts';

/** Tallest logo that is shown at full height, in pixels; settings may be up to 2000. */
const LOGO_CAP = 160;
/** Site logos are up to 250 pixels high: shown at the height of the tallest logo. */
const SITE_LOGO_SIZE = LOGO_CAP;

/**
 * Everything that a theme shows, from its logos to its palette, and its settings.
 * @param level - of the headings
 */
export function themePictures(theme: ThemeRecord, sizes: FileSizes, level: 3 | 4): Markup {
  const heading = (text: string) => markup`<h${level}>${text}</h${level}>`;
  const shown: Shown = { theme, sizes };
  return markup`${heading('Logos')}
<div class="figures">
${(['logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'] as const).map((field) => logo(shown, field))}</div>
${settings(theme)}
${heading('Site logo and favicon')}
<div class="figures">
${onGrounds(shown, 'logo_site', theme.logo_site.thumbnail, SITE_LOGO_SIZE, SITE_LOGO_SIZE)}${onGrounds(shown, 'favicon', theme.favicon, 32, 32)}</div>
${heading('Banners')}
<div class="figures banners">
${(['default_group_banner', 'default_event_banner', 'default_user_profile_banner'] as const).map((field) => banner(shown, field))}</div>
${heading('Palette')}
${palette(theme.palette_preview)}`;
}

/** How many files a theme has, and their size. A file that several fields name counts once, one without a size not at all. */
export function totalSize(theme: ThemeRecord, sizes: FileSizes): string {
  const urls = Object.values(theme).flatMap((value: unknown) =>
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null && 'original' in value
        ? (Object.values(value) as string[])
        : [],
  );
  const known = [...new Set(urls)].flatMap((url) => sizes.get(url) ?? []);
  const bytes = known.reduce((sum, size) => sum + size, 0);
  return known.length === 0 ? '' : `${count(known.length, 'file')}, ${fileSize(bytes)}`;
}

type ShownField = PictureField | ImageSetField;
interface Shown {
  theme: ThemeRecord;
  sizes: FileSizes;
}

function logo(shown: Shown, field: LogoField): Markup {
  const { theme } = shown;
  const modes = LOGO_CHOICES.filter((choice) => chosenLogo(theme, choice) === field).map(({ mode }) => mode);
  const compact = field.startsWith('compact');
  const height = Math.min(compact ? theme.compact_logo_size : theme.logo_height, LOGO_CAP);
  return onGrounds(shown, field, theme[field], compact ? height : undefined, height, modes);
}

function onGrounds(
  shown: Shown,
  field: ShownField,
  url: string,
  width: number | undefined,
  height: number,
  modes: readonly string[] = [],
): Markup {
  const grounds = ['light', 'dark'].map((ground) => {
    const used = modes.includes(ground) ? markup`<p class="used">used in ${ground} mode</p>` : '';
    const image = picture(url, `${shown.theme.name}: ${field} on ${ground} ground`, width, height);
    return markup`<div class="ground ${ground}">${image}${used}</div>\n`;
  });
  return markup`<figure>\n<div class="pair">\n${grounds}</div>\n${caption(shown, field)}\n</figure>\n`;
}

function banner(shown: Shown, field: ImageSetField): Markup {
  const { original, thumbnail } = shown.theme[field];
  const image = picture(thumbnail, `${shown.theme.name}: ${field}`, 640, 360);
  return markup`<figure>\n${link(original, image)}\n${caption(shown, field)}\n</figure>\n`;
}

/** Names the field, and how large its files are; its links lead to them. */
function caption({ theme, sizes }: Shown, field: ShownField): Markup {
  const size = (url: string) => (sizes.has(url) ? ` ${fileSize(sizes.get(url) ?? 0)}` : '');
  const value = theme[field];
  if (typeof value === 'string')
    return markup`<figcaption><code>${link(value, field)}</code><span>${size(value)}</span></figcaption>`;
  const files = (['original', 'thumbnail'] as const).map(
    (part) => markup` <span>${link(value[part], part)}${size(value[part])}</span>`,
  );
  return markup`<figcaption><code>${field}</code>${files}</figcaption>`;
}

/** @param width - left out where the shape of the picture gives it */
export function picture(url: string, alt: string, width: number | undefined, height: number): Markup {
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
