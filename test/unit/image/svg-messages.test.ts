import { describe, expect, it } from 'vitest';
import { checkSvg } from '../../../src/image/svg/check.ts';
import { LIMITS } from '../../../src/image/svg/limits.ts';
import { findings } from '../collect.ts';

const NAMESPACES =
  'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"';
const svg = (body: string): string => `<svg ${NAMESPACES} viewBox="0 0 9 9">\n${body}\n</svg>`;
const root = (attributes: string): string => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`;

const TEXTS = [
  // Before and around the picture.
  '',
  'a',
  '<svg',
  '<svg/>',
  '<SVG/>',
  '<html xmlns="http://www.w3.org/1999/xhtml"/>',
  '<g xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
  `<?xml version="1.0" encoding="UTF8"?>${svg('')}`,
  `<?xml version="1.1" encoding="latin1"?>\n${svg('')}`,
  `<!DOCTYPE svg>${svg('')}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1 Tiny//EN" "https://www.w3.org/Graphics/SVG/1.1/DTD/svg11-tiny.dtd" >${svg('')}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 20010904//EN" "http://www.w3.org/TR/svg10.dtd">${svg('')}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.2//EN" "http://www.w3.org/a.dtd">${svg('')}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.example.org/a.dtd">${svg('')}`,
  `<!-- a -->\n<!DOCTYPE svg [\n]>${svg('')}`,
  `${svg('')}<?a b?>`,
  `<?a?>\n<?xpacket end="w"?>${svg('')}`,
  `${svg('')}<g/>`,
  `${svg('')} a`,
  // Sizes.
  root(''),
  root('width="9"'),
  root('width="9" height="9%"'),
  root('width="9" height="9"'),
  root('width="0" height="9"'),
  root('width="9" height="1e9" viewBox="0 0 9 9"'),
  root('width="9 " height=" 9mm" viewBox="0,0 9 , 9"'),
  // Elements and attributes.
  svg('<g>\n  <script/></g>'),
  svg('<a xlink:href="http://a/"/><image/><marker/><switch/><feImage/><feTurbulence/><font/><animateMotion/>'),
  svg('<blink/><x:y xmlns:x="urn:x"/><metadata><x xmlns="urn:y"/></metadata>'),
  svg('<g onclick="a" onmouseover = \'b\'/><path inkscape:onload="a"/><inkscape:g onload="a" other="b"/>'),
  svg('<g a="b"\n   c="d" xml:space="preserve" xml:lang="en" xml:id="e"/>'),
  svg('<g data-a="url(b)" aria-label="a()" role="a" data-="a" Data-a="a"/>'),
  svg('<g inkscape:export-filename="C:\\a.png" inkscape:label="a/b"/><g inkscape:export-filename="a.png"/>'),
  svg('<g xmlns:x="urn:x" x:a="b"/>'),
  svg('<text>a</text>\n<text/><tspan/>'),
  // References.
  svg('<use href="#a"/><use xlink:href=" #b "/><use href="a.svg#b"/><use href="#"/><use href="# a"/>'),
  svg('<g id="a"/>\n<g id="a"/><g id="a"/><use href="#a"/><g fill="url(#a)"/>'),
  svg('<g id="a"/><g id="a"/>'),
  svg('<g id="a"><g id="b"><use href="#a"/></g></g>'),
  svg('<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><path mask="url(#a)"/></mask>'),
  svg('<filter id="a" href="#a"/>'),
  svg('<g fill="url(a.svg#b)" stroke="image(a)" mask="src(\'a\')" clip-path="URL( "/>'),
  svg('<g fill="url( \'#a\' ) red" stroke="url(#b)"/><path id="a"/>'),
  svg('<style>g{fill:url(#a)}.b{stroke:url(#b);mask:url(#c)}#d{filter:url(#e)}</style><g/><g class="x b"/><g id="d"/>'),
  svg('<style>g{fill:url(#a)}</style>'),
  // Style.
  svg('<g style="fill:red;; stroke : blue ;FILL:RED"/><g style="behavior:a;fill"/>'),
  svg('<g style="fill:a(b) url(#a)"/><g fill="expression(a)" stroke="rgb(a(b))" opacity="rgb(\'a\')"/>'),
  svg('<g fill="RGB(1,2,3) matrix(1 2)" transform="translateX(1) scale(2)rotate(3)"/><g transform="rotate3d(1)"/>'),
  svg(
    '<g fill="a;b"/><g fill="&#34;a&#34; \'b\'"/><g fill="\'a"/><g fill="a\\b"/><g fill="a!b"/><g fill="("/><g fill="a)"/>',
  ),
  svg('<style>a{b:c}</style>'),
  svg('<style>.a{fill:red}.b,#c , g{stroke:url(#x)} .d\n{}</style>'),
  svg('<style>.a .b{fill:red}\n.a>b{}*{}a[b]{}.a:hover{}.9{}</style>'),
  svg('<style>@import url(a);.a{}</style>'),
  svg('<style>@media (prefers-color-scheme:LIGHT){.a{fill:red}}@media print{.a{fill:red}}</style>'),
  svg('<style>@media (prefers-color-scheme:dark){.a{fill:red}.b{fill:a()}}.c{d:e}</style>'),
  svg('<style>.a{fill:red</style>'),
  svg('<style>.a fill:red}</style>'),
  svg('<style>/* a{b:c} */.a{/* ; */fill:red}/* d</style>'),
  svg('<style>.a{font-family:"/*";x:y/* */}</style>'),
  svg('<style type="text/css" media="a">.a{}</style><style>.b{<![CDATA[fill:a()]]>}</style>'),
  svg('<style>.a{x:y}<g/></style>'),
  svg('<style/><g/>'),
  svg('<style>@font-face{src:url(data:font/ttf;base64,AA)}</style><text/>'),
  svg('<g style="fil:red;background:red"/><style>.a{animation:a 1s}</style>'),
  svg('<switch><foreignObject requiredExtensions="http://ns.adobe.com/a/"/><foreignObject/></switch>'),
  // XML.
  svg('<g a=b/>'),
  svg('<g>'),
  svg('&lt;&#65;&unknown;'),
  svg('<g><!-- a -- b --></g>'),
  svg('<y:g/>'),
  svg('<g xlink:href="#a" href="#a" a="1" a="2"/>'),
  svg(']]>'),
  // Too much.
  svg('<a/>\n'.repeat(LIMITS.findings + 5)),
  svg(`<g id="${'a'.repeat(LIMITS.attribute + 1)}"/>`),
  svg(`<path d="M${'1'.repeat(LIMITS.path)}"/>`),
  svg(`<path inkscape:original-d="M${'1'.repeat(LIMITS.path)}"/>`),
  svg('<g>'.repeat(LIMITS.depth)),
  svg('<g/>'.repeat(LIMITS.elements)),
  svg('<path/>'.repeat(LIMITS.drawn)),
  svg(`<filter>${'<feMorphology/>'.repeat(8)}<feDropShadow/></filter>`),
  svg(`<filter id="a">${'<feMorphology/>'.repeat(6)}</filter><g filter="url(#a)"/><g filter="url(#a)"/>`),
];

describe('checkSvg', () => {
  it('says of each text what is wrong, where, and what to do', async () => {
    const told = TEXTS.map((text) => {
      let isAccepted = false;
      const found = findings((report) => {
        ({ isAccepted } = checkSvg('a.svg', text, report));
      });
      const lines = found.map(({ code, message, hint, location: { start, end } }) => {
        const place = start && `${start.line}:${start.column} to ${end?.line}:${end?.column}`;
        return `    ${code} ${place}\n        ${message}\n        ${hint}\n`;
      });
      const body = text.replace(` ${NAMESPACES} viewBox="0 0 9 9"`, ' …').replaceAll(/(.{1,12}?)\1{20,}/gs, '$1$1…');
      return `${body}\n  = ${isAccepted ? 'accepted' : 'refused'}\n${lines.join('')}`;
    });
    await expect(told.join('\n')).toMatchFileSnapshot('svg-messages.txt');
  });
});
