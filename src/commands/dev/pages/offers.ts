import { type Markup, markup } from '../../../core/document/page/html.ts';
import { modeOf } from '../../../core/document/logo-choice.ts';
import { type AnyImageField, fieldsWhere, LABELS } from '../../../core/theme/fields/fields.ts';
import type { EditorContent, FieldMessage } from './editor-content.ts';
import { MADE_LOGOS, themePath } from './layout.ts';

/** The versions of a logo, the better one first: what is visible in its mode, then what keeps its colours. */
export const RANKS = ['best', 'other'] as const;

const LOGOS: readonly AnyImageField[] = fieldsWhere({ page: 'logos' });
/** The logos of which versions are drawn: for dark pages, and for light ones where the logo is one for dark pages. */
const VERSIONED: ReadonlySet<AnyImageField> = new Set(['logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse']);
const BANNERS: readonly AnyImageField[] = fieldsWhere({ page: 'banners' });

const isLacking = (messages: readonly FieldMessage[] | undefined): boolean =>
  messages?.some(({ isPlaceholder }) => isPlaceholder) === true;

/** Returns the file of the logo, or of the one for dark pages, with its field, unless it is a URL or a placeholder. */
function logoFile({ data = {}, messages }: EditorContent): { file: string; source: AnyImageField } | undefined {
  return (['logo', 'logo_inverse'] as const)
    .filter((field) => !isLacking(messages.get(field)))
    .map((source) => ({ file: data[source], source }))
    .find(
      (logo): logo is { file: string; source: typeof logo.source } =>
        typeof logo.file === 'string' && !logo.file.includes('://'),
    );
}

/** Offers replacements for an image with a message: the logo, its versions, or a plain banner. */
export function offers(field: AnyImageField, slug: string, editor: EditorContent): Markup | string {
  if (!editor.messages.has(field)) return '';
  const logo = logoFile(editor);
  const current = editor.data?.[field];
  const button = (name: string, value: string, text: string | Markup) =>
    markup`<button class="as-link" data-set="${name}" value="${value}">${text}<span class="unseen">: ${LABELS[field]}</span></button> `;
  const mode = modeOf(field);
  const versions = RANKS.slice(0, editor.versions[mode]).map((rank) =>
    button(
      'make',
      `${field} ${rank}`,
      markup`<span class="sw"><i class="${mode}"><img src="${themePath(slug)}${MADE_LOGOS}${mode}/${rank}" alt="" width="46" height="36" loading="lazy"></i></span><span>${rank === 'best' ? 'Best' : 'Other'}<span class="unseen"> version for ${mode} pages</span></span>`,
    ),
  );
  // A logo for dark pages is hardly visible on light ones.
  const isUsable =
    logo !== undefined && logo.file !== current && LOGOS.includes(field) && (logo.source === 'logo' || mode === 'dark');
  return markup`<span class="offers">${isUsable ? button(field, logo.file, 'Use the logo here too') : ''}${VERSIONED.has(field) ? versions : ''}${BANNERS.includes(field) && isLacking(editor.messages.get(field)) ? button('make', `${field} plain`, 'Use a plain banner') : ''}</span>`;
}

/** Offers to fill all placeholders at once. */
export function offerAll(editor: EditorContent): Markup {
  return markup`<div id="offer" data-part>${editor.canFill ? markup`<p class="notice">Some images are placeholders. <button data-set="make" value="all">Fill them from the logo</button></p>` : ''}</div>
`;
}
