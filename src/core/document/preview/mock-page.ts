import { type Markup, markup } from '../page/html.ts';
import { type LogoChoice, logoOf, type Mode } from '../logo-choice.ts';
import { type Missing, missingBox } from '../page/missing.ts';
import type { Look } from '../variables.ts';
import { type AnyImageField, FIELDS, fieldsWhere, LABELS, SETTING_FIELDS } from '../../theme/fields/fields.ts';

interface PreviewTheme extends Look {
  /** The fields that the theme lacks; the record is blank there. */
  missing: Missing;
}

export const MODES = ['light', 'dark'] as const;
/** The alignments that the mock page implements; a site may allow others. */
const ALIGNMENTS = ['left', 'center', 'right'] as const;

/**
 * Returns a sample community page in the theme, in light and dark mode. It adapts to its width, down to a phone. Sizes, margins and
 * colours are from `screenStyle`. `data-field` lists the fields that affect an element, first the field to edit.
 * @param prefix - text before the name of each screen, if a page has several themes
 */
export function mockPages(theme: PreviewTheme, prefix = ''): Markup {
  const { record, missing } = theme;
  const logos = MODES.flatMap((mode) => [logoOf(record, mode, 'logo'), logoOf(record, mode, 'compact_logo')]);
  const drawn = new Set<string>([...logos, 'favicon', 'logo_site', ...fieldsWhere({ page: 'banners' })]);
  const boxes = [...missing.keys()].flatMap((field) => (drawn.has(field) ? [] : (missingBox(field, missing) ?? [])));
  const unknown = ALIGNMENTS.some((alignment) => alignment === record.logo_alignment)
    ? undefined
    : record.logo_alignment;
  return markup`${boxes.length === 0 ? '' : markup`<p class="lacks">${boxes}</p>\n`}<div class="screens">
${MODES.map((mode) => screen(theme, mode, prefix))}</div>
<p class="about">Sample page. Your site decides the layout and where each colour appears.${unknown === undefined ? '' : ` The position “${unknown}” has no preview: shown as left.`}</p>
`;
}

function screen({ record, missing, palette_dark }: PreviewTheme, mode: Mode, prefix: string): Markup {
  const title = mode === 'light' ? 'Light mode' : 'Dark mode';
  const alignment = ALIGNMENTS.find((value) => value === record.logo_alignment) ?? 'left';
  const image = (name: string, field: AnyImageField, settings = ''): Markup => {
    const value = record[field];
    const url = typeof value === 'string' ? value : value.thumbnail;
    return (
      missingBox(field, missing) ??
      markup`<img class="${name}" data-field="${field}${settings}" src="${url}" alt="${record.name}: ${LABELS[field]}" loading="lazy" decoding="async">`
    );
  };
  const spot = (n: number, kind: string, text: string): Markup =>
    markup`<span class="c${n} ${kind}" data-field="${mode === 'dark' && palette_dark !== undefined ? 'd' : 'c'}${n}">${text}</span>`;
  return markup`<figure class="${mode}"><figcaption><b>${title}</b></figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${prefix}${title}"><div class="screen ${mode}">
<div class="browser"><span>${image('favicon', 'favicon')}<span data-field="name">${record.name}</span></span></div>
<div class="top align-${alignment}">${image('logo', logoOf(record, mode, 'logo'), settingsOf('logo', mode))}</div>
<div class="menu">${image('compact-logo', logoOf(record, mode, 'compact_logo'), settingsOf('compact_logo', mode))}<b>Home</b><span>Groups</span><span>Events</span><span>People</span>${spot(1, 'pill', 'Join')}</div>
<div class="profile">${image('banner', 'default_user_profile_banner')}
<div class="who">${spot(2, 'avatar', 'M')}<p><b>Member</b><br><small>12 groups, 3 events</small></p>${spot(3, 'pill', 'Follow')}</div></div>
<div class="tiles"><div class="tile">${image('banner', 'default_group_banner')}<p><b>Photography</b><br><small>Group, 128 members</small></p><p class="chips">${spot(4, 'chip', 'Nature')}${spot(5, 'chip', 'Night')}${spot(6, 'chip', 'City')}</p></div>
<div class="tile">${image('banner', 'default_event_banner')}<p><b>Autumn walk</b><br><small>Event, Saturday at 10</small></p><p class="chips">${spot(7, 'chip', 'Outdoors')}${spot(8, 'chip', 'Free')}${spot(9, 'chip', 'Online')}</p></div></div>
<div class="news"><b>News</b><p><span class="c5 chip">Night</span><span>Pictures of the night walk</span><small>Yesterday</small></p><p><span class="c7 chip">Outdoors</span><span>Where to meet on Saturday</span><small>Monday</small></p></div>
<div class="foot">${image('site-logo', 'logo_site')}<small>About · Help · Privacy</small></div>
</div></div></figure>
`;
}

/** Returns the settings that affect a logo in a mode, each after a space. */
function settingsOf(logo: LogoChoice['normal'], mode: Mode): string {
  return SETTING_FIELDS.filter((field) => {
    const row = FIELDS[field];
    return field.startsWith('compact') === (logo === 'compact_logo') && (!('mode' in row) || row.mode === mode);
  })
    .map((field) => ` ${field}`)
    .join('');
}
