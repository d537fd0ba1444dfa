import { describe, expect, it } from 'vitest';
import { type ImageReference, inspectImage } from '../../../src/core/image/inspect.ts';
import { solidImage } from '../../images.ts';
import { diagnosticsOf } from '../collect.ts';

function reference(path: string, field: ImageReference['field'] = 'logo', line = 1): ImageReference {
  const location = { file: 'theme.yaml', start: { line, column: 1 } };
  return { field, source: { path, slug: 'harbor', location } };
}

/** Returns the reported codes, each with its line in theme.yaml or its location in the SVG, and the published bytes. */
function inspect(
  bytes: Buffer,
  references: readonly ImageReference[],
): { codes: string[]; image: ReturnType<typeof inspectImage> } {
  let image: ReturnType<typeof inspectImage>;
  const diagnostics = diagnosticsOf((report) => (image = inspectImage(bytes, 'logo.svg', references, report)));
  return { codes: diagnostics.map(({ code, location }) => `${code} ${location.file}:${location.start?.line}`), image };
}

const svg = (size: string, content = '<path d="M0 0"/>'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`);
const SQUARE = 'viewBox="0 0 64 64"';
const png = await solidImage(64, 64).png().toBuffer();

// The fixtures image.* show which images are rejected; these tests are about limits, and about an image in several fields.
describe('an inspected image', () => {
  it('is rejected if it is an SVG that refers to its metadata', () => {
    const drawing = svg(SQUARE, '<metadata><path id="x" d="M0 0"/></metadata><use href="#x"/>');
    expect(inspect(drawing, [reference('logo.svg')])).toEqual({
      codes: ['image/corrupt theme.yaml:1'],
      image: undefined,
    });
  });

  it('is reported at every field that uses it', () => {
    const references = [reference('logo.jpg', 'logo', 2), reference('logo.jpg', 'logo_inverse', 3)];
    expect(inspect(png, references).codes).toEqual(['image/extension theme.yaml:2', 'image/extension theme.yaml:3']);
    const twoReferences = [reference('a.png', 'logo', 2), reference('a.png', 'compact_logo', 5)];
    expect(inspect(png.subarray(0, -1), twoReferences).codes).toEqual([
      'image/corrupt theme.yaml:2',
      'image/corrupt theme.yaml:5',
    ]);
  });

  it('has at most 40 megapixels, and 16 as AVIF', async () => {
    const codesOf = async (width: number, height: number, format: 'png' | 'avif'): Promise<string[]> =>
      inspect(await solidImage(width, height)[format]({ effort: 1 }).toBuffer(), [reference(`logo.${format}`)]).codes;
    expect(await codesOf(8000, 5000, 'png')).toEqual([]);
    expect(await codesOf(8000, 5001, 'png')).toEqual(['image/too-many-pixels theme.yaml:1']);
    expect(await codesOf(4000, 4001, 'avif')).toEqual(['image/too-many-pixels theme.yaml:1']);
  });

  it('is reported in the favicon alone, if it is not a square of at least 32 pixels', async () => {
    const smallImage = await solidImage(31, 31).png().toBuffer();
    expect(inspect(smallImage, [reference('a.png', 'favicon', 4), reference('a.png', 'logo', 2)]).codes).toEqual([
      'image/favicon theme.yaml:4',
    ]);
    expect(inspect(png, [reference('a.png', 'favicon')]).codes).toEqual([]);
    const codesForWidth = (width: number): string[] =>
      inspect(svg(`viewBox="0 0 ${width} 100"`), [reference('a.svg', 'favicon')]).codes;
    expect(codesForWidth(101)).toEqual([]);
    expect(codesForWidth(102)).toEqual(['image/favicon theme.yaml:1']);
  });
});
