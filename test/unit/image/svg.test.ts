import { describe, expect, it } from 'vitest';
import { checkSvg } from '../../../src/image/svg/check.ts';
import { checkSvgFile } from '../../../src/image/svg/file.ts';
import { LIMITS } from '../../../src/image/svg/limits.ts';
import { findings, places } from '../collect.ts';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

/** Returns a whole SVG on one line. */
function svg(body: string, attributes = XLINK): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${attributes}>${body}</svg>`;
}

/** Returns the reported codes of a text, each with the text at its place. */
function reported(text: string): string[] {
  let accepted = false;
  const diagnostics = findings((report) => {
    accepted = checkSvg('logo.svg', text, report).isAccepted;
  });
  const excerpts = diagnostics.map(({ code, location: { start, end } }) => {
    expect(start).toBeDefined();
    const lines = text.split('\n');
    const piece = lines[(start?.line ?? 0) - 1]?.slice((start?.column ?? 0) - 1);
    return `${code} ${start?.line === end?.line ? piece?.slice(0, (end?.column ?? 0) - (start?.column ?? 0)) : piece}`;
  });
  expect(accepted).toBe(diagnostics.every(({ severity }) => severity === 'warning'));
  return excerpts;
}

const words = (text: string): string[] => text.split(/\s+/);

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
    [
      'Illustrator that optimisers took the DOCTYPE from',
      svg(
        '<metadata><sfw xmlns="ns_sfw;"><slices/></sfw></metadata><g i:extraneous="self"/>',
        'xmlns:i="&amp;#38;ns_ai;"',
      ),
    ],
    [
      'Illustrator with its own data',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n\t<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">\n\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n<svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" ${XLINK} viewBox="0 0 9 9"><switch><foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1"><i:pgfRef xlink:href="#adobe_illustrator_pgf"></i:pgfRef></foreignObject><g i:extraneous="self"><path d="M0 0"/></g></switch><i:pgf id="adobe_illustrator_pgf">eJzt</i:pgf></svg>`,
    ],
    ['switch', svg('<switch><g><path d="M0 0"/></g></switch>')],
    [
      'markers',
      svg(
        '<marker id="a" markerWidth="3" markerHeight="3" markerUnits="strokeWidth" refX="1" refY="1" orient="auto"><path d="M0 0"/></marker><path d="M0 0h1" marker-mid="url(#a)" style="marker:url(#a)"/>',
      ),
    ],
    [
      'what web pages say of a box',
      svg(
        '<g style="flex:none;line-height:1;cursor:move;max-height:500px;margin-right:3px"/><rect cursor="pointer" style="width:0;height:1px;x:1"/>',
        'style="width:100%;height:1em"',
      ),
    ],
    [
      'what exporters misspell',
      svg('<g style="filter-blend-mode:normal;font-variant-east_asian:normal;fill:red!important"/>'),
    ],
    [
      'functions of filters',
      svg('<g filter="opacity(50%)"/><style>.a{filter:drop-shadow(1px 2px rgb(0,0,0,.5)) blur(2.5px)}</style>'),
    ],
    [
      'attributes of old editors and of other programs',
      svg(
        '<g space="preserve" p-id="1" collect="a" nodetypes="c" linecap="round" tabindex="0"><use xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad" href="#a"/></g><g id="a"/>',
        `${XLINK} t="1699" contentScriptType="text/ecmascript" content="&lt;mxfile>" host="app.diagrams.net"`,
      ),
    ],
    [
      'path effects of Inkscape',
      svg(
        '<i:path-effect only_selected="false" i:only_selected="true" xmlns:i="http://www.inkscape.org/namespaces/inkscape"/>',
      ),
    ],
    [
      'selectors of several parts',
      svg('<style>*{fill:red}g .a,g &gt; .a,rect.a#b,.a:hover,svg rect,:root .a{fill:red}</style>'),
    ],
    [
      'rules for some media',
      svg(
        '<style>@charset "utf-8";@media screen and (prefers-color-scheme: dark){.a{fill:red}.b{fill:red}}@media print{.a{}}</style>',
      ),
    ],
    [
      'a document type in single quotes',
      `<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.0//EN' 'http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd'>${svg('')}`,
    ],
    [
      'the declaration of xlink that libraries write',
      `<!DOCTYPE svg [<!ATTLIST svg xmlns:xlink CDATA #FIXED "http://www.w3.org/1999/xlink">]>${svg('')}`,
    ],
    ['elements that viewers ignore', svg('<description>Created with Sketch</description><xpacket/>', 'alt="A"')],
    ['identifiers of React', svg('<use href="#«r3b»"/><g id="«r3b»"/>')],
    ['the outermost element in a style sheet', svg('<style>:root{fill:red}</style>')],
    ['Latin-1 that is ASCII', `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('')}`],
    [
      'an older document type',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 20010904//EN" "http://www.w3.org/TR/svg10.dtd">${svg('')}`,
    ],
    ['CSS comments', svg('<style>/* a{ */ .a{fill:red/* } */} /**/</style>')],
  ])('%s', (_, text) => {
    expect(reported(text)).toEqual([]);
  });

  // The largest lengths that fit into 32,767 pixels, in each unit.
  it.each(
    words(
      '1 +1.5e1 1. 1E+2 15e-1 .5em 100% 32767 32767px 24575pt 2047pc 8669mm 866cm 341in 2047em 2047rem 1PX 34676Q',
    ).concat(' 24px '),
  )('the length %s', (length) => {
    expect(reported(svg('', `width="${length}" height="9"`))).toEqual([]);
  });

  it.each(['0,0,1,1', '-1e6 1000000 1e6 1e5', ' 0 , 0\t1 1 ', '+1. 0 1 1'])('the viewBox "%s"', (viewBox) => {
    expect(reported(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"/>`)).toEqual([]);
  });
});

describe('rejected, with its place', () => {
  it.each([
    ['<script>alert(1)</script>', 'svg/element <script'],
    // In a page that inlines the SVG, it would be a script: an HTML parser ignores xmlns.
    ['<script xmlns="http://ns.adobe.com/a/"/>', 'svg/element <script'],
    ['<feImage xmlns="http://ns.adobe.com/a/"/>', 'svg/element <feImage'],
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
    ['<g id="a"><use href="#a"/></g>', 'svg/reference href="#a"'],
    ['<mask id="a" mask="url(#a)"/>', 'svg/reference mask="url(#a)"'],
    ['<g fill="url(http://a/)"/>', 'svg/reference fill="url(http://a/)"'],
    ['<g fill="url(#a"/>', 'svg/reference fill="url(#a"'],
    ['<g id="a" fill="url(#a) url(//b)"/>', 'svg/reference fill="url(#a) url(//b)"'],
    ['<g fill="u\\72l(http://a/)"/>', 'svg/style fill="u\\72l(http://a/)"'],
    ['<g fill="var(--a)"/>', 'svg/style fill="var(--a)"'],
    ['<g filter="drop-shadow(url(a))"/>', 'svg/reference filter="drop-shadow(url(a))"'],
    ['<g style="fill:url(//a)"/>', 'svg/reference style="fill:url(//a)"'],
    // No comment starts in a URL, or after a string that is ended by a line break.
    ['<style>.a{fill:url(#a/*);mask:none;/**/)}</style>', 'svg/reference url(#a/*)', 'svg/style )'],
    [
      '<g style="font-family:&quot;a&#13;&quot; /*&quot;;mask:none;/* */"/>',
      'svg/style style="font-family:&quot;a&#13;&quot; /*&quot;;mask:none;/* */"',
    ],
    ['<g style="font-family:&quot;a&#10;b&quot;"/>', 'svg/style style="font-family:&quot;a&#10;b&quot;"'],
    ['<g style="background:url(#a)"/>', 'svg/style style="background:url(#a)"'],
    ['<g style="x-y:blur(1px)"/>', 'svg/style style="x-y:blur(1px)"'],
    ['<g style="cursor:url(#a)"/>', 'svg/style style="cursor:url(#a)"'],
    ['<g cursor="url(#a)"/>', 'svg/style cursor="url(#a)"'],
    ['<g style="-moz-binding:url(a)"/>', 'svg/reference style="-moz-binding:url(a)"'],
    ['<g style="*zoom:1"/>', 'svg/style style="*zoom:1"'],
    // Only Illustrator's own data may be beside the drawing.
    ['<switch><foreignObject/></switch>', 'svg/element <foreignObject'],
    [
      '<switch><foreignObject requiredExtensions="http://www.w3.org/1999/xhtml"/></switch>',
      'svg/element <foreignObject',
    ],
    ['<foreignObject requiredExtensions="http://ns.adobe.com/a/"/>', 'svg/element <foreignObject'],
    [
      '<switch><g><foreignObject requiredExtensions="http://ns.adobe.com/a/"/></g></switch>',
      'svg/element <foreignObject',
    ],
    [
      '<switch><foreignObject requiredExtensions="http://ns.adobe.com/a/"><g/></foreignObject></switch>',
      'svg/element <g',
    ],
    ['<switch><script/></switch>', 'svg/element <script'],
    [
      '<switch><g requiredFeatures="b"/><g requiredExtensions="a"/></switch>',
      'svg/attribute requiredFeatures="b"',
      'svg/attribute requiredExtensions="a"',
    ],
    // An external or embedded font.
    ['<style>@font-face{src:url(a.woff)}</style>', 'svg/style @font-face'],
    ['<style>@font-face{src:url(data:font/ttf;base64,AA)}</style>', 'svg/style @font-face'],
    ['<style>.a{width:0}</style>', 'svg/style 0'],
    ['<style>.a{fill:calc(1) b(2)}</style>', 'svg/style calc(1)'],
    ['<style>svg{height:99999999px}</style>', 'svg/style 99999999px'],
    ['<g style="fill:expression(a)"/>', 'svg/style style="fill:expression(a)"'],
    ['<g style="fill"/>', 'svg/style style="fill"'],
    ['<style>\n@import "a";</style>', 'svg/style @import "a";'],
    ['<style>@import "a";\n<style></style></style>', 'svg/style <style'],
    ['<g __proto__="a" constructor="b"/>', 'svg/attribute __proto__="a"', 'svg/attribute constructor="b"'],
    ['<__proto__/>', 'svg/element <__proto__'],
    ['<style>.a{}\n.a:focus{fill:red}</style>', 'svg/style .a:focus'],
    ['<style>.a{fill:red;\nbehavior:url(#a)}</style>', 'svg/style behavior:url(#a)'],
    ['<style>.a{fill:image-set("a")}</style>', 'svg/reference image-set("a")'],
    ['<style>.a{font-family:"x}</style>', 'svg/style "x'],
    ['<style>@media "a"{.a{}}</style>', 'svg/style @media "a"{.a{'],
    ['<style type="text/x\\"></style>', 'svg/style type="text/x\\"'],
    ['&a;', 'svg/syntax ;'],
    ['<g href="#a" xlink:href="#b"><!-- - -- --></g>', 'svg/syntax  '],
    ['</g>', 'svg/syntax >'],
    ['<x:g/>', 'svg/syntax >'],
    ['<g id="a" id="b"/>', 'svg/syntax >'],
    ['<?xml-stylesheet href="a"?>', 'svg/instruction <?xml-stylesheet href="a"?>'],
  ])('%s', (body, ...wanted) => {
    expect(reported(svg(body))).toEqual(wanted);
  });

  it.each([
    [
      `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('<title>é</title>')}`,
      'svg/encoding <?xml version="1.0" encoding="ISO-8859-1"?>',
    ],
    [`<?xml version="1.0" encoding="UTF-7"?>${svg('')}`, 'svg/encoding <?xml version="1.0" encoding="UTF-7"?>'],
    [`<?xml version="1.0" encoding="UTF-16"?>${svg('')}`, 'svg/encoding <?xml version="1.0" encoding="UTF-16"?>'],
    [`<?xml version="1.1"?>${svg('')}`, 'svg/encoding <?xml version="1.1"?>'],
    [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'svg/doctype <!DOCTYPE svg [<!ENTITY a "b">]>'],
    ...[
      '<!ENTITY ns_a "http://www.w3.org/1999/xhtml">',
      '<!ENTITY a "http://ns.adobe.com/a/">',
      '<!ENTITY ns_a "http://ns.adobe.com/&#60;">',
      '<!ENTITY ns_a "http://ns.adobe.com/a/"><!ENTITY ns_a "http://ns.adobe.com/b/">',
      '<!ENTITY ns_a SYSTEM "http://ns.adobe.com/a/">',
      '<!ENTITY % ns_a "http://ns.adobe.com/a/">',
      '<!ATTLIST svg onload CDATA "a">',
    ].map((declared) => [`<!DOCTYPE svg [${declared}]>${svg('')}`, `svg/doctype <!DOCTYPE svg [${declared}]>`]),
    [`<!DOCTYPE svg SYSTEM "a.dtd">${svg('')}`, 'svg/doctype <!DOCTYPE svg SYSTEM "a.dtd">'],
    [`<!DOCTYPE html>${svg('')}`, 'svg/doctype <!DOCTYPE html>'],
    [
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.2//EN" "http://www.w3.org/a.dtd">${svg('')}`,
      'svg/doctype <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.2//EN" "http://www.w3.org/a.dtd">',
    ],
    [`${svg('')}<?a b?>`, 'svg/instruction <?a b?>'],
    [`${svg('')}<g/>`, 'svg/syntax /'],
    ['<svg viewBox="0 0 1 1"/>', 'svg/root <svg'],
    ['<html xmlns="http://www.w3.org/1999/xhtml"><script/></html>', 'svg/root <html'],
    ['<g xmlns="http://www.w3.org/2000/svg"/>', 'svg/root <g'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg/dimensions <svg'],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="1"/>', 'svg/dimensions <svg'],
    ['', 'svg/syntax '],
    ['no picture', 'svg/syntax e'],
  ])('%s', (text, finding) => {
    expect(reported(text)[0]).toBe(finding);
  });

  // Unicode white space, which JavaScript trims and browsers do not: to them, it starts a relative URL.
  const spaces = [
    0xa0,
    0x1680,
    ...Array.from({ length: 11 }, (_, at) => 0x2000 + at),
    0x2028,
    0x2029,
    0x202f,
    0x205f,
    0x3000,
    0xfeff,
  ];
  it.each(spaces.map((space) => `&#x${space.toString(16)};`))('references with %s', (space) => {
    const around = (text: string): string[] => [space + text, text + space, ` ${space} ${text}`, space + text + space];
    const css = (text: string): string[] => around(text).map((inside) => `url(${inside})`);
    const values = [...css('#r'), ...css("'#r'")];
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
    for (const body of bodies)
      expect(reported(svg(`<g id="r"/>${body}`))[0], body).toMatch(/^svg\/(?:reference|style) /);
  });

  it.each(['&#x20;', '&#x9;', '&#xa;', '&#xd;'])('no references with %s', (space) => {
    const href = `${space}#r${space}`;
    expect(reported(svg(`<g id="r"/><use href="${href}"/><g fill="url(${href})"/>`))).toEqual([]);
  });

  it.each(
    words(`0 -1 --1 NaN Infinity 1e9 1e5 1e-999 1e . a1 1,5 1px1 1px; auto 101% 100.1% 32767.1 32768px 24576pt 2048pc 8670mm 867cm
      342in 2048em 2048rem 34682Q`).concat('10 mm', ''),
  )('the length "%s"', (length) => {
    expect(reported(svg('', `width="${length}" height="1"`))).toEqual([`svg/dimensions width="${length}"`]);
  });

  it.each([
    ...'0 0 1|0 0 1 1 1|0 0 0 1|0 0 1 0|0 0 -1 1|0 0 1 -1|0,,0 1 1|0 0 1 1,|0 0 1px 1|0 0 1001 1|0 0 1 1001|a|'.split(
      '|',
    ),
    ...'1000001 0 1 1|0 -1000001 1 1|0 0 1000001 1|0 0 1 1000001'.split('|'),
  ])('the viewBox "%s"', (viewBox) => {
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"/>`;
    expect(reported(text)).toEqual([`svg/dimensions viewBox="${viewBox}"`]);
  });

  it('a style with which the outermost element could not be drawn', () => {
    for (const style of ['width:0', 'height:-1px', 'width:99999999px', 'width:101%'])
      expect(reported(svg('', `style="${style}"`))).toEqual([`svg/style style="${style}"`]);
  });

  it.each([
    ['<use href="#a"/>', 'svg/missing-target href="#a"'],
    [
      '<g class="__proto__ constructor" id="__proto__" fill="url(#constructor)"/>',
      'svg/missing-target fill="url(#constructor)"',
    ],
    [
      '<g xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:export-filename="C:\\a.png" i:label="a/b"/>',
      'svg/editor-path i:export-filename="C:\\a.png"',
    ],
  ])('%s as a warning', (body, wanted) => {
    expect(reported(svg(body))).toEqual([wanted]);
  });

  it('text, once, as a warning', () => {
    expect(reported(svg('<text>a<tspan/></text>\n<text/>'))).toEqual(['svg/text <text']);
  });

  it('each error of a file, up to a limit', () => {
    expect(places((report) => checkSvg('a.svg', svg('<a/>\n<b/>'), report))).toHaveLength(2);
    expect(reported(svg('<a/>'.repeat(LIMITS.findings + 1)))).toHaveLength(LIMITS.findings);
  });

  it('hostile names without control characters for a terminal', () => {
    const [finding] = findings((report) =>
      checkSvg('a.svg', svg(`<g fill="\u202e\u200b\u00ad${'x'.repeat(500)};"/>`), report),
    );
    expect(finding?.message).toMatch(/^`fill` contains CSS that is not allowed: `\\u202e\\u200b\\u00adx{77}…`\.$/);
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
          `<filter id="a">${'<feBlend/>'.repeat(12)}</filter><filter id="b">${'<feBlend/>'.repeat(14 + extra)}</filter><style>.f{filter:url(#a)}</style>${'<g class="f"/>'.repeat(3)}<g filter="url(#b)"/>`,
        ),
    ],
    [
      'filter functions',
      (extra: number) =>
        svg(
          `<style>.f{filter:blur(1px) opacity(1)}</style>${'<path class="f"/>'.repeat(16)}${'<path filter="blur(1px)"/>'.repeat(9 + extra)}${'<path style="filter:blur(1px)"/>'.repeat(9)}`,
        ),
    ],
    [
      'markers at each vertex',
      (extra: number) =>
        svg(
          `<defs><marker id="m">${'<path/>'.repeat(98)}</marker></defs><g marker-end="url(#m)"><path d="M${'0 '.repeat(98)}"/></g>${'<path/>'.repeat(196 + extra)}`,
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
    expect(reported(make(0))).toEqual([]);
    expect(reported(make(1))).toEqual([expect.stringMatching(/^svg\/limit (?:<|(?:id|d)=")/)]);
  });

  it('accepts a pattern inside an element that it paints', () => {
    expect(
      reported(
        svg('<defs><pattern id="p"><use href="#s"/></pattern><symbol id="s"><path/></symbol></defs>', 'fill="url(#p)"'),
      ),
    ).toEqual([]);
  });

  it('handles as many rules without effects as elements in a moment', () => {
    const text = svg(`<style>${'.a{}'.repeat(100_000)}</style>${'<defs class="a"/>'.repeat(15_000)}`);
    expect(reported(text)).toEqual([]);
  });

  it('handles a rule of as many selectors as references in a moment', () => {
    const text = svg(
      `<style>${'a,'.repeat(100_000)}b{${'fill:url(#a);'.repeat(20_000)}}</style><linearGradient id="a"/><defs/>`,
    );
    expect(reported(text)).toEqual([]);
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
  ])('%s is refused', (_, body) => {
    expect(reported(svg(body))).toEqual([expect.stringMatching(/^svg\/limit </)]);
  });
});

describe('files', () => {
  /** Returns the reported codes and places of the bytes of a file. */
  const inFile = (bytes: string): string[] =>
    places((report) => checkSvgFile({ file: 'a.svg', bytes: Buffer.from(bytes) }, report));

  it('with classic Mac OS line ends, or the byte order mark of XMP, are accepted', () => {
    expect(inFile(svg('<title>a\rb</title>\r<g\rfill="red"/>'))).toEqual([]);
    expect(inFile(svg('<metadata><?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?></metadata>'))).toEqual([]);
    expect(inFile(`\ufeff${svg('')}`)).toEqual([]);
  });

  it('with other invisible characters are rejected, as is a byte order mark that librsvg cannot read', () => {
    expect(inFile(`\ufeff\ufeff${svg('')}`)).toEqual(['file/character 1:1-2']);
    expect(inFile(svg('<title>\ufeff</title>'))).toHaveLength(1);
    expect(inFile(svg('<?xpacket a="\ufeff"?>'))).toHaveLength(1);
    expect(inFile(svg('<title>\u202e</title>'))).toHaveLength(1);
  });

  it('that are too large are rejected', () => {
    const [start, end] = svg('<desc></desc>').split('></desc>');
    const filled = (bytes: number): string =>
      `${start}>${' '.repeat(bytes - svg('<desc></desc>').length)}</desc>${end}`;
    expect(inFile(filled(LIMITS.bytes))).toEqual([]);
    expect(inFile(filled(LIMITS.bytes + 1))).toEqual(['svg/limit']);
  });
});

describe('constructs that thumbnails do not show', () => {
  const G = '<linearGradient id="g"/><filter id="f"/>';
  it.each([
    ['<g fill="rgb(from red r g b)"/>', 'fill: rgb(from red r g b)'],
    ['<g style="fill:LinkText"/>', 'fill: LinkText'],
    ['<style>.a{stroke:unset}</style><g class="a"/>', 'stroke: unset'],
    ['<rect width="12vw"/>', 'width: 12vw'],
    ['<path transform="rotate(9)" transform-origin="5 5"/>', 'transform-origin: 5 5'],
    ['<path style="transform:rotate(9deg);transform-box:fill-box"/>', 'transform-box: fill-box'],
    ['<path style="transform:translate(50%)"/>', 'transform: translate(50%)'],
    ['<style>g .a{rotate:9deg}</style><path class="a"/>', 'rotate: 9deg'],
    ['<path style="filter:invert(1)"/>', 'filter: invert(1)'],
    ['<g transform="rotate(30)"><path filter="url(#f)"/></g>', 'filter: url(#f)'],
    ['<g stroke="url(#g)"><path vector-effect="non-scaling-stroke"/></g>', 'vector-effect: non-scaling-stroke'],
    ['<path pathLength="9" stroke-dasharray="1"/>', 'pathLength: 9'],
    ['<g style="mix-blend-mode:plus-lighter"/>', 'mix-blend-mode: plus-lighter'],
    ['<linearGradient color-interpolation="linearRGB"/>', 'color-interpolation: linearRGB'],
    ['<linearGradient><stop stop-color="oklch(.6 .2 9)"/></linearGradient>', 'stop-color: oklch(.6 .2 9)'],
    ['<filter><feBlend in2="BackgroundImage" mode="multiply"/></filter>', 'in2: BackgroundImage'],
    ['<filter><feComposite operator="lighter"/></filter>', 'operator: lighter'],
    ['<svg style="width:9px"/>', 'width: 9px'],
    ['<style>@media (max-width: 9px){.a{fill:red}}</style>', '@media (max-width: 9px)'],
  ])('%s', (body, construct) => {
    expect(constructsOf(svg(G + body))).toContain(construct);
  });

  it.each([
    '<path style="transform-box:fill-box;transform-origin:50% 50%"/>',
    '<path transform="rotate(9)" transform-origin="0 0"/>',
    '<g transform="scale(-1 1) rotate(90)"><path filter="url(#f)"/></g>',
    '<path style="filter:blur(2px)"/>',
    '<path vector-effect="non-scaling-stroke" stroke="red"/>',
    '<filter><feBlend in2="BackgroundImage"/></filter>',
    '<filter><feFlood flood-opacity="0" result="BackgroundImage"/><feBlend in2="BackgroundImage" mode="multiply"/></filter>',
    '<g fill="oklch(.6 .2 9)" style="background:red;stroke:currentColor"/>',
  ])('not %s', (body) => {
    expect(constructsOf(svg(G + body))).toEqual([]);
  });

  it('are found in the outermost element', () => {
    expect(constructsOf(svg('', 'style="margin:9px;position:absolute;top:1px"'))).toEqual([
      'position: absolute',
      'margin: 9px',
    ]);
    expect(constructsOf(svg('', 'style="margin:auto;display:block;background:none"'))).toEqual([]);
  });

  /** Returns the reported constructs. */
  function constructsOf(text: string): string[] {
    const named: string[] = [];
    checkSvg('logo.svg', text, (code, _, args) => {
      if (code === 'svg/not-drawn') named.push((args as { construct: string }).construct);
    });
    return named;
  }
});
