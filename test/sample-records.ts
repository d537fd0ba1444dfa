import type { ImageSet, ThemeRecord } from '../src/core/document/record.ts';
import {
  IMAGE_FIELDS,
  IMAGE_SET_FIELDS,
  type ImageField,
  type ImageSetField,
  SETTING_DEFAULTS,
} from '../src/core/theme/fields/fields.ts';
import { type Site, SITE_DEFAULTS } from '../src/core/theme/site/site.ts';

export const BASE = 'https://example.org/community';
export const PALETTE = [0, 40, 80, 120, 160, 200, 240, 280, 320].map((hue) => `hsl(${hue},45%,50%)`);

/** Texts that try to break out of markup, JSON or the reading direction. */
export const HOSTILE = [
  '</title><script>alert(1)</script>',
  `"' onload=alert(1) style=color:red x="`,
  '`${1}` $& \\" \\u003c',
  '\u202egnp.evil\u2066\u200f',
  '&lt;b&gt; &amp; <b>',
  '<!-- --> ]]> </pre></style>',
  'javascript:alert(1)',
  '"https://evil.example/" onclick="x',
  'foo "https://evil.example',
  '": "https://evil.example",',
  '\u0000\u001b\u2028\ud800',
];

/** Returns the settings of a site. */
export const site = (changes: Partial<Site> = {}): Site => ({
  ...SITE_DEFAULTS,
  base_url: BASE,
  media_url: `${BASE}/media`,
  identity: [
    { names: 'user', credential: { from: 'cookie', name: 'uid' } },
    { names: 'user', credential: { from: 'header', name: 'X-User', proxies: ['10.0.0.1'] } },
  ],
  ...changes,
});

/** Returns a record of the list with every field. */
export function theme(id: number, changes: Partial<ThemeRecord> = {}): ThemeRecord {
  const url = (file: string) => `${BASE}/media/theme-${id}/${file}`;
  const set = (stem: string) => ({ original: url(`${stem}.0a.png`), thumbnail: url(`${stem}.0a-thumbnail.jpg`) });
  const images = Object.fromEntries(
    IMAGE_FIELDS.map((field) => [field, url(`${field.replaceAll('_', '-')}.${field === 'favicon' ? 'png' : 'svg'}`)]),
  );
  const sets = Object.fromEntries(IMAGE_SET_FIELDS.map((field) => [field, set(field.replaceAll('_', '-'))]));
  return {
    id,
    name: `Theme ${id}`,
    ...(images as Record<ImageField, string>),
    ...(sets as Record<ImageSetField, ImageSet>),
    ...SETTING_DEFAULTS,
    logo_alignment: 'center',
    logo_height: 36,
    logo_margin_left: 3,
    logo_margin_top: 4,
    compact_logo_size: 28,
    is_default: id === 1,
    palette_preview: [...PALETTE],
    ...changes,
  };
}
