import type { Authoring } from '../config.ts';
import type { Authored } from '../../build/pipeline.ts';
import { parseYaml } from '../../source/yaml.ts';
import { IMAGE_SET_FIELDS } from '../../theme/fields.ts';
import { nextId } from '../../theme/next-id.ts';
import { readTexts } from '../../io/themes/texts.ts';

/** How the themes and users are written that the CMS is to edit. */
export function authoringOf({ content, sources, themes }: Pick<Authored, 'content' | 'sources' | 'themes'>): Authoring {
  const { rows, yaml } = content.users;
  const texts = readTexts(content.themes.map(({ file, path }) => [file, path]));
  const palettes = content.themes.map(({ file }) => paletteOf(file, texts.get(file)));
  return {
    byUrls: IMAGE_SET_FIELDS.filter((field) => themes.some(({ images }) => 'url' in images[field])),
    hasHexColours: palettes.every((palette) => palette?.every(isHex)),
    nextId: nextId([...texts.values()], sources),
    slugs: content.themes.map(({ slug }) => slug),
    hasRowsOnly: yaml === undefined && rows.length > 0,
  };
}

/** The colours of a theme as they are written; none if it inherits them, nothing if they cannot be read. */
function paletteOf(file: string, text = ''): readonly unknown[] | undefined {
  const document = parseYaml(file, text, () => undefined);
  const palette = document?.data['palette_preview'] ?? (document && []);
  return Array.isArray(palette) ? palette : undefined;
}

function isHex(colour: unknown): boolean {
  return typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour);
}
