import { type Markup, markup } from '../../document/html.ts';
import { acceptedFormats, FORMATS } from '../../image/format.ts';
import type { FieldRow } from '../../theme/field-rows.ts';
import {
  type AnyImageField,
  type Field,
  FIELDS,
  fieldsWhere,
  type FieldsWhere,
  meaningOf,
  RECORD_FIELDS,
  ROWS,
} from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';

/** The key of messages that concern no single field, as in Django REST Framework. */
export const NO_FIELD = 'non_field_errors';

export interface PostForm {
  /** The URL that the forms are submitted to. */
  action: string;
  token: string;
  site: Pick<Site, 'logo_types' | 'logo_alignments'>;
  /** The themes that this one can extend. */
  slugs: readonly string[];
  /** Whether images are named, too, not only uploaded. */
  isEdit?: boolean;
}

/** A submission that was rejected. */
export interface GivenForm {
  /** By field, as typed. */
  texts: ReadonlyMap<string, readonly string[]>;
  /** Messages by field. */
  errors: ReadonlyMap<string, readonly string[]>;
}

type FormField = Exclude<Field, FieldsWhere<{ form: 'palette' }>> | 'extends' | 'slug';

/** The fields of the first group with their help texts, in the order of the form. */
const THEME_HELP: Record<FieldsWhere<{ form: 'theme' }> | 'extends' | 'slug', string> = {
  name: meaningOf('name'),
  slug: 'Folder name of the theme: a–z, 0–9 and -. If empty: derived from the name.',
  id: `${meaningOf('id')} If empty: the next free one.`,
  extends: meaningOf('extends'),
  is_default: meaningOf('is_default'),
};

export const GROUPS: readonly (readonly [legend: string, fields: readonly FormField[]])[] = [
  ['Theme', Object.keys(THEME_HELP) as (keyof typeof THEME_HELP)[]],
  ['Images', RECORD_FIELDS.filter((field): field is AnyImageField => ROWS[field].kind !== 'setting')],
  ['Logo', fieldsWhere({ form: 'logo' })],
];

/** The form that makes a theme, with an input for each field. It works without scripts. Rejected input is shown again, except files, which no page can fill in; the script does not reload that page. */
export function postForm(forms: PostForm, given?: GivenForm): Markup {
  const { errors, fields } = themeInputs(forms, GROUPS, given);
  return markup`${errors}<form method="post" action="${forms.action}" enctype="multipart/form-data"${given === undefined ? '' : markup` data-given`}>
<input type="hidden" name="token" value="${forms.token}">
${given === undefined ? '' : markup`<p class="help">Choose the files again.</p>\n`}${fields}<button>POST</button>
</form>
`;
}

/** The inputs of a theme, and the messages that have no input to appear next to. */
export function themeInputs(
  forms: PostForm,
  groups: typeof GROUPS,
  given: GivenForm | undefined,
): { errors: Markup | string; fields: Markup } {
  const shown = [...groups.flatMap(([, fields]) => fields), 'palette_preview'];
  const rest = [...(given?.errors ?? [])].flatMap(([field, messages]) =>
    shown.includes(field) ? [] : messages.map((message) => (field === NO_FIELD ? message : `${field}: ${message}`)),
  );
  const first = rest.length > 0 ? undefined : shown.find((field) => given?.errors.has(field));
  const fieldsets = groups.map(
    ([legend, fields]) => markup`<fieldset class="fields">
<legend>${legend}</legend>
${fields.map((field) => formField(field, field === first, forms, given))}</fieldset>
`,
  );
  return { errors: errorBox(rest), fields: markup`${fieldsets}${palette(first === 'palette_preview', given)}` };
}

/** Focused, so that screen readers announce it first. */
function errorBox(messages: readonly string[]): Markup | string {
  if (messages.length === 0) return '';
  const items = messages.map((message) => markup`<li>${message}</li>\n`);
  return markup`<div class="panel error" role="alert" tabindex="-1" autofocus>
<ul>
${items}</ul>
</div>
`;
}

function formField(field: FormField, isFirst: boolean, forms: PostForm, given: GivenForm | undefined): Markup {
  const id = `post-${field}`;
  const messages = given?.errors.get(field) ?? [];
  const attributes = markup` id="${id}" name="${field}"${described(id, messages)}${isFirst ? markup` autofocus` : ''}`;
  return markup`<div class="field">
<label for="${id}">${field}</label>
${control(field, attributes, given?.texts.get(field)?.[0] ?? '', forms)}
<p class="help" id="${id}-help">${forms.isEdit === true && field === 'id' ? meaningOf(field) : help(field)}</p>
${errorText(id, messages)}</div>
`;
}

function described(id: string, messages: readonly string[]): Markup {
  return messages.length === 0
    ? markup` aria-describedby="${id}-help"`
    : markup` aria-describedby="${id}-error ${id}-help" aria-invalid="true"`;
}

function errorText(id: string, messages: readonly string[]): Markup | string {
  return messages.length === 0 ? '' : markup`<p class="error" id="${id}-error">${messages.join(' ')}</p>\n`;
}

function help(field: FormField): string {
  return field in THEME_HELP ? THEME_HELP[field as keyof typeof THEME_HELP] : meaningOf(field as Field);
}

function control(
  field: FormField,
  attributes: Markup,
  value: string,
  { site, slugs, isEdit = false }: PostForm,
): Markup {
  const select = (options: readonly string[], none: string): Markup => {
    const known = value === '' || options.includes(value) ? options : [value, ...options];
    const items = known.map(
      (option) => markup`<option value="${option}"${option === value ? markup` selected` : ''}>${option}</option>\n`,
    );
    return markup`<select${attributes}>\n<option value="">${none}</option>\n${items}</select>`;
  };
  if (field === 'extends') return select(slugs, 'None');
  if (field === 'slug')
    return markup`<input type="text"${attributes} value="${value}" maxlength="64" autocapitalize="none" spellcheck="false">`;
  const row: Exclude<FieldRow, { type: 'colours' }> = FIELDS[field];
  if (row.kind !== 'setting') {
    const accepted = acceptedFormats(field).flatMap((format) => FORMATS[format].extensions.map((name) => `.${name}`));
    const accept = markup`accept="${accepted.join(',')}"`;
    if (!isEdit) return markup`<input type="file"${attributes} ${accept}>`;
    return markup`<input type="text"${attributes} value="${value}" autocapitalize="none" spellcheck="false">
<input type="file" name="${uploadOf(field)}" aria-label="File that replaces ${field}" ${accept}>`;
  }
  switch (row.type) {
    case 'boolean':
      return markup`<span><input type="checkbox" value="true"${attributes}${value === 'true' ? markup` checked` : ''}></span>`;
    case 'line':
      return markup`<input type="text"${attributes} value="${value}"${isEdit ? '' : markup` required`} maxlength="${row.maxLength}">`;
    case 'integer':
    case 'pixels':
      // A browser would empty an input for numbers that has something else.
      if (!/^\d*$/.test(value)) return markup`<input type="text"${attributes} value="${value}" inputmode="numeric">`;
      if (row.type === 'integer') return markup`<input type="number"${attributes} value="${value}" min="${row.min}">`;
      return markup`<input type="number"${attributes} value="${value}" min="${row.min}" max="${row.max}" placeholder="${row.default}">`;
    default: {
      const accepted = site[row.values];
      return select(accepted, accepted.includes(row.default) ? `${row.default} or as inherited` : 'As inherited');
    }
  }
}

function palette(isFirst: boolean, given: GivenForm | undefined): Markup {
  const id = 'post-palette_preview';
  const messages = given?.errors.get('palette_preview') ?? [];
  const colours = given?.texts.get('palette_preview') ?? [];
  const inputs = Array.from(
    { length: Math.max(FIELDS.palette_preview.count, colours.length) },
    (_, at) => markup`<div class="field">
<label for="${id}-${at + 1}">Colour ${at + 1}</label>
<span class="colour"><input type="text" id="${id}-${at + 1}" name="palette_preview" data-colour="Colour ${at + 1}" value="${colours[at] ?? ''}"${described(id, messages)}${isFirst && at === 0 ? markup` autofocus` : ''} placeholder="#0b5fff" autocapitalize="none" spellcheck="false"></span>
</div>
`,
  );
  return markup`<fieldset>
<legend>palette_preview</legend>
<p class="help" id="${id}-help">${meaningOf('palette_preview')}</p>
${errorText(id, messages)}<div class="fields">
${inputs}</div>
</fieldset>
`;
}

/** The name of the input for a file that replaces the image of a field. */
export function uploadOf(field: string): string {
  return `${field}_upload`;
}
