import { describe, expect, it } from 'vitest';
import { checkSvg } from '../../../src/core/image/svg/check.ts';
import { checkSvgFile } from '../../../src/core/image/svg/file.ts';
import { LIMITS } from '../../../src/core/image/svg/limits.ts';
import { diagnosticsOf, placesOf } from '../collect.ts';

// texts/svg-*.txt and texts/svgfile-*.txt show accepted and rejected files; these tests are about numbers, limits and bytes.

/** Returns a complete SVG. */
function svg(body: string, attributes = 'viewBox="0 0 24 24"'): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`;
}

const codes = (text: string): string[] =>
  diagnosticsOf((report) => checkSvg('logo.svg', text, report)).map(({ code }) => code);

const repeat = (times: number, piece: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => piece(index)).join('');

describe('the size check', () => {
  // The largest lengths that fit into 32,767 pixels, in each unit.
  const lengths =
    '1 +1.5e1 1. 1E+2 15e-1 .5em 100% 32767 32767px 24575pt 2047pc 8669mm 866cm 341in 2047em 2047rem 1PX 34676Q';
  const viewBoxes = ['0,0,1,1', '-1e6 1000000 1e6 1e5', ' 0 , 0\t1 1 ', '+1. 0 1 1'];
  it.each([
    ...[...lengths.split(' '), ' 24px '].map((length) => `viewBox="0 0 9 9" width="${length}" height="9"`),
    ...viewBoxes.map((viewBox) => `viewBox="${viewBox}"`),
  ])('accepts %s', (attributes) => {
    expect(codes(svg('', attributes))).toEqual([]);
  });

  const wrongLengths =
    '0 -1 --1 NaN Infinity 1e9 1e5 1e-999 1e . a1 1,5 1px1 1px; auto 101% 100.1% 32767.1 32768px 24576pt 2048pc 8670mm 867cm 342in 2048em 2048rem 34682Q';
  const wrongViewBoxes =
    '0 0 1|0 0 1 1 1|0 0 0 1|0 0 1 0|0 0 -1 1|0 0 1 -1|0,,0 1 1|0 0 1 1,|0 0 1px 1|0 0 1001 1|0 0 1 1001|a||1000001 0 1 1|0 -1000001 1 1|0 0 1000001 1|0 0 1 1000001';
  it.each([
    ...[...wrongLengths.split(' '), '10 mm', ''].map((length) => `viewBox="0 0 9 9" width="${length}" height="1"`),
    ...wrongViewBoxes.split('|').map((viewBox) => `viewBox="${viewBox}"`),
  ])('rejects %s', (attributes) => {
    expect(codes(svg('', attributes))).toEqual(['svg/dimensions']);
  });
});

describe('the check', () => {
  // Unicode white space that JavaScript trims and browsers do not: in browsers, it starts a relative URL.
  const spaces = [
    0xa0,
    0x1680,
    ...Array.from({ length: 11 }, (_, offset) => 0x2000 + offset),
    0x2028,
    0x2029,
    0x202f,
    0x205f,
    0x3000,
    0xfeff,
  ];
  it.each(spaces.map((space) => `&#x${space.toString(16)};`))('rejects references with %s', (space) => {
    const around = (text: string): string[] => [space + text, text + space, ` ${space} ${text}`, space + text + space];
    const urlsWith = (text: string): string[] => around(text).map((inner) => `url(${inner})`);
    const values = [...urlsWith('#r'), ...urlsWith("'#r'")];
    const fonts = [`${space}data:font/a;base64,AA`, `${space}'data:font/a;base64,AA'`];
    const bodies = [
      ...around('#r').flatMap((href) => [`<use href="${href}"/>`, `<use xlink:href="${href}"/>`]),
      ...values.flatMap((value) => [
        `<g fill="${value}"/>`,
        `<g style="fill:${value}"/>`,
        `<style>.a{fill:${value}}</style>`,
      ]),
      ...fonts.map((font) => `<style>@font-face{src:url(${font})}</style>`),
    ];
    for (const body of bodies) expect(codes(svg(`<g id="r"/>${body}`))[0], body).toMatch(/^svg\/(?:reference|style)$/);
  });

  it.each(['&#x20;', '&#x9;', '&#xa;', '&#xd;'])('accepts references with %s', (space) => {
    const href = `${space}#r${space}`;
    expect(codes(svg(`<g id="r"/><use href="${href}"/><g fill="url(${href})"/>`))).toEqual([]);
  });

  it('reports each error of a file, up to a limit', () => {
    expect(placesOf((report) => checkSvg('a.svg', svg('<a/>\n<b/>'), report))).toHaveLength(2);
    expect(codes(svg('<a/>'.repeat(LIMITS.findings + 1)))).toHaveLength(LIMITS.findings);
  });

  it('shows hostile names without control characters', () => {
    const [diagnostic] = diagnosticsOf((report) =>
      checkSvg('a.svg', svg(`<g fill="\u202e\u200b\u00ad${'x'.repeat(500)};"/>`), report),
    );
    expect(diagnostic?.message).toMatch(
      /^`fill` contains a value that is not allowed: `\\u202e\\u200b\\u00adx{77}…`\.$/,
    );
  });
});

describe('limits', () => {
  it.each<[string, (extra: number) => string]>([
    ['elements', (extra) => '<defs/>'.repeat(LIMITS.elements - 1 + extra)],
    ['depth', (extra) => '<g>'.repeat(LIMITS.depth - 1 + extra) + '</g>'.repeat(LIMITS.depth - 1 + extra)],
    [
      'depth through references',
      (extra) =>
        `${repeat(LIMITS.depth - 2 + extra, (n) => `<use id="u${n}" href="#u${n + 1}"/>`)}<use id="u${LIMITS.depth - 2 + extra}"/>`,
    ],
    ['drawn elements', (extra) => '<path/>'.repeat(LIMITS.drawn - 1 + extra)],
    [
      'drawn elements, by references',
      (extra) =>
        `<defs><g id="a">${'<path/>'.repeat(98)}</g></defs>${'<use href="#a"/>'.repeat(99)}${'<path/>'.repeat(99 + extra)}`,
    ],
    [
      'filter steps',
      (extra) =>
        `<filter id="a">${'<feBlend/>'.repeat(12)}</filter><filter id="b">${'<feBlend/>'.repeat(14 + extra)}</filter><style>.f{filter:url(#a)}</style>${'<g class="f"/>'.repeat(3)}<g filter="url(#b)"/>`,
    ],
    [
      'filter functions',
      (extra) =>
        `<style>.f{filter:blur(1px) opacity(1)}</style>${'<path class="f"/>'.repeat(16)}${'<path filter="blur(1px)"/>'.repeat(9 + extra)}${'<path style="filter:blur(1px)"/>'.repeat(7)}<path filter="drop-shadow(1px 1px)"/>`,
    ],
    [
      'markers at each vertex',
      (extra) =>
        `<defs><marker id="m">${'<path/>'.repeat(98)}</marker></defs><g marker-end="url(#m)"><path d="M${'0 '.repeat(98)}"/></g>${'<path/>'.repeat(196 + extra)}`,
    ],
    [
      'references of a style sheet',
      (extra) =>
        `<style>.a{${repeat(100, (n) => `fill:url(#g${n});`)}}.b{fill:url(#g0)}</style>${repeat(100, (n) => `<linearGradient id="g${n}"/>`)}${'<mask class="a"/>'.repeat(1000)}${'<mask class="b"/>'.repeat(extra)}`,
    ],
    ['an attribute', (extra) => `<g id="${'a'.repeat(LIMITS.attribute + extra)}"/>`],
    ['a path', (extra) => `<path d="M${' '.repeat(LIMITS.path - 1 + extra)}"/>`],
  ])('%s: accepted at the limit, rejected above it', (_, make) => {
    expect(codes(svg(make(0)))).toEqual([]);
    expect(codes(svg(make(1)))).toEqual(['svg/limit']);
  });

  it('accept a pattern inside an element that it paints', () => {
    expect(
      codes(
        svg(
          '<defs><pattern id="p"><use href="#s"/></pattern><symbol id="s"><path/></symbol></defs>',
          'viewBox="0 0 9 9" fill="url(#p)"',
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'a bomb of `use` elements',
      repeat(40, (n) => `<g id="g${n}"><use href="#g${n + 1}"/><use href="#g${n + 1}"/></g>`) + '<g id="g40"/>',
    ],
    [
      'a bomb of patterns',
      repeat(40, (n) => `<pattern id="g${n}"><g fill="url(#g${n + 1})"><path/><path/></g></pattern>`) +
        '<pattern id="g40"/>',
    ],
    [
      'a bomb of masks in a style sheet',
      `<style>${repeat(40, (n) => `.c${n}{mask:url(#g${n + 1})}`)}</style>${repeat(41, (n) => `<mask id="g${n}"><path class="c${n}"/><path class="c${n}"/></mask>`)}`,
    ],
    [
      'a bomb after a rule that browsers ignore',
      `<style>${repeat(40, (n) => `.c${n}{mask:url(#g${n + 1})} } .c${n}{mask:url(#g40)}`)}</style>${repeat(41, (n) => `<mask id="g${n}"><path class="c${n}"/><path class="c${n}"/></mask>`)}`,
    ],
    [
      'a pattern inherited by many elements',
      `<pattern id="p">${'<path/>'.repeat(99)}</pattern><g fill="url(#p)">${'<path/>'.repeat(110)}</g>`,
    ],
    [
      'a pattern inherited by a pattern',
      `<pattern id="p">${'<path/>'.repeat(99)}</pattern><g fill="url(#p)"><pattern id="q">${'<path/>'.repeat(99)}</pattern></g><path fill="url(#q)"/>`,
    ],
    [
      'a marker inherited by a symbol',
      `<marker id="m">${'<path/>'.repeat(99)}</marker><g marker="url(#m)"><symbol id="s"><path d="M${'1 '.repeat(99)}"/></symbol></g><use href="#s"/>`,
    ],
    [
      'a marker with a pattern',
      `<pattern id="p">${'<path/>'.repeat(99)}</pattern><marker id="m"><path/></marker><path d="M${'1 '.repeat(99)}" marker-mid="url(#m)" fill="url(#p)"/>`,
    ],
    [
      'more inherited patterns than references',
      `<pattern id="p"/><g fill="${'url(#p) '.repeat(1001)}">${'<clipPath/>'.repeat(100)}</g>`,
    ],
    [
      'a bomb of markers',
      repeat(40, (n) => `<marker id="g${n}"><path d="M0 0 1 1" marker-mid="url(#g${n + 1})"/></marker>`) +
        '<marker id="g40"/>',
    ],
    [
      'a filter inherited through a pattern',
      `<filter id="f">${'<feBlend/>'.repeat(13)}</filter><pattern id="p"><path filter="url(#f)"/></pattern><g fill="url(#p)">${'<path/>'.repeat(5)}</g>`,
    ],
  ])('reject %s', (_, body) => {
    expect(codes(svg(body))).toEqual(['svg/limit']);
  });
});

describe('files', () => {
  /** Returns the reported codes and locations for the bytes of a file. */
  const codesOfFile = (bytes: string): string[] =>
    placesOf((report) => checkSvgFile({ file: 'a.svg', bytes: Buffer.from(bytes) }, report));

  it('with classic Mac OS line endings, or the byte order mark of XMP, are accepted', () => {
    expect(codesOfFile(svg('<title>a\rb</title>\r<g\rfill="red"/>'))).toEqual([]);
    expect(codesOfFile(svg('<metadata><?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?></metadata>'))).toEqual(
      [],
    );
    expect(codesOfFile(`\ufeff${svg('')}`)).toEqual([]);
  });

  it('with other invisible characters are rejected, as is a byte order mark that librsvg cannot read', () => {
    expect(codesOfFile(`\ufeff\ufeff${svg('')}`)).toEqual(['file/character 1:1-2']);
    expect(codesOfFile(svg('<title>\ufeff</title>'))).toHaveLength(1);
    expect(codesOfFile(svg('<?xpacket a="\ufeff"?>'))).toHaveLength(1);
    expect(codesOfFile(svg('<title>\u202e</title>'))).toHaveLength(1);
  });

  it('that are too large are rejected', () => {
    const [start, end] = svg('<desc></desc>').split('></desc>');
    const fileOfSize = (bytes: number): string =>
      `${start}>${' '.repeat(bytes - svg('<desc></desc>').length)}</desc>${end}`;
    expect(codesOfFile(fileOfSize(LIMITS.bytes))).toEqual([]);
    expect(codesOfFile(fileOfSize(LIMITS.bytes + 1))).toEqual(['svg/limit']);
  });
});
