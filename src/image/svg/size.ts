import { lengthOf } from './dimensions.ts';

/** The start tag of the outermost element. */
const ROOT = /<(?:[\w.-]+:)?svg\b(?:[^>"']|"[^"]*"|'[^']*')*>/;

/**
 * Width and height of an SVG: in pixels if it says both so, otherwise those of its `viewBox`, which only their ratio counts of.
 * @param text - of an SVG that was checked
 */
export function sizeOf(text: string): { width: number; height: number } | undefined {
  const root = ROOT.exec(text.replaceAll(/<!--[^]*?-->/g, ''))?.[0] ?? '';
  const attribute = (name: string): string =>
    new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(root)?.slice(1).find(Boolean) ?? '';
  const [width, height] = [lengthOf(attribute('width')), lengthOf(attribute('height'))];
  if (width !== undefined && height !== undefined) return { width, height };
  const [, , across, down] = attribute('viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return across !== undefined && down !== undefined ? { width: across, height: down } : undefined;
}
