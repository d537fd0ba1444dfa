import { contrast, type PaletteColour } from '../../core/theme/colour/palette.ts';

/**
 * Returns `palette_preview` for theme.yaml, with contrast ratios (WCAG) as comments.
 * @param hasSwatches - whether each line shows its colour, in a terminal
 */
export function paletteYaml(colours: readonly PaletteColour[], hasSwatches: boolean): string {
  const lines = colours.map(({ hex, share, isSeed }) => {
    const area = isSeed
      ? 'the colour given'
      : share === undefined
        ? 'a step'
        : `${Math.round(share * 100)} % of the area`;
    const ratios = `contrast ${ratio(contrast(hex, 'white'))} on white, ${ratio(contrast(hex, 'black'))} on black`;
    return `  - "${hex}" # ${hasSwatches ? `${swatch(hex)} ` : ''}${area.padEnd(17)} ${ratios}`;
  });
  return ['palette_preview:', ...lines, ''].join('\n');
}

export function paletteLine(colours: readonly PaletteColour[], hasSwatches: boolean): string {
  const parts = colours.map(({ hex }) => (hasSwatches ? `${swatch(hex)} ${hex}` : hex));
  return `Colours of the logo: ${parts.join(' ')}\n`;
}

const ratio = (value: number): string => value.toFixed(1).padStart(4);

/** Returns a coloured block, in 24-bit colour (ISO 8613-6). */
function swatch(hex: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `\u001b[48;2;${r};${g};${b}m    \u001b[0m`;
}
