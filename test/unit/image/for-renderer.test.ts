import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forRenderer } from '../../../src/core/image/svg/for-renderer.ts';

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const SIZED = 'viewBox="0 0 10 10" width="10" height="10"';
const rewritten = (root: string, body: string): string =>
  forRenderer(`<svg ${NAMESPACES} ${root}>${body}</svg>`, [250, 250]);

/** Returns the content of an SVG as rewritten for librsvg. */
const content = (body: string): string => /^<svg[^>]*>(.*)<\/svg>$/.exec(rewritten(SIZED, body))?.[1] ?? '';

describe('for librsvg', () => {
  it.each([
    ['<rect width="1in" x="2mm" height="9"/>', '<rect width="96px" x="7.559055px" height="9"/>'],
    ['<g stroke-dasharray="1pt 3PX"/>', '<g stroke-dasharray="1.333333px 3px"/>'],
    ['<g fill="oklch(60% .2 250)"/>', '<g fill="#0081f1"/>'],
    ['<g style="FILL:color(display-p3 1 0 0 / .5)!important"/>', '<g style="fill:#ff000080"/>'],
    ['<g id="2in" class="2in" fill="rgb(1,2,3)"/>', '<g id="2in" fill="rgb(1,2,3)"/>'],
    ['<g fill="url(#a:5mm)"/>', '<g fill="url(#a:5mm)"/>'],
    ['<polygon points="1,2 3,4 5"/>', '<polygon points="1,2 3,4"/>'],
    ['<g filter="blur(3)" stroke-width="-5"/>', '<g/>'],
    ['<g style="filter:blur(3);stroke-width:-5"/>', '<g/>'],
    ['<linearGradient gradientUnits="userspaceonuse"/>', '<linearGradient/>'],
    ['<path d="M1 2 L3 4 5 6. 7"/>', '<path d="M1 2 L 3 4"/>'],
    ['<path d="M1 2L3 4 5 6 7. 8"/>', '<path d="M1 2L 3 4 5 6"/>'],
    ['<path d="M1 2V1e9"/>', '<path d="M1 2V1000000"/>'],
    ['<path d="M1 2V3" style="d:none"/>', '<path d=""/>'],
    ['<title>a</title><desc/><metadata/><text>a &amp; b</text>', '<text>a &amp; b</text>'],
    [`<g font-family='"a&amp;b"'/>`, '<g font-family="&quot;a&amp;b&quot;"/>'],
  ])('content is rewritten: %s', (body, expected) => {
    expect(content(body)).toBe(expected);
  });

  it.each([
    ['.a,.b:hover{r:1in}.c:hover{r:2px}', '<g class="a b c"/>', '<g style="r:96px"/>'],
    ['@media screen{.a{r:1px}.a{r:3px}}@media print{.a{r:2px}}', '<g class="a"/>', '<g style="r:1px;r:3px"/>'],
    ['@media (prefers-reduced-motion:reduce){g{r:1px}}@media (prefers-color-scheme:dark){g{r:2px}}', '<g/>', '<g/>'],
    [
      '#i{r:3px}.a{r:2px}g{r:1px}*{r:0}',
      '<g id="i" class="a" r="9"/>',
      '<g id="i" r="9" style="r:0;r:1px;r:2px;r:3px"/>',
    ],
    ['g{r:1px!important}', '<g style="r:2px"/>', '<g style="r:2px;r:1px"/>'],
    ['svg>.a+.b~path{r:1px}', '<g class="a"/><g class="b"/><g/><path/>', '<g/><g/><g/><path style="r:1px"/>'],
    ['.a path{r:1px}', '<g class="a"><g><path/></g></g><path/>', '<g><g><path style="r:1px"/></g></g><path/>'],
    ['g{fill:unset;stroke:initial;opacity:unset}', '<g opacity=".5"/>', '<g style="fill:inherit;stroke:none"/>'],
  ])('every element gets all its style: %s', (sheet, body, expected) => {
    expect(content(`<style>${sheet}</style>${body}`)).toBe(expected);
  });

  it.each([
    ['translate(1,2)', 'transform="translate(5)"'],
    ['translate(1px 2px)', 'transform="translate(5)"'],
    ['rotate(0) translate(1px)', 'transform="matrix(1 0 0 1 1 0)"'],
    ['translate(1px)!important', 'transform="matrix(1 0 0 1 1 0)"'],
    ['scalex(2) skewy(0)', 'transform="matrix(2 0 0 1 0 0)"'],
    ['none', ''],
    ['unset', ''],
    ['inherit', 'transform="matrix(1 0 0 1 0 3)"'],
  ])('a transformation in CSS replaces the attribute if it is valid: %s', (value, attribute) => {
    expect(
      content(`<g transform="matrix(1 0 0 1 0 3)"><g transform="translate(5)" style="transform:${value}"/></g>`),
    ).toBe(`<g transform="matrix(1 0 0 1 0 3)"><g${attribute && ' '}${attribute}/></g>`);
  });

  it.each([
    ['width="60mm" height="1in" viewBox="0 0 1 1"', 'width="226.771654" height="96" viewBox="0 0 1 1" font-size="16"'],
    [
      'width="10em" height="5em" font-size="20" viewBox="0 0 2 1"',
      'width="200" height="100" font-size="20" viewBox="0 0 2 1"',
    ],
    [SIZED, `${SIZED} font-size="16"`],
  ])('the size is rewritten: %s', (attributes, expected) => {
    expect(rewritten(attributes, '<g/>')).toBe(`<svg ${NAMESPACES} ${expected}><g/></svg>`);
  });

  it("the root's background, transformation about the centre and opacity become elements that no rule reaches", () => {
    const root = `${SIZED} style="background-color:red;background:#fc0;opacity:.5" transform="scale(1,-1)"`;
    expect(rewritten(root, '<style>path{fill:red}*{opacity:.2}</style><g/>')).toContain(
      '<path d="M0 0h10v10h-10z" fill="#fc0" fill-opacity="1" stroke="none" marker-mid="none" marker-start="none" marker-end="none"/>' +
        '<g transform="matrix(1 0 0 -1 0 10)" opacity=".5"><g style="opacity:.2"/></g></svg>',
    );
    expect(rewritten(`${SIZED} style="background-color:red;background:none"`, '<g/>')).not.toContain('<path');
  });

  it.each([
    [
      'a gradient without extent',
      '<linearGradient id="p" x2="0"><stop stop-color="red"/></linearGradient>',
      'gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="1" y2="0"',
    ],
    [
      'a far pattern',
      '<pattern id="p" width="2" height="2" x="7" patternUnits="userSpaceOnUse" patternTransform="translate(41)"><g/></pattern>',
      'x="0" patternUnits="userSpaceOnUse" patternTransform="matrix(1 0 0 1 0 0)" y="0"><g/>',
    ],
    [
      'a tiny tile',
      '<pattern id="p" width=".02" height="2" patternUnits="userSpaceOnUse"/>',
      'patternTransform="matrix(4 0 0 1 0 0)"',
    ],
  ])('%s is rewritten', (_, paint, expected) => {
    expect(content(`${paint}<g fill="url(#p)"/>`)).toContain(expected);
  });

  it.each([
    '<line y2="0" x2="9"',
    '<path d="M1 2h9"',
    '<path d="M1 2L1 9"',
    '<polyline points="1,2 5,2"',
    '<g><path d="M1 2V9"/></g><path d="M0 0V1"',
  ])('a mask by the box of a straight line leaves nothing: %s', (line) => {
    expect(content(`<mask id="m"/>${line} mask="url(#m)"/>`)).not.toContain('mask="url');
  });

  it('a text that is no SVG is unchanged', () => {
    fc.assert(fc.property(fc.string(), (text) => forRenderer(text, [9, 9]) === text));
    expect(forRenderer('<svg width="1mm"><g></svg>', [9, 9])).toBe('<svg width="1mm"><g></svg>');
  });
});
