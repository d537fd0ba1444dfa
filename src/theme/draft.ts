import { ANY_IMAGE_FIELDS, FIELDS, SETTING_FIELDS } from './fields.ts';
import { imageSource } from './image-source.ts';
import { followExtends, inheritFields, type Theme, type ThemeSettings } from './resolve.ts';
import type { Site } from './site.ts';
import type { ThemeSource } from './theme-source.ts';

/** A theme with all that is valid of it, however much it lacks. */
export interface Draft extends Pick<Theme, 'slug' | 'is_default' | 'settings'> {
  source: ThemeSource;
  id: number | undefined;
  name: string | undefined;
  /** Nothing for an entry that is not a colour; may have fewer entries than it should. */
  palette_preview: readonly (string | null)[];
  images: Partial<Theme['images']>;
}

/** Every theme as far as it is valid, in the order of their ids. Reports nothing: `resolveThemes` does. */
export function draftThemes(sources: readonly ThemeSource[], folders: ReadonlySet<string>, site: Site): Draft[] {
  const silent = (): void => undefined;
  const resolved = followExtends(sources, folders, silent, new Map());
  const drafts = sources.map((source): Draft => {
    const { fields } = resolved.get(source) ?? inheritFields(source, undefined);
    const images = ANY_IMAGE_FIELDS.flatMap((field) => {
      const value = fields[field];
      const image = value && imageSource(field, value.value, value.from, false, site, silent);
      return image === undefined ? [] : [[field, image] as const];
    });
    const settings = SETTING_FIELDS.map((field) => [field, fields[field]?.value ?? FIELDS[field].default] as const);
    return {
      source,
      slug: source.slug,
      id: source.fields.id,
      name: fields.name?.value,
      is_default: source.fields.is_default ?? FIELDS.is_default.default,
      settings: Object.fromEntries(settings) as unknown as ThemeSettings,
      palette_preview: source.partialPalette ?? fields.palette_preview?.value ?? [],
      images: Object.fromEntries(images),
    };
  });
  return drafts.toSorted((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity));
}

/** What stands for a `theme.yaml` that cannot be parsed. */
export function emptySource(slug: string, file: string): ThemeSource {
  return { slug, file, fields: {}, invalid: [], spans: {}, written: {} };
}
