import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forRenderer } from '../../../src/image/svg/for-renderer.ts';

const open = (attributes: string): string => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>`;
const SIZED = 'viewBox="0 0 10 10" width="10" height="10"';

/** Returns the content of an SVG as rewritten for librsvg. */
function content(body: string): string {
  const rewritten = forRenderer(`${open(SIZED)}${body}</svg>`);
  expect(rewritten.startsWith(open(SIZED))).toBe(true);
  return rewritten.slice(open(SIZED).length, -'</svg>'.length);
}

describe('for librsvg', () => {
  it.each([
    ['<rect width="1in" x="2mm" height="9"/>', '<rect width="96px" x="7.559055px" height="9"/>'],
    ['<g stroke-dasharray="1pt 3PX"/>', '<g stroke-dasharray="1.333333px 3px"/>'],
    ['<g fill="oklch(60% .2 250)"/>', '<g fill="#0081f1"/>'],
    ['<g style="FILL:color(display-p3 1 0 0 / .5)!important"/>', '<g style="fill:#ff000080!important"/>'],
    ['<g id="2in" class="2in" fill="rgb(1,2,3)"/>', '<g id="2in" class="2in" fill="rgb(1,2,3)"/>'],
    ['<polygon points="1,2 3,4 5"/>', '<polygon points="1,2 3,4"/>'],
    ['<style>.a,.b:hover{r:1in}.c:hover{r:2px}</style>', '<style>.a{r:96px}</style>'],
    ['<style>@media screen{.a{r:1px}}@media print{.a{r:2px}}</style>', '<style>.a{r:1px}</style>'],
    ['<g style="transform:translate(1,2)"/>', '<g style="transform:none"/>'],
    ['<g filter="blur(3)" stroke-width="-5"/>', '<g filter="none" />'],
  ])('content is rewritten: %s', (body, rewritten) => {
    expect(content(body)).toBe(rewritten);
  });

  it.each([
    ['width="60mm" height="1in" viewBox="0 0 1 1"', 'width="226.771654" height="96" viewBox="0 0 1 1"'],
    [
      'width="10em" height="5em" font-size="20" viewBox="0 0 2 1"',
      'width="200" height="100" font-size="20" viewBox="0 0 2 1"',
    ],
    [SIZED, SIZED],
  ])('the size is rewritten: %s', (attributes, rewritten) => {
    expect(forRenderer(`${open(attributes)}<g/></svg>`)).toBe(`${open(rewritten)}<g/></svg>`);
  });

  it("the root's background, and its transformation about the centre, become elements", () => {
    const rewritten = forRenderer(`${open(`${SIZED} style="background:#fc0" transform="scale(1,-1)"`)}<g/></svg>`);
    expect(rewritten).toContain('<path style="fill:#fc0!important');
    expect(rewritten).toContain(
      '<a transform="scale(1 1) translate(5 5) scale(1 -1) translate(-5 -5) scale(1 1)"><g/></a></svg>',
    );
    expect(rewritten).toContain('transform:none!important');
  });

  it('a text that is no SVG is unchanged', () => {
    fc.assert(fc.property(fc.string(), (text) => forRenderer(text) === text));
    expect(forRenderer('<svg width="1mm"><g></svg>')).toBe('<svg width="1mm"><g></svg>');
  });

  it('attribute values are escaped', () => {
    expect(content(`<g font-family='"a&amp;b"' x="1in"/>`)).toContain(`font-family='"a&amp;b"'`);
    expect(content(`<g style='font-family:"a&lt;b";r:1in'/>`)).toBe(
      '<g style="font-family:&quot;a&lt;b&quot;;r:96px"/>',
    );
  });
});
