import { type Markup, markup } from '../document/html.ts';
import { logoOf, type Mode } from '../document/logo-choice.ts';
import { type Missing, missingBox } from '../document/missing.ts';
import type { ThemeRecord } from '../document/record.ts';
import { fieldsWhere, type ImageSetField } from '../theme/fields.ts';

interface Shown {
  record: ThemeRecord;
  /** What it lacks, by field; the record is blank there. */
  missing: Missing;
}

const MODES = ['light', 'dark'] as const;

/** The alignments that the mock page implements; a site may allow others. */
const ALIGNMENTS = ['left', 'center', 'right'] as const;

/**
 * A community page as it might look in the theme: in light and dark mode, wide and as wide as a phone. Sizes, margins and
 * colours come from `themeStyle`. The interface gives the nine colours no roles, so each of them is shown somewhere.
 * @param prefix - what comes before the name of each screen, where a page has several themes
 */
export function mockPages(shown: Shown, prefix = ''): Markup {
  const { record, missing } = shown;
  const inScreens = new Set<string>([
    ...MODES.flatMap((mode) => [logoOf(record, mode, 'logo'), logoOf(record, mode, 'compact_logo')]),
    ...fieldsWhere({ page: 'banners' }),
  ]);
  const boxes = [...missing.keys()].flatMap((field) =>
    inScreens.has(field) ? [] : (missingBox(field, missing) ?? []),
  );
  const isKnown = ALIGNMENTS.some((known) => known === record.logo_alignment);
  return markup`${boxes.length === 0 ? '' : markup`<p class="lacks">${boxes}</p>\n`}<p class="about">An example: the interface specifies neither the layout of community pages nor the roles of the nine colours.${isKnown ? '' : markup` <code>logo_alignment</code> is ${record.logo_alignment}, which has no preview: shown as left.`}</p>
<div class="screens">
${(['wide', 'phone'] as const).map((width) => MODES.map((mode) => screen(shown, mode, width, prefix)))}</div>
`;
}

/** The page adapts to the width of its screen, as in the browser of a phone or a computer. */
function screen({ record, missing }: Shown, mode: Mode, width: 'wide' | 'phone', prefix: string): Markup {
  const title = `${mode === 'light' ? 'Light' : 'Dark'} mode${width === 'phone' ? ', on a phone' : ''}`;
  const alignment = ALIGNMENTS.find((known) => known === record.logo_alignment) ?? 'left';
  const compactField = logoOf(record, mode, 'compact_logo');
  const compact = (alt: string) =>
    missingBox(compactField, missing) ??
    markup`<img class="compact-logo" data-image="${compactField}" src="${record[compactField]}" alt="${alt}" loading="lazy" decoding="async">`;
  const logoField = logoOf(record, mode, 'logo');
  const logo =
    missingBox(logoField, missing) ??
    markup`<img class="logo" data-image="${logoField}" src="${record[logoField]}" alt="${record.name}: ${logoField}" loading="lazy" decoding="async">`;
  const banner = (field: ImageSetField) =>
    missingBox(field, missing) ??
    markup`<img class="banner" data-image="${field}" src="${record[field].thumbnail}" alt="${record.name}: ${field}" width="640" height="200" loading="lazy" decoding="async">`;
  const compactAlt = `${record.name}: ${compactField}`;
  const top =
    width === 'phone'
      ? markup`<div class="top">${compact(compactAlt)}<b>Community</b><span class="c1 pill">Join</span></div>`
      : markup`<div class="top align-${alignment}">${logo}</div>
<div class="menu">${compact(compactAlt)}<b>Home</b><span>Groups</span><span>Events</span><span>People</span><span class="c1 pill">Join</span></div>`;
  return markup`<figure class="${width}">
<figcaption><b>${title}</b></figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${prefix}${title}">
<div class="screen ${mode}">
${top}
<div class="profile">
${banner('default_user_profile_banner')}
<div class="who"><span class="avatar c2">M</span><p><b>Member</b><br><small>12 groups, 3 events</small></p><span class="c3 pill">Follow</span></div>
</div>
<div class="tiles">
<div class="tile">${banner('default_group_banner')}<p><b>Photography</b><br><small>Group, 128 members</small></p><p class="chips"><span class="c4 chip">Nature</span><span class="c5 chip">Night</span><span class="c6 chip">City</span></p></div>
<div class="tile">${banner('default_event_banner')}<p><b>Autumn walk</b><br><small>Event, Saturday at 10</small></p><p class="chips"><span class="c7 chip">Outdoors</span><span class="c8 chip">Free</span><span class="c9 chip">Online</span></p></div>
</div>
</div>
</div>
</figure>
`;
}
