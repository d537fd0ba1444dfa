import {
  type AnyImageField,
  FIELDS,
  fieldsWhere,
  type FieldsWhere,
  type ImageSetField,
} from '../../theme/fields/fields.ts';
import { escapeText, Markup, markup } from './html.ts';
import { chosenLogo, LOGO_CHOICES } from '../logo-choice.ts';
import { link } from './pretty-json.ts';
import type { ThemeRecord } from '../record.ts';

/** Maximum height of a logo on the page, in pixels. Settings may be up to 2000, and logos of the site are up to 250 high. */
const MAX_LOGO_HEIGHT = 160;

const LOGOS = fieldsWhere({ page: 'logos' });
const BANNERS = fieldsWhere({ page: 'banners' });

/** Returns the images and the palette of a theme. */
export function themeImages(theme: ThemeRecord): Markup {
  const { favicon, logo_site } = theme;
  return markup`<h4>Logos</h4>
<div class="figures">
${LOGOS.map((field) => logo(theme, field))}</div>
<h4>Site logo and favicon</h4>
<div class="figures">
${onBothBackgrounds(theme, 'logo_site', logo_site.thumbnail, MAX_LOGO_HEIGHT, MAX_LOGO_HEIGHT)}${onBothBackgrounds(theme, 'favicon', favicon, 32, 32)}</div>
<h4>Banners</h4>
<div class="figures banners">
${BANNERS.map((field) => banner(theme, field))}</div>
<h4>Palette</h4>
${palette(theme)}`;
}

function logo(theme: ThemeRecord, field: FieldsWhere<{ page: 'logos' }>): Markup {
  const modes = LOGO_CHOICES.filter((choice) => chosenLogo(theme, choice) === field).map(({ mode }) => mode);
  const setting = FIELDS[field].height;
  const height = Math.min(theme[setting], MAX_LOGO_HEIGHT);
  const width = setting === 'compact_logo_size' ? height : undefined;
  return onBothBackgrounds(theme, field, theme[field], width, height, modes);
}

function onBothBackgrounds(
  theme: ThemeRecord,
  field: AnyImageField,
  url: string,
  width: number | undefined,
  height: number,
  modes: readonly string[] = [],
): Markup {
  // Escaped once, not again for each mode.
  const [drawn, name] = [new Markup(escapeText(url)), new Markup(escapeText(theme.name))];
  const backgrounds = ['light', 'dark'].map((mode) => {
    const used = modes.includes(mode) ? markup`<p class="used">used in ${mode} mode</p>` : '';
    const alt = markup`${name}: ${field} on a ${mode} background`;
    return markup`<div class="ground ${mode}">${image(drawn, alt, width, height)}${used}</div>\n`;
  });
  return markup`<figure>\n<div class="pair">\n${backgrounds}</div>\n${caption(theme, field)}\n</figure>\n`;
}

function banner(theme: ThemeRecord, field: ImageSetField): Markup {
  const { original, thumbnail } = theme[field];
  const drawn = image(thumbnail, `${theme.name}: ${field}`, 640, 360);
  return markup`<figure>\n${link(original, drawn)}\n${caption(theme, field)}\n</figure>\n`;
}

/** Returns the name of the field, with links to its files. */
function caption(theme: ThemeRecord, field: AnyImageField): Markup {
  const value = theme[field];
  return typeof value === 'string'
    ? markup`<figcaption><code>${link(value, field)}</code></figcaption>`
    : markup`<figcaption><code>${field}</code> ${link(value.original, 'original')} ${link(value.thumbnail, 'thumbnail')}</figcaption>`;
}

/** Returns an image. @param width - absent if the aspect ratio of the image determines it */
export function image(url: string | Markup, alt: string | Markup, width: number | undefined, height: number): Markup {
  const size = markup`${width === undefined ? '' : markup` width="${width}"`} height="${height}"`;
  return markup`<img src="${url}" alt="${alt}"${size} loading="lazy" decoding="async">`;
}

/** Returns the palette. The Content-Security-Policy forbids style attributes, so the swatches are drawn. */
function palette({ palette_preview: colours }: ThemeRecord): Markup {
  const swatch = (colour: string) =>
    markup`<svg aria-hidden="true"><rect width="100%" height="100%" fill="${colour}"/></svg>`;
  const items = colours.map((colour) => markup`<li>${swatch(colour)}<code>${colour}</code></li>\n`);
  return items.length === 0 ? markup`` : markup`<ul class="palette">\n${items}</ul>`;
}
