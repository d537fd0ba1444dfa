import { defineCommand, UsageError } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { didYouMean } from '../command-line/parse.ts';
import { repeatedFlags } from '../command-line/site-root.ts';
import { printDiagnostics } from '../build/read-themes.ts';
import { showsColours } from '../command-line/colours.ts';
import { quote } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { invocation } from '../io/invocation.ts';
import type { PaletteColour } from '../theme/palette.ts';

export const command = defineCommand({
  examples: ['palette logo.svg', 'palette seagreen --write meadow'],
  argument: 'FILE|COLOUR',
  flags: {
    themes: FLAGS.themes,
    write: { type: 'string', value: 'THEME', about: 'Put them into the theme.yaml of this theme' },
  },
  details:
    'FILE is a logo: its own colours come first, by area and contrast, then steps of its main colour. COLOUR is any CSS colour, such as "#0b5fff", and becomes nine steps from dark to light. The output is YAML, with contrast ratios (WCAG) as comments.',
  async run({ themes, write }, argument) {
    const colours = await coloursOf(argument);
    if (colours === undefined) return 1;
    if (write === undefined) process.stdout.write(await yaml(colours, showsColours()));
    else process.stdout.write(await writePalette(themes, write, colours));
    return 0;
  },
});

/** Nine colours; nothing if the image has errors, which are printed. */
async function coloursOf(argument: string): Promise<readonly PaletteColour[] | undefined> {
  const { paletteOfColour } = await import('../theme/palette.ts');
  const steps = paletteOfColour(argument);
  if (!('problem' in steps)) return steps;
  // A word is a file, even if it is a misspelt colour: what is wrong with it then shows.
  if (/^#|\(/.test(argument))
    throw new UsageError(
      `\`${argument}\` is not an opaque CSS colour. Write it like "#0b5fff", "hsl(219, 100%, 52%)" or navy; in a shell, put it in quotes.`,
    );
  const { Diagnostics } = await import('../diagnostics/diagnostic.ts');
  const { readLogo } = await import('./io/read-logo.ts');
  const diagnostics = new Diagnostics();
  const logo = await readLogo(argument, diagnostics.report).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(`${error.message} Nor is it a CSS colour.`) : error;
  });
  printDiagnostics(diagnostics.sorted);
  return logo?.palette;
}

/** `palette_preview` as it is pasted into theme.yaml. */
async function yaml(colours: readonly PaletteColour[], swatches: boolean): Promise<string> {
  const { contrast } = await import('../theme/palette.ts');
  const lines = colours.map(({ hex, share, isGiven }) => {
    const area = isGiven
      ? 'the colour given'
      : share === undefined
        ? 'a step'
        : `${Math.round(share * 100)} % of the area`;
    const ratios = `contrast ${ratio(contrast(hex, 'white'))} on white, ${ratio(contrast(hex, 'black'))} on black`;
    return `  - "${hex}" # ${swatches ? `${swatch(hex)} ` : ''}${area.padEnd(17)} ${ratios}`;
  });
  return ['palette_preview:', ...lines, ''].join('\n');
}

const ratio = (value: number): string => value.toFixed(1).padStart(4);

/** A block in the colour itself: 24-bit colour (ISO 8613-6), which terminals that show colours have. */
function swatch(hex: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `\u001b[48;2;${r};${g};${b}m    \u001b[0m`;
}

/** Puts the colours into a theme.yaml and leaves the rest of it as it is. @returns what was done */
async function writePalette(themes: string, slug: string, colours: readonly PaletteColour[]): Promise<string> {
  const { readThemes } = await import('../build/read-themes.ts');
  const { editYaml } = await import('../source/edit-yaml.ts');
  const { RECORD_FIELDS } = await import('../theme/fields.ts');
  const { writableFolder } = await import('../io/disk/tracked.ts');
  const { TEXT_LIMIT } = await import('../io/themes/discover.ts');
  const { authored, diagnostics } = await readThemes(themes);
  const slugs = authored.content.themes.map((theme) => theme.slug);
  const unread = diagnostics.find(({ location }) => location.file === authored.content.display(slug));
  if (unread !== undefined) throw new UsageError(`${unread.message} ${unread.hint ?? ''}`);
  if (!slugs.includes(slug))
    throw new UsageError(`There is no theme ${quote(slug)}.${didYouMean(suggest(slug, slugs)) ?? ''}`);
  const folder = writableFolder(themes);
  const name = `${slug}/theme.yaml`;
  const text = (await folder.read(name, TEXT_LIMIT))?.toString() ?? '';
  const hexes = colours.map(({ hex }) => hex);
  const edited = editYaml(text, new Map([['palette_preview', hexes]]), RECORD_FIELDS);
  if (edited === undefined)
    throw new UsageError(`${themes}/${name} has errors: fix them first. \`${invocation('check')}\` lists them.`);
  await folder.replace(name, edited, 0o644);
  return `✔ palette_preview of ${slug} written\n\nNext: \`${invocation('dev', repeatedFlags({ themes }))}\` shows it.\n`;
}
