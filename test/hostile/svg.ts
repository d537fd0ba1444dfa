import { gzipSync } from 'node:zlib';
import { type Case, type Cases, logo } from './case.ts';

const START = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">';

/** The logo with an insertion in its first line. */
function inside(about: string, content: string, code: Case['code']): Case {
  return logo(about, 'a.svg', `${START}${content}<path d="M0 0h9v9z"/></svg>\n`, code, 'meadow/a.svg:1');
}

function before(about: string, content: string, code: Case['code']): Case {
  return logo(about, 'a.svg', `${content}${START}<path d="M0 0h9v9z"/></svg>\n`, code, 'meadow/a.svg:1');
}

function sized(about: string, attributes: string): Case {
  return logo(
    about,
    'a.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path d="M0 0h9v9z"/></svg>`,
    'svg/dimensions',
    'meadow/a.svg:1',
  );
}

const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
const copies = Array.from(
  { length: 12 },
  (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`,
).join('');
const chain = Array.from({ length: 5000 }, (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/></g>`).join('');

/** Cases 37 to 62. */
export const svg: Cases = {
  37: [inside('a script', '<script>alert(1)</script>', 'svg/element')],
  38: [inside('a script with a prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>', 'svg/element')],
  39: [inside('onload', '<g onload="alert(1)"/>', 'svg/attribute')],
  40: [
    inside('a link that runs a script', '<a href="JaVa&#x9;script:alert(1)"><path d="M0 0"/></a>', 'svg/element'),
    inside('use of a script', '<use xlink:href="javascript:alert(1)"/>', 'svg/reference'),
  ],
  41: [inside('foreignObject', '<foreignObject><p>a</p></foreignObject>', 'svg/element')],
  42: [
    inside('an HTML frame', '<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://a.example"/>', 'svg/element'),
    inside('an HTML script', '<h:script xmlns:h="http://www.w3.org/1999/xhtml">1</h:script>', 'svg/element'),
  ],
  43: [
    inside('an animation', '<animate attributeName="href" values="javascript:alert(1)"/>', 'svg/element'),
    inside('a set', '<set attributeName="href" to="javascript:alert(1)"/>', 'svg/element'),
  ],
  44: [inside('use of a data URL', '<use href="data:image/svg+xml,&lt;svg/&gt;#a"/>', 'svg/reference')],
  45: [
    inside('a gradient from the web', '<path fill="url(https://a.example/a.svg#a)" d="M0 0"/>', 'svg/reference'),
    inside('a gradient from a file', '<path fill="url(file:///etc/passwd#a)" d="M0 0"/>', 'svg/reference'),
    inside('use of another file', '<use href="other.svg#a"/>', 'svg/reference'),
  ],
  46: [inside('an SVG in an embedded image', '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>', 'svg/element')],
  47: [
    inside('an imported style sheet', '<style>@import "https://a.example/a.css";</style>', 'svg/style'),
    inside('a style from the web', '<g style="fill:url(https://a.example/a)"/>', 'svg/reference'),
    inside('a style with escapes', '<g style="fill:\\75rl(https://a.example/a)"/>', 'svg/style'),
  ],
  48: [before('an external style sheet', '<?xml-stylesheet href="a.css"?>', 'svg/instruction')],
  49: [
    before('an entity', '<!DOCTYPE svg [<!ENTITY a "b">]>', 'svg/doctype'),
    before('an attribute of every element', '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>', 'svg/doctype'),
  ],
  50: [before('a billion laughs', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]>`, 'svg/doctype')],
  51: [before('an entity from a file', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>', 'svg/doctype')],
  52: [
    inside(
      'XInclude',
      '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="theme.yaml" parse="text"/>',
      'svg/element',
    ),
  ],
  53: [inside('10¹² copies through use', `<g id="g0"><path d="M0 0h1"/></g>${copies}<use href="#g12"/>`, 'svg/limit')],
  54: [inside('use of itself', '<g id="a"><use href="#a"/></g>', 'svg/reference')],
  55: [inside('nested use, 5,000 deep', `<g id="g0"/>${chain}<use href="#g5000"/>`, 'svg/limit')],
  56: [
    inside(
      '200 filter steps',
      `<filter id="f">${'<feGaussianBlur stdDeviation="2"/>'.repeat(200)}</filter>`,
      'svg/limit',
    ),
  ],
  57: [
    inside('elements 300 deep', `${'<g>'.repeat(300)}${'</g>'.repeat(300)}`, 'svg/limit'),
    inside('very many elements', '<g/>'.repeat(60_000), 'svg/limit'),
    logo('an SVG of 2 MiB', 'a.svg', `${START}<!--${'a'.repeat(2 ** 21)}--></svg>`, 'svg/limit', 'meadow/a.svg'),
  ],
  58: [
    sized('a giant size', 'width="1000000000" height="1000000000"'),
    sized('a size that is no number', 'width="NaN" height="NaN"'),
    sized('a negative size', 'width="-9" height="-9"'),
    sized('no size', ''),
  ],
  59: [inside('a text', '<text>a</text>', 'svg/text')],
  60: [logo('a compressed SVG', 'a.svg', gzipSync(`${START}</svg>`), 'image/format')],
  61: [
    before('a declaration of ISO-8859-1', '<?xml version="1.0" encoding="ISO-8859-1"?><!-- é -->', 'svg/encoding'),
    logo('an SVG in UTF-16', 'a.svg', Buffer.from(`\ufeff${START}</svg>`, 'utf16le'), 'image/format'),
  ],
  62: [
    logo('half an SVG', 'a.svg', `${START}<g>`, 'svg/syntax', 'meadow/a.svg:1'),
    inside('overlapping tags', '<g><defs></g></defs>', 'svg/syntax'),
  ],
};
