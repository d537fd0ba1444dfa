import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { quoteList } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import {
  type Field,
  FIELDS,
  IMAGE_SET_FIELDS,
  type ImageSetField,
  PICTURE_FIELDS,
  type PictureField,
} from './fields.ts';
import { SETTING_DEFAULTS, type ThemeFields } from './schema.ts';
import type { Site } from './site.ts';
import type { ThemeSource } from './validate.ts';

/** A picture named by a theme: a file below the folder of the theme that wrote it, or one that is published elsewhere. */
export type PictureSource =
  | { slug: string; path: string; location: Location }
  | { url: string; thumbnailUrl: string | undefined; location: Location };

type Settings = { -readonly [F in keyof typeof SETTING_DEFAULTS]: ThemeFields[F] & {} };

/** A theme with everything it inherits and every default: nothing is absent. */
export interface Theme {
  slug: string;
  id: number;
  name: string;
  is_default: boolean;
  settings: Settings;
  palette_preview: readonly string[];
  pictures: Record<PictureField | ImageSetField, PictureSource>;
}

/** Fields that identify one theme and so are never inherited. */
const OWN_FIELDS: ReadonlySet<Field> = new Set<Field>(['id', 'is_default']);

/**
 * Follows `extends`, fills in defaults and checks what only shows across themes.
 * @param folders - every theme folder, also of themes that could not be read
 * @returns themes in the order of their ids
 */
export function resolveThemes(
  sources: readonly ThemeSource[],
  folders: ReadonlySet<string>,
  site: Site,
  report: Report,
): Theme[] {
  const bySlug = new Map(sources.map((source) => [source.slug, source]));
  checkIds(sources, report);
  checkDefault(sources, sources.length === folders.size, report);
  const reportedCycles = new Set<string>();
  const themes = sources.flatMap((source) => {
    const line = lineage(source, bySlug, folders, reportedCycles, report);
    return line === undefined ? [] : (resolveTheme(line, site, report) ?? []);
  });
  return themes.toSorted((a, b) => a.id - b.id);
}

/** A theme and what it extends, nearest first. Nothing if the chain is broken, which is reported where it breaks. */
function lineage(
  source: ThemeSource,
  bySlug: ReadonlyMap<string, ThemeSource>,
  folders: ReadonlySet<string>,
  reportedCycles: Set<string>,
  report: Report,
): ThemeSource[] | undefined {
  const line = [source];
  for (let last = source; last.fields.extends !== undefined || last.claimed.has('extends');) {
    if (last.fields.extends === undefined) return undefined; // reported there
    const parent = bySlug.get(last.fields.extends);
    if (parent === undefined) {
      const slug = last.fields.extends;
      if (last === source && !folders.has(slug)) {
        report('theme/extends-unknown', last.document.valueAt(['extends']), {
          parent: slug,
          suggestion: suggest(slug, [...folders]),
        });
      }
      return undefined;
    }
    const start = line.indexOf(parent);
    if (start !== -1) {
      const circle = line.slice(start).map(({ slug }) => slug);
      const name = circle.toSorted().join(' ');
      if (!reportedCycles.has(name)) {
        reportedCycles.add(name);
        report('theme/extends-cycle', last.document.valueAt(['extends']), { chain: [...circle, parent.slug] });
      }
      return undefined;
    }
    line.push(parent);
    last = parent;
  }
  return line;
}

function resolveTheme(line: readonly ThemeSource[], site: Site, report: Report): Theme | undefined {
  const [own] = line;
  if (own === undefined) return undefined;
  const missing: { field: Field; action: string }[] = [];
  let complete = true;
  const inherited = <F extends keyof ThemeFields>(
    field: F,
  ): { value: ThemeFields[F] & {}; from: ThemeSource } | undefined => {
    for (const from of OWN_FIELDS.has(field as Field) ? [own] : line) {
      const value = from.fields[field];
      if (value !== undefined) return { value, from };
      if (from.claimed.has(field)) return undefined; // reported there
    }
    return undefined;
  };
  const required = <F extends Field>(
    field: F,
    action: string,
  ): { value: ThemeFields[F] & {}; from: ThemeSource } | undefined => {
    const found = inherited(field);
    if (found === undefined) {
      complete = false;
      // What the theme at the end of the line has not either is reported there alone.
      const isOwn = line.length === 1 || OWN_FIELDS.has(field);
      if (isOwn && !own.claimed.has(field)) missing.push({ field, action });
    }
    return found;
  };

  const id = required('id', 'Write a whole number that no other theme has.');
  const name = required('name', 'Write the short name of the theme.');
  const palette = required('palette_preview', 'List nine colours under it.');
  const settings = Object.fromEntries(
    Object.entries(SETTING_DEFAULTS).map(([key, otherwise]) => {
      const field = key as keyof typeof SETTING_DEFAULTS;
      const accepted = field === 'logo_alignment' ? site.logo_alignments : site.logo_types;
      const usable = typeof otherwise === 'number' || accepted.includes(otherwise);
      const found = usable
        ? inherited(field)
        : required(field, `This site does not accept the default \`${otherwise}\`: write ${quoteList(accepted)}.`);
      return [field, found?.value ?? otherwise];
    }),
  ) as unknown as Settings;
  const pictures = Object.fromEntries(
    [...PICTURE_FIELDS, ...IMAGE_SET_FIELDS].flatMap((field) => {
      const found = required(
        field,
        `Name the picture, like \`${field}: ${field.replaceAll('_', '-')}.svg\`; pictures have no default.`,
      );
      const picture = found && pictureSource(field, found.value, found.from, found.from === own, site, report);
      if (picture === undefined) complete = false;
      return picture === undefined ? [] : [[field, picture]];
    }),
  ) as Theme['pictures'];
  const [first, second] = missing;
  if (first !== undefined) {
    const action =
      second === undefined
        ? first.action
        : 'Write them, or write `extends:` and the folder name of a theme that has them.';
    report('field/missing', own.document.keyAt([]), { fields: missing.map(({ field }) => field), action });
  }
  if (!complete || id === undefined || name === undefined || palette === undefined) return undefined;
  return {
    slug: own.slug,
    id: id.value,
    name: name.value,
    is_default: own.fields.is_default ?? false,
    settings,
    palette_preview: palette.value,
    pictures,
  };
}

/** Checks how a picture is named; findings are reported once, for the theme that wrote the name. */
function pictureSource(
  field: PictureField | ImageSetField,
  value: string | { original: string; thumbnail: string },
  from: ThemeSource,
  isOwn: boolean,
  site: Site,
  report: Report,
): PictureSource | undefined {
  const say: Report = isOwn ? report : () => undefined;
  const location = from.document.valueAt([field]);
  if (typeof value !== 'string') {
    const urls = (['original', 'thumbnail'] as const).map((part) =>
      checkUrl(value[part], from.document.valueAt([field, part]), site, say),
    );
    return urls.every(Boolean) ? { url: value.original, thumbnailUrl: value.thumbnail, location } : undefined;
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(value) || value.startsWith('//')) {
    if (!checkUrl(value, location, site, say)) return undefined;
    if (FIELDS[field] === 'picture') return { url: value, thumbnailUrl: undefined, location };
    say('image/url-thumbnail', location, { field });
    return undefined;
  }
  const file = value.replace(/^(?:\.\/)+/, '');
  const parts = file.split('/');
  if (
    /[\\\u0000-\u001f\u007f]|^[a-z]:/i.test(value) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  ) {
    say('image/path', location, { value });
    return undefined;
  }
  return { slug: from.slug, path: file, location };
}

function checkUrl(text: string, location: Location, site: Site, report: Report): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.username + url.password + url.port !== '' || url.href !== text) {
    const isPlain = url?.protocol === 'https:' && url.username + url.password + url.port === '';
    report('image/url-insecure', location, { url: text, suggestion: isPlain ? url.href : undefined });
    return false;
  }
  if (!site.allowed_hosts.includes(url.hostname)) {
    report('image/url-host', location, { host: url.hostname });
    return false;
  }
  return true;
}

function checkIds(sources: readonly ThemeSource[], report: Report): void {
  const owners = new Map<number, ThemeSource>();
  let greatest = sources.reduce((id, { fields }) => Math.max(id, fields.id ?? 0), 0);
  for (const source of sources) {
    const { id } = source.fields;
    if (id === undefined) continue;
    const other = owners.get(id);
    if (other === undefined) owners.set(id, source);
    else
      report('theme/duplicate-id', source.document.valueAt(['id']), {
        id,
        other: other.document.file,
        free: ++greatest,
      });
  }
}

function checkDefault(sources: readonly ThemeSource[], all: boolean, report: Report): void {
  const [first, ...others] = sources.filter(({ fields }) => fields.is_default === true);
  for (const source of others) {
    report('theme/second-default', source.document.valueAt(['is_default']), { other: first?.document.file ?? '' });
  }
  const [any] = sources;
  if (first === undefined && all && any !== undefined && !sources.some(({ claimed }) => claimed.has('is_default'))) {
    report('theme/no-default', any.document.keyAt([]), { themes: sources.length });
  }
}
