import { type Markup, markup, prose } from '../../../core/document/page/html.ts';
import { fieldName } from '../../../core/document/page/missing.ts';
import { acceptedFormats, FORMATS } from '../../../core/image/format.ts';
import { paletteVariable, textOn, variableOf } from '../../../core/document/variables.ts';
import {
  type AnyImageField,
  type Field,
  FIELDS,
  fieldsWhere,
  type Palette,
  PALETTES,
  ROWS,
  SETTING_FIELDS,
  type SettingField,
  LABELS,
} from '../../../core/theme/fields/fields.ts';
import { contrast, hexOf } from '../../../core/theme/colour/palette.ts';
import type { GalleryTheme } from './content.ts';
import type { EditorContent } from './editor-content.ts';
import { offerAll, offers } from './offers.ts';
import { unknownFields } from './unknown-fields.ts';

/** Returns the cards of the editor, from the table of fields. */
export function editorCards(theme: GalleryTheme, editor: EditorContent): Markup {
  if (editor.data === undefined)
    return markup`<section class="panel"><p>Fix the errors of <code>theme.yaml</code> in an editor first.</p></section>`;
  const images = (page: 'logos' | 'icons' | 'banners') =>
    fieldsWhere({ page }).map((field) => imageRow(field, theme, editor));
  const text = (field: 'name' | 'id') =>
    controlRow(field, editor, 'input', markup` value="${theme.record[field]}" autocomplete="off">`);
  const parents = [['', 'no other theme'] as const, ...editor.slugs.map((slug) => [slug, slug] as const)];
  const palettes = markup`<div class="palettes">\n${PALETTES.map((palette) => paletteEditor(palette, theme, editor))}</div>\n`;
  return markup`<noscript><p class="about">Changes need JavaScript.</p></noscript>
${offerAll(editor)}${unknownFields(theme.slug, editor)}${card('Logos', 'logos', markup`${images('logos')}${images('icons')}`)}${card('Colours', 'colours', palettes)}${card('Banners', 'banner-images', markup`${images('banners')}`)}${card(
    'Logo on the page',
    'settings',
    markup`${SETTING_FIELDS.map((field) => settingRow(field, theme, editor))}`,
  )}${card('Theme', 'facts', markup`${text('name')}${text('id')}${controlRow('extends', editor, 'select', markup`>${options(parents, String(editor.data['extends']))}</select>`)}`)}`;
}

function card(title: string, id: string, content: Markup): Markup {
  return markup`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** Returns the label of a field for designers, and its name. */
function names(field: Field | 'extends'): Markup {
  return markup`<b>${LABELS[field]}</b> ${fieldName(field)}`;
}

function messages(field: string, { messages: all }: EditorContent): Markup {
  const texts = (all.get(field) ?? []).map(
    ({ text, isError, acceptable }) =>
      markup`<span class="${isError ? 'error' : 'note'}">${prose(text)}${acceptable === undefined ? '' : markup` <button class="as-link" data-accept="${field} ${acceptable}">Ignore: this is intentional<span class="unseen">: ${LABELS[field as Field]}</span></button>`}</span>`,
  );
  return markup`${texts}<span class="error" id="error-${field}" data-error="${field}" aria-live="polite"></span>`;
}

/** Returns the origin of an inherited value; empty for a value of this theme. */
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
  const ownValue = editor.data?.[field];
  const file = typeof ownValue === 'string' ? ownValue : origin(field, editor);
  return markup`<div class="img field" id="row-${field}" data-shows="${field}" data-part data-drop="${field}" data-label="${LABELS[field]}">
<span class="sw${isBanner ? ' wide' : ''}">${isBanner ? drawn('light') : [drawn('light'), drawn('dark')]}</span>
<span>${names(field)}<small>${missing.get(field) === undefined ? markup`<a href="${original}">${file || 'open'}</a>` : prose(missing.get(field) ?? '')}</small></span>
<span class="acts"><label class="button">Replace<span class="unseen"> ${LABELS[field]}</span><input class="unseen" type="file" id="f-${field}" name="${field}" accept="${accept.join(',')}" data-label="${LABELS[field]}" aria-describedby="error-${field}"></label>${
    isOwn(field, editor)
      ? markup`<button class="quiet" data-remove="${field}" data-label="${LABELS[field]}">Inherit<span class="unseen"> ${LABELS[field]}</span></button>`
      : ''
  }</span>
${messages(field, editor)}${offers(field, theme.slug, editor)}</div>
`;
}

function settingRow(field: SettingField, { record }: GalleryTheme, editor: EditorContent): Markup {
  const row = ROWS[field];
  if (row.kind !== 'setting') return markup``;
  if (row.type === 'choice') {
    const logo = field.startsWith('compact') ? 'compact_logo' : 'logo';
    const texts = new Map([
      ['NORMAL', LABELS[logo]],
      ['INVERSE', LABELS[`${logo}_inverse`]],
    ]);
    const values = editor.site[row.values].map((value) => [value, texts.get(value) ?? value] as const);
    return controlRow(field, editor, 'select', markup`>${options(values, String(record[field]))}</select>`);
  }
  const [min, max] = row.type === 'pixels' ? [row.min, row.max] : [0, 0];
  return controlRow(
    field,
    editor,
    'input',
    markup` type="number" value="${record[field]}" min="${min}" max="${max}" data-variable="${variableOf(field)}">`,
  );
}

export function options(values: readonly (readonly [value: string, text: string])[], chosen: string): Markup[] {
  return values.map(
    ([value, text]) => markup`<option value="${value}"${value === chosen ? markup` selected` : ''}>${text}</option>`,
  );
}

/** Returns a label and its control. @param content - further attributes of the control, and its content */
function controlRow(field: Field | 'extends', editor: EditorContent, tag: 'input' | 'select', content: Markup): Markup {
  const from = origin(field, editor);
  return markup`<div class="f field" id="row-${field}" data-shows="${field}" data-part>
<label for="f-${field}">${names(field)}${from === '' || field === 'extends' ? '' : markup` <small>${from}</small>`}</label>
<${tag} id="f-${field}" name="${field}" data-label="${LABELS[field]}" aria-describedby="error-${field}"${content}
${messages(field, editor)}</div>
`;
}

/** How each palette is shown: its mode, the labels of its colours, and the start of their ids. */
const PALETTE_EDITORS = {
  palette_preview: { mode: 'light', title: 'Light mode', label: 'Colour', id: 'c' },
  palette_dark: { mode: 'dark', title: 'Dark mode', label: 'Dark colour', id: 'd' },
} as const;

function lightMakers({
  record: {
    palette_preview: [first = ''],
  },
}: GalleryTheme): Markup {
  return markup`<div class="makers"><button data-palette="logo">From the logo</button><button data-palette="colour">From one colour</button><input type="color" data-one-colour aria-label="The one colour" value="${hexOf(first)}"></div>
`;
}

/** Returns a strip of nine colours, with controls for the chosen colour. Without dark colours, dark mode has the light ones. */
function paletteEditor(palette: Palette, theme: GalleryTheme, editor: EditorContent): Markup {
  const { title, label, id } = PALETTE_EDITORS[palette];
  const colours = palette === 'palette_dark' ? theme.palette_dark : theme.record.palette_preview;
  const choices = Array.from(
    { length: FIELDS.palette_preview.count },
    (_, at) =>
      markup`<input class="unseen n${at + 1}" type="radio" name="chosen-${id}" id="chosen-${id}${at + 1}" aria-label="${label} ${at + 1}"${at === 0 ? markup` checked` : ''}>`,
  );
  const content =
    colours === undefined
      ? markup`<p class="same">The colours of light mode.</p>\n`
      : swatches(palette, colours, theme, editor);
  return markup`<div class="palette-editor">${choices}
<div id="row-${palette}" data-part>
<h3>${title}</h3>
${content}<p><code class="key">${palette}</code> <small>${origin(palette, editor)}</small></p>
${messages(palette, editor)}
${palette === 'palette_dark' ? darkMakers(editor) : lightMakers(theme)}</div></div>
`;
}

function swatches(palette: Palette, colours: readonly string[], theme: GalleryTheme, editor: EditorContent): Markup {
  const { mode, label, id } = PALETTE_EDITORS[palette];
  const written = editor.data?.[palette];
  // Without dark colours, both modes show a light one.
  const screens = theme.palette_dark === undefined ? '' : markup` data-mode="${mode}"`;
  const nine = Array.from({ length: FIELDS.palette_preview.count }, (_, at) => colours[at] ?? '');
  const strip = nine.map(
    (colour, at) =>
      markup`<label for="chosen-${id}${at + 1}" data-shows="${id}${at + 1}"><svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="1" height="1" fill="${colour || 'none'}"/></svg></label>`,
  );
  const cells = nine.map((colour, at) => {
    const text: unknown = Array.isArray(written) ? written[at] : colour;
    const name = `${label} ${at + 1}`;
    return markup`<div class="cell" data-shows="${id}${at + 1}"><input type="color" aria-label="${name}: pick" value="${hexOf(colour)}" data-picks="f-${id}${at + 1}"><input type="text" id="f-${id}${at + 1}" name="${palette}" value="${typeof text === 'string' ? text : ''}" aria-label="${name}" aria-describedby="error-${palette}" data-label="${name}" data-variable="${paletteVariable(at + 1)}"${screens} autocomplete="off" spellcheck="false"><span class="badge">${colour === '' ? 'missing' : contrastText(colour)}</span></div>`;
  });
  return markup`<div class="strip">${strip}</div>
<div class="cells">${cells}</div>
`;
}

function darkMakers({ data = {} }: EditorContent): Markup {
  const remove = Object.hasOwn(data, 'palette_dark')
    ? markup`<button class="quiet" data-remove="palette_dark" data-label="${LABELS.palette_dark}">Remove<span class="unseen"> ${LABELS.palette_dark}</span></button>`
    : '';
  return markup`<div class="makers"><button data-fill="palette_dark">Fill from the light ones</button>${remove}</div>
`;
}

/** Returns `white text 5.3:1`. */
function contrastText(colour: string): string {
  const text = textOn(colour) === '#fff' ? 'white' : 'black';
  return `${text} text ${contrast(colour, text).toFixed(1)}:1`;
}
