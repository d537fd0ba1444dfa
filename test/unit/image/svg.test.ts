import { describe, expect, it } from 'vitest';
import { checkSvg } from '../../../src/image/svg/check.ts';
import { LIMITS } from '../../../src/image/svg/limits.ts';
import { findings, places } from '../collect.ts';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

/** A whole SVG on one line. */
function svg(body: string, attributes = XLINK): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${attributes}>${body}</svg>`;
}

/** The codes found in a text, and what was found there. */
function found(text: string): string[] {
  let accepted = false;
  const diagnostics = findings((report) => {
    accepted = checkSvg('logo.svg', text, report);
  });
  const shown = diagnostics.map(({ code, location: { start, end } }) => {
    expect(start).toBeDefined();
    const lines = text.split('\n');
    const piece = lines[(start?.line ?? 0) - 1]?.slice((start?.column ?? 0) - 1);
    return `${code} ${start?.line === end?.line ? piece?.slice(0, (end?.column ?? 0) - (start?.column ?? 0)) : piece}`;
  });
  expect(accepted).toBe(diagnostics.every(({ severity }) => severity === 'warning'));
  return shown;
}

const repeat = (times: number, piece: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => piece(index)).join('');

describe('accepted', () => {
  it.each([
    [
      'shapes',
      svg('<title>A&amp;B</title><g id="a" class="b c" data-name="Layer 1"><path d="M0 0h1v1z" fill="#fff"/></g>'),
    ],
    [
      'a prefix',
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="2" height="1"><s:rect width="1" height="1"/></s:svg>',
    ],
    [
      'references',
      svg(
        '<defs><linearGradient id="a"><stop offset="0"/></linearGradient><linearGradient id="b" xlink:href="#a"/></defs><rect fill="url(#b) #fff" stroke="url( \'#a\' )" width="9" height="9"/>',
      ),
    ],
    [
      'Illustrator',
      `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator 27.0 -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg('<style type="text/css"><![CDATA[\n\t.st0{fill:#FFFFFF;stroke:url(#g_1_);}\n\t.st1,.st2 { font-family:\'Open Sans\', "Arial"; enable-background:new    ; }\n]]></style><linearGradient id="g_1_"/><path class="st0" d="M0 0"/>', 'version="1.1" x="0px" y="0px" style="enable-background:new 0 0 24 24;" xml:space="preserve"')}`,
    ],
    [
      'Inkscape',
      svg(
        '<sodipodi:namedview pagecolor="#fff" inkscape:zoom="1"><inkscape:grid type="xygrid"/></sodipodi:namedview><metadata><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format></cc:Work></rdf:RDF></metadata><path inkscape:connector-curvature="0" style="fill:#000;-inkscape-stroke:none;marker:none" d="M0 0"/>',
        'xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"',
      ),
    ],
    [
      'Figma',
      svg(
        '<g filter="url(#f_d_1:2)"><path style="mix-blend-mode:multiply;fill:color(display-p3 1 .5 0)" d="M0 0"/></g><defs><filter id="f_d_1:2" x="0" y="0" width="9" height="9" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB"><feFlood flood-opacity="0" result="b"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0"/><feGaussianBlur stdDeviation="2"/></filter></defs>',
      ),
    ],
    ['XMP', `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>${svg('')}`],
    [
      'a dark colour scheme',
      svg('<style>path{fill:#000}@media (prefers-color-scheme: dark) { path { fill: #fff } }</style>'),
    ],
    ['CSS comments', svg('<style>/* a{ */ .a{fill:red/* } */} /**/</style>')],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it.each(['1', '+1.5e1', '100%', '32767', '10mm', '.5em', ' 24px '])('the length %s', (length) => {
    expect(found(svg('', `width="${length}" height="9"`))).toEqual([]);
  });
});

describe('refused, with its place', () => {
  it.each([
    ['<script>alert(1)</script>', 'svg/element <script'],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg"/>', 'svg/element <s:script'],
    ['<SCRIPT/>', 'svg/element <SCRIPT'],
    ['<foreignObject/>', 'svg/element <foreignObject'],
    ['<image href="data:image/png;base64,AAAA"/>', 'svg/element <image'],
    ['<a href="#a" id="a"/>', 'svg/element <a'],
    ['<g><set attributeName="href"/></g>', 'svg/element <set'],
    ['<animate/>', 'svg/element <animate'],
    ['<feTurbulence/>', 'svg/element <feTurbulence'],
    ['<iframe xmlns="http://www.w3.org/1999/xhtml"/>', 'svg/element <iframe'],
    ['<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>', 'svg/element <h:script'],
    ['<xi:include xmlns:xi="http://www.w3.org/2001/XInclude"/>', 'svg/element <xi:include'],
    ['<g xmlns=""/>', 'svg/element <g'],
    ['<metadata><x xmlns="http://example.org/"/></metadata>', 'svg/element <x'],
    ['<g\n  onload = "alert(1)"/>', 'svg/attribute onload = "alert(1)"'],
    ['<g ONLOAD="a"/>', 'svg/attribute ONLOAD="a"'],
    [
      '<i:g xmlns:i="http://www.inkscape.org/namespaces/inkscape" a="b" i:onload="c" onload="d"/>',
      'svg/attribute onload="d"',
    ],
    ['<g xml:base="http://a/"/>', 'svg/attribute xml:base="http://a/"'],
    ['<g xmlns:e="http://www.w3.org/2001/xml-events" e:event="a"/>', 'svg/attribute e:event="a"'],
    ['<g xmlns:s="http://www.w3.org/2000/svg" s:onload="a"/>', 'svg/attribute s:onload="a"'],
    ['<use xlink:href="http://a/#b"/>', 'svg/reference xlink:href="http://a/#b"'],
    ['<use href="data:image/svg+xml,a"/>', 'svg/reference href="data:image/svg+xml,a"'],
    ['<use href="java&#x0A;script:alert(1)"/>', 'svg/reference href="java&#x0A;script:alert(1)"'],
    ['<use href=""/>', 'svg/reference href=""'],
    ['<use href="#%61" id="a"/>', 'svg/reference href="#%61"'],
    ['<use href="#a"/>', 'svg/reference href="#a"'],
    ['<g id="a"/><g id="a"/><use href="#a"/>', 'svg/reference <g'],
    ['<g id="a"><use href="#a"/></g>', 'svg/reference href="#a"'],
    ['<mask id="a" mask="url(#a)"/>', 'svg/reference mask="url(#a)"'],
    ['<g fill="url(http://a/)"/>', 'svg/reference fill="url(http://a/)"'],
    ['<g fill="url(#a"/>', 'svg/reference fill="url(#a"'],
    ['<g id="a" fill="url(#a) url(//b)"/>', 'svg/reference fill="url(#a) url(//b)"'],
    ['<g fill="u\\72l(http://a/)"/>', 'svg/style fill="u\\72l(http://a/)"'],
    ['<g fill="var(--a)"/>', 'svg/style fill="var(--a)"'],
    ['<g filter="blur(9px)"/>', 'svg/style filter="blur(9px)"'],
    ['<g style="fill:url(//a)"/>', 'svg/reference style="fill:url(//a)"'],
    // No comment starts in an address, nor behind a string that a line ends.
    ['<style>.a{fill:url(#a/*);mask:none;/**/)}</style>', 'svg/reference url(#a/*)', 'svg/style )'],
    [
      '<g style="font-family:&quot;a&#13;&quot; /*&quot;;mask:none;/* */"/>',
      'svg/style style="font-family:&quot;a&#13;&quot; /*&quot;;mask:none;/* */"',
    ],
    ['<g style="font-family:&quot;a&#10;b&quot;"/>', 'svg/style style="font-family:&quot;a&#10;b&quot;"'],
    ['<g style="background:red"/>', 'svg/style style="background:red"'],
    ['<g style="fill:expression(a)"/>', 'svg/style style="fill:expression(a)"'],
    ['<g style="fill"/>', 'svg/style style="fill"'],
    ['<style>\n@import "a";</style>', 'svg/style @import "a";'],
    ['<style>@import "a";\n<style></style></style>', 'svg/style <style'],
    ['<g __proto__="a" constructor="b"/>', 'svg/attribute __proto__="a"', 'svg/attribute constructor="b"'],
    ['<__proto__/>', 'svg/element <__proto__'],
    [
      '<g class="__proto__ constructor" id="__proto__" fill="url(#constructor)"/>',
      'svg/reference fill="url(#constructor)"',
    ],
    ['<style>.a{}\n.a:hover{fill:red}</style>', 'svg/style .a:hover'],
    ['<style>.a{fill:red;\nbehavior:url(#a)}</style>', 'svg/style behavior:url(#a)'],
    ['<style>.a{fill:image-set("a")}</style>', 'svg/reference image-set("a")'],
    ['<style>.a{font-family:"x}</style>', 'svg/style "x'],
    ['<style>@media print{.a{}}</style>', 'svg/style @media print{.a{'],
    ['<style type="text/x\\"></style>', 'svg/style type="text/x\\"'],
    ['&a;', 'svg/syntax ;'],
    ['<g href="#a" xlink:href="#b"><!-- - -- --></g>', 'svg/syntax  '],
    ['</g>', 'svg/syntax >'],
    ['<x:g/>', 'svg/syntax >'],
    ['<g id="a" id="b"/>', 'svg/syntax >'],
    ['<?xml-stylesheet href="a"?>', 'svg/instruction <?xml-stylesheet href="a"?>'],
  ])('%s', (body, ...wanted) => {
    expect(found(svg(body))).toEqual(wanted);
  });

  it.each([
    [
      `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('')}`,
      'svg/encoding <?xml version="1.0" encoding="ISO-8859-1"?>',
    ],
    [`<?xml version="1.1"?>${svg('')}`, 'svg/encoding <?xml version="1.1"?>'],
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'svg/doctype <!DOCTYPE svg [<!ENTITY a "b">]>'],
    [`<!DOCTYPE svg SYSTEM "a.dtd">${svg('')}`, 'svg/doctype <!DOCTYPE svg SYSTEM "a.dtd">'],
    [`<!DOCTYPE html>${svg('')}`, 'svg/doctype <!DOCTYPE html>'],
    ['<svg viewBox="0 0 1 1"/>', 'svg/root <svg'],
    ['<html xmlns="http://www.w3.org/1999/xhtml"><script/></html>', 'svg/root <html'],
    ['<g xmlns="http://www.w3.org/2000/svg"/>', 'svg/root <g'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg/dimensions <svg'],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="1"/>', 'svg/dimensions <svg'],
    ['', 'svg/syntax '],
    ['no picture', 'svg/syntax e'],
  ])('%s', (text, finding) => {
    expect(found(text)[0]).toBe(finding);
  });

  it.each(['0', '-1', 'NaN', 'Infinity', '1e9', '32768', '101%', '1e-999', '10 mm', '1px;', 'auto', ''])(
    'the length "%s"',
    (length) => {
      expect(found(svg('', `width="${length}" height="1"`))).toEqual([`svg/dimensions width="${length}"`]);
    },
  );

  it.each(['0 0 0 1', '0 0 1', '0 0 1 1 1', '0 0 -1 1', '0 0 1e7 1', '0,,0 1 1', 'a'])(
    'the viewBox "%s"',
    (viewBox) => {
      const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"/>`;
      expect(found(text)).toEqual([`svg/dimensions viewBox="${viewBox}"`]);
    },
  );

  it('text, once, as a warning', () => {
    expect(found(svg('<text>a<tspan/></text>\n<text/>'))).toEqual(['svg/text <text']);
  });

  it('each finding of a file, up to a limit', () => {
    expect(places((report) => checkSvg('a.svg', svg('<a/>\n<b/>'), report))).toHaveLength(2);
    expect(found(svg('<a/>'.repeat(LIMITS.findings + 1)))).toHaveLength(LIMITS.findings);
  });

  it('hostile names without what a terminal would obey', () => {
    const [finding] = findings((report) =>
      checkSvg('a.svg', svg(`<g fill="\u202e\u200b\u00ad${'x'.repeat(500)};"/>`), report),
    );
    expect(finding?.message).toMatch(/^`fill` holds CSS that is not accepted: `\\u202e\\u200b\\u00adx{77}…`\.$/);
  });
});

describe('limits', () => {
  it.each([
    ['elements', (extra: number) => svg('<g/>'.repeat(LIMITS.elements - 1 + extra)).replaceAll('<g/>', '<defs/>')],
    ['depth', (extra: number) => svg('<g>'.repeat(LIMITS.depth - 1 + extra) + '</g>'.repeat(LIMITS.depth - 1 + extra))],
    [
      'depth through references',
      (extra: number) =>
        svg(
          repeat(LIMITS.depth - 1 + extra, (n) => `<use id="u${n}" href="#u${n + 1}"/>`).replace(
            / href="#u\d+"\/>$/,
            '/>',
          ),
        ),
    ],
    ['drawn elements', (extra: number) => svg('<path/>'.repeat(LIMITS.drawn - 1 + extra))],
    [
      'drawn elements, by references',
      (extra: number) =>
        svg(
          `<defs><g id="a">${'<path/>'.repeat(98)}</g></defs>${'<use href="#a"/>'.repeat(99)}${'<path/>'.repeat(99 + extra)}`,
        ),
    ],
    [
      'filter steps',
      (extra: number) =>
        svg(
          `<filter id="a">${'<feBlend/>'.repeat(12)}</filter><filter id="b">${'<feBlend/>'.repeat(12 + extra)}</filter><style>.f{filter:url(#a)}</style>${'<g class="f"/>'.repeat(3)}<g filter="url(#b)"/>`,
        ),
    ],
    [
      'references of a style sheet',
      (extra: number) =>
        svg(
          `<style>.a{${repeat(100, (n) => `fill:url(#g${n});`)}}.b{fill:url(#g0)}</style>${repeat(100, (n) => `<linearGradient id="g${n}"/>`)}${'<mask class="a"/>'.repeat(1000)}${'<mask class="b"/>'.repeat(extra)}`,
        ),
    ],
    ['an attribute', (extra: number) => svg(`<g id="${'a'.repeat(LIMITS.attribute + extra)}"/>`)],
    ['a path', (extra: number) => svg(`<path d="M${' '.repeat(LIMITS.path - 1 + extra)}"/>`)],
  ])('%s: at the limit accepted, over it refused', (_, make) => {
    expect(found(make(0))).toEqual([]);
    expect(found(make(1))).toEqual([expect.stringMatching(/^svg\/limit (?:<|(?:id|d)=")/)]);
  });

  it('takes a rule of as many selectors as references in a moment', () => {
    const text = svg(
      `<style>${'a,'.repeat(100_000)}b{${'fill:url(#a);'.repeat(20_000)}}</style><linearGradient id="a"/><defs/>`,
    );
    expect(found(text)).toEqual([]);
  });

  it.each([
    [
      'a bomb of uses',
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
      'a bomb behind a rule that browsers drop',
      `<style>${repeat(40, (n) => `.c${n}{mask:url(#g${n + 1})} } .c${n}{mask:url(#g40)}`)}</style>${repeat(41, (n) => `<mask id="g${n}"><path class="c${n}"/><path class="c${n}"/></mask>`)}`,
    ],
    [
      'a pattern inherited by many',
      `<pattern id="p">${'<path/>'.repeat(99)}</pattern><g fill="url(#p)">${'<path/>'.repeat(110)}</g>`,
    ],
    [
      'a filter inherited through a pattern',
      `<filter id="f">${'<feBlend/>'.repeat(10)}</filter><pattern id="p"><path filter="url(#f)"/></pattern><g fill="url(#p)">${'<path/>'.repeat(5)}</g>`,
    ],
  ])('%s is refused', (_, body) => {
    expect(found(svg(body))).toEqual([expect.stringMatching(/^svg\/limit </)]);
  });
});
