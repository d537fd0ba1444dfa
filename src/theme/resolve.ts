import type { Report } from '../diagnostics/diagnostic.ts';
import { quoteList } from '../diagnostics/quote.ts';
import { type Field, IMAGE_SET_FIELDS, type ImageSetField, PICTURE_FIELDS, type PictureField } from './fields.ts';
import { SETTING_DEFAULTS, type ThemeFields } from './schema.ts';
import type { Site } from './site.ts';
import { type PictureSource, pictureSource } from './image-source.ts';
import { meantBy, type Renamed } from './renamed.ts';
import { checkDefault, checkIds } from './unique.ts';
import type { ThemeSource } from './validate.ts';

/** The settings of a theme; lengths are in CSS pixels. */
export type ThemeSettings = { -readonly [F in keyof typeof SETTING_DEFAULTS]: ThemeFields[F] & {} };

/** A theme with everything it inherits and every default: nothing is absent. */
export interface Theme {
  /** Name of its folder. */
  slug: string;
  /** Unique and permanent number. */
  id: number;
  /** Short name. */
  name: string;
  /** Whether anonymous and unknown users get it. */
  is_default: boolean;
  /** What it has or inherits, or the defaults. */
  settings: ThemeSettings;
  /** Nine colours as `hsl(h,s%,l%)` with whole numbers. */
  palette_preview: readonly string[];
  /** Where each image comes from. */
  pictures: Record<PictureField | ImageSetField, PictureSource>;
}

/** Fields that identify one theme and so are never inherited. */
const OWN_FIELDS: ReadonlySet<Field> = new Set<Field>(['id', 'is_default']);

/**
 * Follows `extends`, fills in defaults and checks what only shows across themes.
 * @param folders - every theme folder, also of themes that could not be read
 * @param renamed - themes that `extends` may name as they were called before
 * @returns themes in the order of their ids
 */
export function resolveThemes(
  sources: readonly ThemeSource[],
  folders: ReadonlySet<string>,
  site: Site,
  report: Report,
  renamed: Renamed = new Map(),
): Theme[] {
  checkIds(sources, report);
  checkDefault(sources, sources.length === folders.size, report);
  const lines = followExtends(sources, folders, report, renamed);
  const themes = sources.flatMap((source) => {
    const line = lines.get(source);
    return line === undefined ? [] : (resolveTheme(source, line, site, report) ?? []);
  });
  return themes.toSorted((a, b) => a.id - b.id);
}

/** A field with the theme that wrote it; nothing if it is wrong there, which is reported there. */
type Found = { [F in keyof ThemeFields]?: { value: ThemeFields[F] & {}; from: ThemeSource } | undefined };

/** What a theme has of its own or inherits: a field that is in neither is not in here. */
interface Line {
  fields: Found;
  extends: boolean;
}

/**
 * Follows `extends`, each theme once, however long the chains are: a theme takes what the one that it extends has come to.
 * @returns nothing for themes of a broken chain, which is reported where it breaks
 */
function followExtends(
  sources: readonly ThemeSource[],
  folders: ReadonlySet<string>,
  report: Report,
  renamed: Renamed,
): Map<ThemeSource, Line | undefined> {
  const bySlug = new Map(sources.map((source) => [source.slug, source]));
  const lines = new Map<ThemeSource, Line | undefined>();
  for (const source of sources) {
    const chain = new Set<ThemeSource>();
    let next: ThemeSource | undefined = source;
    let isWhole = true;
    while (next !== undefined && !lines.has(next)) {
      if (chain.has(next)) {
        reportCycle([...chain], next, report);
        isWhole = false;
        break;
      }
      chain.add(next);
      const slug: string | undefined = next.fields.extends;
      if (slug === undefined) {
        isWhole = !next.claimed.has('extends'); // otherwise wrong, and reported
        break;
      }
      if (!folders.has(slug)) {
        const meant = meantBy(slug, [...folders], renamed);
        report('theme/extends-unknown', next.document.valueAt(['extends']), { parent: slug, ...meant });
      }
      next = bySlug.get(slug);
      isWhole = next !== undefined;
    }
    for (const theme of [...chain].toReversed()) {
      const parent = bySlug.get(theme.fields.extends ?? '');
      const inherited = parent && lines.get(parent);
      if (parent !== undefined && inherited === undefined) isWhole = false;
      lines.set(theme, isWhole ? lineOf(theme, inherited) : undefined);
    }
  }
  return lines;
}

function reportCycle(chain: readonly ThemeSource[], again: ThemeSource, report: Report): void {
  const circle = [...chain.slice(chain.indexOf(again)), again].map(({ slug }) => slug);
  const last = chain.at(-1) ?? again;
  report('theme/extends-cycle', last.document.valueAt(['extends']), { chain: circle });
}

function lineOf(source: ThemeSource, inherited: Line | undefined): Line {
  const fields: Record<string, unknown> = { ...inherited?.fields };
  for (const field of OWN_FIELDS) delete fields[field];
  for (const field of source.claimed) fields[field] = undefined;
  for (const [field, value] of Object.entries(source.fields)) fields[field] = { value, from: source };
  return { fields, extends: inherited !== undefined };
}

function resolveTheme(
  own: ThemeSource,
  { fields, extends: inherits }: Line,
  site: Site,
  report: Report,
): Theme | undefined {
  const missing: { field: Field; action: string }[] = [];
  let complete = true;
  const required = <F extends Field>(field: F, action: string): Found[F] => {
    const found = fields[field];
    if (found === undefined) {
      complete = false;
      // What the theme at the end of the line has not either is reported there alone.
      const isOwn = !inherits || OWN_FIELDS.has(field);
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
        ? fields[field]
        : required(field, `This site does not accept the default \`${otherwise}\`: write ${quoteList(accepted)}.`);
      return [field, found?.value ?? otherwise];
    }),
  ) as unknown as ThemeSettings;
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
