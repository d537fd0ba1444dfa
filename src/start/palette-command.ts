import { defineCommand, UsageError } from '../command-line/command.ts';
import { printDiagnostics } from '../build/read-themes.ts';
import { showsColours } from '../command-line/colours.ts';
import type { PaletteColour } from '../theme/palette.ts';

export const command = defineCommand({
  examples: ['palette logo.svg', 'palette seagreen'],
  argument: 'FILE|COLOUR',
  flags: {},
  details:
    'FILE is a logo: its own colours come first, by area and contrast, then steps of its main colour. COLOUR is any CSS colour, such as "#0b5fff", and becomes nine steps from dark to light. The output is YAML for theme.yaml, with contrast ratios (WCAG) as comments.',
  async run(_flags, argument) {
    const colours = await coloursOf(argument);
    if (colours === undefined) return 1;
    process.stdout.write(await yaml(colours, showsColours()));
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
  // A palette needs no favicon.
  const report: typeof diagnostics.report = (code, location, args) => {
    if (code !== 'image/wide') diagnostics.report(code, location, args);
  };
  const logo = await readLogo(argument, report).catch((error: unknown) => {
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
