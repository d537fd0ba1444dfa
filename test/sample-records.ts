import type { ThemeRecord } from '../src/document/record.ts';
import { type Site, SITE_DEFAULTS } from '../src/theme/site.ts';

export const BASE = 'https://example.org/community';
export const PALETTE = [0, 40, 80, 120, 160, 200, 240, 280, 320].map((hue) => `hsl(${hue},45%,50%)`);

/** Texts that break out of markup, JSON or the reading direction wherever possible. */
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

/** The settings of a site. */
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

/** A record of the list with every field. */
export function theme(id: number, changes: Partial<ThemeRecord> = {}): ThemeRecord {
  const url = (file: string) => `${BASE}/media/theme-${id}/${file}`;
  const set = (stem: string) => ({ original: url(`${stem}.0a.png`), thumbnail: url(`${stem}.0a-thumbnail.jpg`) });
  return {
    id,
    name: `Theme ${id}`,
    favicon: url('favicon.png'),
    logo: url('logo.svg'),
    logo_inverse: url('logo-inverse.svg'),
    compact_logo: url('compact.svg'),
    compact_logo_inverse: url('compact-inverse.svg'),
    logo_site: set('logo-site'),
    light_mode_logo_type: 'NORMAL',
    dark_mode_logo_type: 'INVERSE',
    logo_alignment: 'center',
    logo_height: 36,
    logo_margin_left: 3,
    logo_margin_top: 4,
    compact_light_mode_logo_type: 'NORMAL',
    compact_dark_mode_logo_type: 'INVERSE',
    compact_logo_size: 28,
    default_group_banner: set('group'),
    default_event_banner: set('event'),
    default_user_profile_banner: set('user'),
    is_default: id === 1,
    palette_preview: [...PALETTE],
    ...changes,
  };
}
