import { type Markup, markup, prose } from '../../document/html.ts';
import { fieldName } from '../../document/missing.ts';
import { acceptedFormats, FORMATS } from '../../image/format.ts';
import { textOn } from '../../document/stylesheet.ts';
import {
  type AnyImageField,
  type Field,
  fieldsWhere,
  ROWS,
  SETTING_FIELDS,
  type SettingField,
  LABELS,
} from '../../theme/fields.ts';
import { contrast, hexOf } from '../../theme/palette.ts';
import type { GalleryTheme } from './content.ts';
import type { EditorContent } from './editor-content.ts';
import { offerAll, offers } from './offers.ts';
import { sourceCard, unknownFields } from './source-card.ts';

/** The cards of the editor, from the table of fields. */
export function editorCards(theme: GalleryTheme, editor: EditorContent): Markup {
  if (editor.data === undefined)
    return editor.broken === undefined
      ? markup`<section class="panel"><p>Fix the errors of <code>theme.yaml</code> in an editor first.</p></section>`
      : sourceCard(theme.slug, editor.broken, editor.hash);
  const images = (page: 'logos' | 'icons' | 'banners') =>
    fieldsWhere({ page }).map((field) => imageRow(field, theme, editor));
  return markup`<noscript><p class="about">Changes need JavaScript.</p></noscript>
${offerAll(editor)}${unknownFields(theme.slug, unknownIn(editor), editor.hash)}${card('Logos', 'logos', markup`${images('logos')}${images('icons')}`)}${card('Colours', 'colours', palette(theme, editor))}${card('Banners', 'banner-images', markup`${images('banners')}`)}${card(
    'Logo on the page',
    'settings',
    markup`${SETTING_FIELDS.map((field) => settingRow(field, theme, editor))}`,
  )}${card('Theme', 'facts', markup`${textRow('name', theme.record.name, editor)}${textRow('id', String(theme.record.id), editor)}${parentRow(editor)}`)}`;
}

/** The fields of the file that no theme has. */
function unknownIn({ data = {}, messages: all }: EditorContent): { name: string; error: string }[] {
  const names = Object.keys(data).filter((name) => !Object.hasOwn(LABELS, name) && name !== 'accept');
  return names.map((name) => ({ name, error: (all.get(name) ?? []).map(({ text }) => text).join(' ') }));
}

function card(title: string, id: string, content: Markup): Markup {
  return markup`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** The name that a designer uses, and that of the field. */
function names(field: Field | 'extends'): Markup {
  return markup`<b>${LABELS[field]}</b> ${fieldName(field)}`;
}

function messages(field: string, { messages: all }: EditorContent): Markup {
  const own = (all.get(field) ?? []).map(
    ({ text, isError, acceptable }) =>
      markup`<span class="${isError ? 'error' : 'note'}">${prose(text)}${acceptable === undefined ? '' : markup` <button class="as-link" data-accept="${field} ${acceptable}">Ignore: this is intentional<span class="unseen">: ${LABELS[field as Field]}</span></button>`}</span>`,
  );
  return markup`${own}<span class="error" id="error-${field}" data-error="${field}" aria-live="polite"></span>`;
}

/** Where a value comes from, if it is not this theme's. */
function origin(field: string, { data = {} }: EditorContent): string {
  return Object.hasOwn(data, field) || typeof data['extends'] !== 'string' ? '' : `from ${data['extends']}`;
}

function isOwn(field: string, { data = {} }: EditorContent): boolean {
  return Object.hasOwn(data, field) && typeof data['extends'] === 'string';
}

function imageRow(field: AnyImageField, theme: GalleryTheme, editor: EditorContent): Markup {
  const { record, missing } = theme;
  const value = record[field];
  const [original, url] = typeof value === 'string' ? [value, value] : [value.original, value.thumbnail];
  const isBanner = ROWS[field].kind === 'image_set' && field !== 'logo_site';
  const drawn = (mode: string) =>
    missing.has(field)
      ? markup`<i class="${mode}"></i>`
      : markup`<i class="${mode}"><img src="${url}" alt="" data-field="${field}" width="46" height="36" decoding="async"></i>`;
  const accept = acceptedFormats(field).map((format) => FORMATS[format].mediaType);
  const named = editor.data?.[field];
  const file = typeof named === 'string' ? named : origin(field, editor);
  return markup`<div class="img field" id="row-${field}" data-shows="${field}" data-part data-drop="${field}" data-label="${LABELS[field]}">
<span class="sw${isBanner ? ' wide' : ''}">${isBanner ? drawn('light') : [drawn('light'), drawn('dark')]}</span>
<span>${names(field)}<small>${missing.get(field) === undefined ? markup`<a href="${original}">${file || 'open'}</a>` : prose(missing.get(field) ?? '')}</small>${messages(field, editor)}${offers(field, theme.slug, editor)}</span>
<span class="acts"><label class="button">Replace<span class="unseen"> ${LABELS[field]}</span><input class="unseen" type="file" id="f-${field}" name="${field}" accept="${accept.join(',')}" data-label="${LABELS[field]}" aria-describedby="error-${field}"></label>${
    isOwn(field, editor)
      ? markup`<button class="quiet" data-remove="${field}" data-label="${LABELS[field]}">Inherit<span class="unseen"> ${LABELS[field]}</span></button>`
      : ''
  }</span>
</div>
`;
}

function settingRow(field: SettingField, { record }: GalleryTheme, editor: EditorContent): Markup {
  const row = ROWS[field];
  const common = markup` id="f-${field}" name="${field}" data-label="${LABELS[field]}" aria-describedby="error-${field}"`;
  if (row.kind === 'setting' && row.type === 'choice') {
    const logo = field.startsWith('compact') ? 'compact_logo' : 'logo';
    const options = editor.site[row.values].map((value) => {
      const text = value === 'NORMAL' ? LABELS[logo] : value === 'INVERSE' ? LABELS[`${logo}_inverse`] : value;
      return markup`<option value="${value}"${value === record[field] ? markup` selected` : ''}>${text}</option>`;
    });
    return controlRow(field, markup`<select${common}>${options}</select>`, editor);
  }
  const [min, max] = row.kind === 'setting' && row.type === 'pixels' ? [row.min, row.max] : [0, 0];
  const input = markup`<input type="number"${common} value="${record[field]}" min="${min}" max="${max}" data-variable="--${field.replaceAll('_', '-')}">`;
  return controlRow(field, input, editor);
}

function textRow(field: 'name' | 'id', value: string, editor: EditorContent): Markup {
  const input = markup`<input id="f-${field}" name="${field}" value="${value}" data-label="${LABELS[field]}" aria-describedby="error-${field}" autocomplete="off">`;
  return controlRow(field, input, editor);
}

function parentRow(editor: EditorContent): Markup {
  const options = editor.slugs.map(
    (slug) =>
      markup`<option value="${slug}"${slug === editor.data?.['extends'] ? markup` selected` : ''}>${slug}</option>`,
  );
  const select = markup`<select id="f-extends" name="extends" data-label="${LABELS.extends}" aria-describedby="error-extends"><option value="">no other theme</option>${options}</select>`;
  return controlRow('extends', select, editor);
}

function controlRow(field: Field | 'extends', control: Markup, editor: EditorContent): Markup {
  const from = origin(field, editor);
  return markup`<div class="f field" id="row-${field}" data-shows="${field}" data-part>
<label for="f-${field}">${names(field)}${from === '' || field === 'extends' ? '' : markup` <small>${from}</small>`}</label>
${control}
${messages(field, editor)}</div>
`;
}

/** A strip of the nine colours, of which one is chosen and edited below. */
function palette({ record: { palette_preview: colours } }: GalleryTheme, editor: EditorContent): Markup {
  const own = editor.data?.['palette_preview'];
  const nine = Array.from({ length: 9 }, (_, index) => colours[index] ?? '');
  const choices = nine.map(
    (_, at) =>
      markup`<input class="unseen" type="radio" name="chosen" id="chosen-${at + 1}" aria-label="Colour ${at + 1}"${at === 0 ? markup` checked` : ''}>`,
  );
  const strip = nine.map(
    (colour, at) =>
      markup`<label for="chosen-${at + 1}" data-shows="c${at + 1}"><svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="1" height="1" fill="${colour || 'none'}"/></svg></label>`,
  );
  const cells = nine.map((colour, at) => {
    const written: unknown = Array.isArray(own) ? own[at] : colour;
    const label = `Colour ${at + 1}`;
    return markup`<div class="cell" data-shows="c${at + 1}"><input type="color" aria-label="${label}: pick" value="${hexOf(colour)}" data-picks="f-c${at + 1}"><input type="text" id="f-c${at + 1}" name="palette_preview" value="${typeof written === 'string' ? written : ''}" aria-label="${label}" aria-describedby="error-palette_preview" data-label="${label}" data-variable="--c${at + 1}" autocomplete="off" spellcheck="false"><span class="badge">${colour === '' ? 'missing' : contrastText(colour)}</span></div>`;
  });
  return markup`<div class="palette-editor">${choices}
<div id="row-palette_preview" data-part>
<div class="strip">${strip}</div>
<div class="cells">${cells}</div>
<p><code class="key">palette_preview</code> <small>${origin('palette_preview', editor)}</small></p>
${messages('palette_preview', editor)}
<div class="makers"><button data-palette="logo">From the logo</button><button data-palette="colour">From one colour</button><input type="color" data-one-colour aria-label="The one colour" value="${hexOf(colours[0] ?? '')}"></div>
</div></div>
`;
}

/** `white text 5.3:1` */
function contrastText(colour: string): string {
  const text = textOn(colour) === '#fff' ? 'white' : 'black';
  return `${text} text ${contrast(colour, text).toFixed(1)}:1`;
}
