import { visible } from '../diagnostics/quote.ts';
import { writeYaml } from '../source/write-yaml.ts';
import { type AnyImageField, RECORD_FIELDS, ROWS, type SettingField } from './fields/fields.ts';

/** The contents of a new `theme.yaml`; absent fields are not written. */
export interface NewTheme {
  /** Folder name of the theme that it extends. */
  parent?: string | undefined;
  id: number;
  name: string | undefined;
  isDefault: boolean;
  /** The value of each image: a path, a URL, or both URLs of an image set. */
  images: ReadonlyMap<AnyImageField, unknown>;
  settings?: Partial<Readonly<Record<SettingField, string | number>>>;
  /** Comments on the lines of settings. */
  notes?: ReadonlyMap<SettingField, string>;
  /** The reasons for absent fields, which become comments in their places. */
  absent?: ReadonlyMap<string, string>;
  /** CSS colours. */
  palette?: readonly string[] | undefined;
}

/** The first line of every theme.yaml: the path of the schema, for editors. */
export const THEME_MODELINE = '# yaml-language-server: $schema=../theme.schema.json';
export const SITE_MODELINE = '# yaml-language-server: $schema=site.schema.json';

/** Returns the text of a new `theme.yaml`: in the order of the record, in paragraphs, with comments. */
export function themeFile({
  parent,
  id,
  name,
  isDefault,
  images,
  settings = {},
  notes = new Map(),
  palette,
  absent = new Map(),
}: NewTheme): string {
  const missing = (field: string): string[] => {
    const reason = absent.get(field);
    return reason === undefined ? [] : [`# ${field}: ${visible(reason)}`];
  };
  const head = [
    ...(parent === undefined ? [] : [line('extends', parent)]),
    line('id', id),
    ...(name === undefined ? missing('name') : [line('name', name)]),
    ...(isDefault ? [line('is_default', true)] : []),
  ];
  const imageLines = RECORD_FIELDS.flatMap((field) => {
    if (ROWS[field].kind === 'setting') return [];
    const image = images.get(field as AnyImageField);
    return image === undefined ? missing(field) : [line(field, image)];
  });
  const settingLines = RECORD_FIELDS.flatMap((field) => {
    const row = ROWS[field];
    if (row.kind !== 'setting' || row.form !== 'logo') return [];
    const value = settings[field as SettingField];
    return value === undefined ? missing(field) : [withNote(line(field, value), notes.get(field as SettingField))];
  });
  const colours = palette?.map((colour) => `  - ${scalar(colour)}`) ?? [];
  const paragraphs = [
    [THEME_MODELINE, ...head],
    ['# Images: paths relative to this file.', ...imageLines],
    ['# Which variant of each logo the modes show, and where (in pixels).', ...settingLines],
    [
      '# Nine colours, in any CSS syntax; quote those that start with #.',
      ...(palette === undefined ? missing('palette_preview') : ['palette_preview:', ...colours]),
    ],
  ];
  const used = paragraphs.filter((lines, at) => at === 0 || lines.length > 1);
  return `${used.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function line(field: string, value: unknown): string {
  return writeYaml([[field, value]]).trimEnd();
}

/** Returns a text in YAML, quoted if necessary. */
function scalar(text: string): string {
  return line('a', text).slice('a: '.length);
}

function withNote(text: string, note: string | undefined): string {
  return note === undefined ? text : `${text} # ${note}`;
}
