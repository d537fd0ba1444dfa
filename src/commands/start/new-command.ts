import path from 'node:path';
import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { showsColours } from '../../system/command-line/colours.ts';
import { FLAGS } from '../../system/command-line/flags.ts';
import { repeatedFlags } from '../../system/command-line/site-root.ts';
import { printDiagnostics, readValidSite } from '../../compiler/read-themes.ts';
import { count, quote, visibleLines } from '../../core/diagnostics/quote.ts';
import { suggest } from '../../core/diagnostics/suggest.ts';
import { invocation } from '../../system/command-line/invocation.ts';
import type { LinkedThemes } from '../../compiler/model.ts';
import type { SourceLogo, ThemeFiles } from '../../core/document/new-theme.ts';

const flags = {
  themes: FLAGS.themes,
  slug: { type: 'string', value: 'SLUG', about: 'Folder name of the theme (derived from NAME)' },
  from: { type: 'string', value: 'THEME', about: 'Inherit every other field from this theme (extends)' },
  logo: {
    type: 'string',
    value: 'FILE',
    about: 'The logo, also for the favicon and, without --colour, the palette',
  },
  colour: { type: 'string', value: 'COLOUR', about: 'A CSS colour for the palette' },
  quiet: { ...FLAGS.quiet, about: 'Print errors only' },
} as const;

export const command = defineCommand({
  examples: ['new Aurora --colour seagreen', "new 'Winter fair' --from harbor"],
  argument: 'NAME',
  flags,
  details:
    'The theme gets the next free id and a folder named after it. Everything else is a placeholder until you replace it; with --from, it is inherited.\n\nA palette has the colours of the logo first, by area and contrast, then steps of its main colour. A colour becomes nine steps from dark to light.',
  async run(values, name) {
    const linked = await readValidSite(
      values.themes,
      `A theme needs a valid site.yaml: fix it first, or make one with \`${invocation('init')}\`.`,
    );
    if (linked === undefined) return 1;
    const slug = await freeSlug(name, values.slug, linked);
    const parent = parentOf(values.from, linked);
    const palette = await paletteOf(values.colour);
    const logo = await logoOf(values.logo);
    if (logo === 'invalid') return 1;
    if (logo !== undefined && palette === undefined && !values.quiet)
      process.stdout.write(`Colours of the logo: ${logo.palette.map((hex) => swatch(hex) + hex).join(' ')}\n`);
    const { newTheme } = await import('../../core/document/new-theme.ts');
    const isDefault = themesIn(linked).length === 0;
    const theme = newTheme({ name, id: linked.nextId, isDefault, parent, palette, logo });
    const { writeNew } = await import('./io/write-new.ts');
    await writeNew(values.themes, new Map([...theme.files].map(([file, content]) => [`${slug}/${file}`, content])));
    if (!values.quiet) process.stdout.write(visibleLines(report(path.join(values.themes, slug), slug, theme, values)));
    return 0;
  },
});

/** Returns the folder name of --slug, or derives it from the name. @throws {UsageError} if it is invalid or in use */
async function freeSlug(name: string, requested: string | undefined, { walk }: LinkedThemes): Promise<string> {
  const { canBeSlug, slugOf } = await import('../../core/theme/slug.ts');
  const { themeSchema } = await import('../../core/theme/schema.ts');
  const { hasInvisible } = await import('../../core/source/text.ts');
  if (!themeSchema.shape.name.safeParse(name).success || hasInvisible(name))
    throw new UsageError('The name of a theme is one line of at most 100 characters, without spaces at its ends.');
  const slug = requested ?? slugOf(name);
  if (slug === undefined)
    throw new UsageError(`${quote(name)} has no letter that a folder name may have. Name the folder: --slug SLUG.`);
  if (!canBeSlug(slug))
    throw new UsageError(
      `${quote(slug)} cannot be the folder name of a theme: it has a–z, 0–9 and - only, and is no reserved name. Name another: --slug SLUG.`,
    );
  if (walk.slugs.includes(slug))
    throw new UsageError(`There is a theme ${quote(slug)} already. Give the new one another name, or --slug SLUG.`);
  return slug;
}

function parentOf(from: string | undefined, linked: LinkedThemes): string | undefined {
  const slugs = themesIn(linked);
  if (from === undefined || slugs.includes(from)) return from;
  const close = suggest(from, slugs);
  throw new UsageError(
    `--from: there is no theme ${quote(from)}.${close === undefined ? '' : ` Did you mean ${quote(close)}?`}`,
  );
}

/** Returns the folders with a theme.yaml, even if it has errors. */
function themesIn({ compiled }: LinkedThemes): string[] {
  return [...compiled.values()].flatMap(({ slug, file }) => (file === undefined ? [] : [slug]));
}

async function paletteOf(colour: string | undefined): Promise<readonly string[] | undefined> {
  if (colour === undefined) return undefined;
  const { paletteOfColour } = await import('../../core/theme/colour/palette.ts');
  const steps = paletteOfColour(colour);
  if (steps !== undefined) return steps;
  throw new UsageError(`--colour ${quote(colour)} is not an opaque CSS colour. Write it like "#0b5fff" or navy.`);
}

async function logoOf(file: string | undefined): Promise<SourceLogo | undefined | 'invalid'> {
  if (file === undefined) return undefined;
  const { Diagnostics } = await import('../../core/diagnostics/diagnostic.ts');
  const { readLogo } = await import('./io/read-logo.ts');
  const diagnostics = new Diagnostics();
  const logo = await readLogo(file, diagnostics.report);
  printDiagnostics(diagnostics.sorted);
  if (!diagnostics.hasErrors && logo !== undefined) return logo;
  process.stdout.write('✘ This logo cannot be used, so nothing was created.\n');
  return 'invalid';
}

/** Returns a block in a colour (24-bit, ISO 8613-6) and a space; empty if the terminal shows no colours. */
function swatch(hex: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return showsColours() ? `\u001b[48;2;${r};${g};${b}m    \u001b[0m ` : '';
}

function report(
  folder: string,
  slug: string,
  { files, placeholders, images: fields }: ThemeFiles,
  { themes, from, logo, colour }: ValuesOf<typeof flags>,
): string {
  const images = files.size - 1;
  const isOfLogo = (name: string): boolean => name !== 'favicon.png' && !placeholders.includes(name);
  const ofLogo = [...fields].filter(([, name]) => isOfLogo(name)).map(([field]) => field);
  const summary = [
    `✔ ${folder}/ created: theme.yaml${images === 0 ? '' : ` and ${count(images, 'image')}`}`,
    ...(from === undefined ? [] : [`  Inherited from ${from}: every field that is not in theme.yaml`]),
    ...(logo === undefined
      ? []
      : [
          `  From the logo: ${ofLogo.join(', ')}${colour === undefined ? ', favicon and palette_preview' : ' and favicon'}`,
        ]),
    ...(placeholders.length === 0
      ? []
      : [`  To replace: ${count(placeholders.length, 'placeholder')}, ${placeholders.join(', ')}`]),
  ];
  const flagsHere = repeatedFlags({ themes });
  const next = [
    'Next:',
    `  ${invocation('dev', flagsHere)}     # shows it while you edit ${folder}/theme.yaml`,
    `  ${invocation('check', flagsHere)}   # lists what is left to do`,
    `To assign it to a user, add a line such as \`u-1001,${slug}\` to ${path.join(themes, 'users.csv')}.`,
  ];
  return `${summary.join('\n')}\n\n${next.join('\n')}\n`;
}
