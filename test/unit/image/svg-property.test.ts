import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { svgSet } from '../../long/svg-sets.js';
import { checkSvg } from '../../../src/core/image/svg/check.ts';
import { diagnosticsOf } from '../collect.ts';
import { sampledRuns } from '../../long-test.ts';

function accepts(text: string): boolean {
  let accepted = false;
  diagnosticsOf((report) => {
    accepted = checkSvg('logo.svg', text, report).isAccepted;
  });
  return accepted;
}

/** Patterns that no accepted file may contain in a tag or a style sheet. They are detected without a parser. */
const FORBIDDEN = [
  /<(?:[\w.-]+:)?(?:script|foreignObject|animate\w*|set|image|a|iframe|handler|discard|feImage|feTurbulence|include)[\s/>]/i,
  /[\s"'/](?:\w+:)?on\w+\s*=/i,
  /(?:java|vb)script:/i,
  /<!ENTITY(?! ns_\w+ "http:\/\/(?:ns\.adobe\.com\/[\w/.-]*|www\.w3\.org\/(?:2000\/svg|1999\/xlink))">)|<!ATTLIST|\bSYSTEM\b/,
  /<\?xml-stylesheet/,
  /@import|expression\(|\\/i,
  /url\(\s*["']?(?!\s*["']?(?:#|data:font\/ttf;base64,))/i,
  /href\s*=\s*["']\s*(?!#)/i,
  /xml:base/,
  /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i,
];

const TAG = /<[^\s>"'!?]+(?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?>/g;
/** Attributes that no renderer interprets, whatever their value. */
const INERT_ATTRIBUTES = /\s(?:id|class|data-x|inkscape:\w+|xmlns(?::\w+)?)\s*=\s*(?:"[^"]*"|'[^']*')/g;

const INERT_IN_EDITORS = /\s(?!on|xlink|xml:)[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*')/gi;

function expectHarmless(file: string): void {
  const sheets = [...file.matchAll(/<(?:\w+:)?style[\s>][^]*?<\/(?:\w+:)?style\s*>/g)].map(([sheet]) =>
    sheet.replace(/^[^>]*>/, ''),
  );
  const prolog = file.slice(0, file.search(/<(?:\w+:)?svg/));
  const text = [
    prolog,
    ...[...file.matchAll(TAG)].map(([tag]) =>
      tag.replaceAll(tag.startsWith('<inkscape:') ? INERT_IN_EDITORS : INERT_ATTRIBUTES, ''),
    ),
    ...sheets,
  ].join('\n');
  for (const forbidden of FORBIDDEN) expect(text).not.toMatch(forbidden);
}

const names = fc.constantFrom(
  ...'svg g path use style defs linearGradient title mask pattern filter feBlend metadata script'.split(' '),
  ...'SCRIPT a image set animate foreignObject iframe h:script s:script xi:include feImage switch'.split(' '),
  ...'marker description inkscape:x s:g handler'.split(' '),
);
const attributeNames = fc.constantFrom(
  ...'id class d fill style mask href xlink:href viewBox width data-x filter marker-mid cursor'.split(' '),
  ...'requiredExtensions systemLanguage type onload ONCLICK s:onload xml:base src begin'.split(' '),
  ...'inkscape:onload h:onclick xmlns xmlns:xlink'.split(' '),
);
const values = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '#a',
    '#b',
    'red',
    '0 0 1 1',
    '9',
    'url(#a)',
    "url('#b')",
    ...'fill:red fill:url(#a) flex:none;fil:red cursor:url(a) -moz-binding:url(#a) width:9px'.split(' '),
    ...'hue-rotate(9deg) http://ns.adobe.com/a/ none javascript:alert(1) url(http://a/)'.split(' '),
    'u\\72l(//a)',
    'expression(1)',
    '&#106;avascript:a',
    '@import "a"',
    'data:image/svg+xml,a',
    'http://www.w3.org/1999/xhtml',
    'http://www.w3.org/2000/svg',
    '&x;',
    '/* */',
    '"',
    "'",
    '<',
  ),
  fc.string({ maxLength: 8 }),
);
const attributes = fc.array(
  fc
    .tuple(attributeNames, values, fc.constantFrom('"', "'"))
    .map(([name, value, mark]) => ` ${name}=${mark}${value}${mark}`),
  { maxLength: 3 },
);
const anyText = fc.oneof(
  values,
  fc.constantFrom(
    '<!-- a -->',
    '<![CDATA[a{fill:red}]]>',
    '.a{fill:url(#b)}',
    '@import url(a);',
    '@font-face{src:url(data:font/ttf;base64,AA)}',
    '@font-face{src:url(a)}',
    '<?xml-stylesheet href="a"?>',
    '<?a?>',
  ),
);
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(names, attributes, fc.array(fc.oneof({ maxDepth: 4 }, anyText, tie('element')), { maxLength: 3 }))
    .map(([name, list, children]) => `<${name}${list.join('')}>${children.join('')}</${name}>`),
}));
const documents = fc
  .tuple(
    fc.constantFrom(
      '',
      '<?xml version="1.0" encoding="us-ascii"?>',
      '<!DOCTYPE svg>',
      '<!DOCTYPE svg [<!ENTITY x "y">]>',
      '<!DOCTYPE svg [<!ENTITY ns_x "http://ns.adobe.com/a/">]>',
    ),
    fc.array(element, { maxLength: 3 }),
  )
  .map(
    ([prolog, elements]) =>
      `${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:s="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 1 1"><g id="a"/><g id="b"/>${elements.join('')}</svg>`,
  );

describe('the SVG check, for any input', () => {
  it('never throws and accepts nothing harmful, in generated documents', () => {
    let accepted = 0;
    fc.assert(
      fc.property(documents, (text) => {
        if (!accepts(text)) return;
        accepted++;
        expectHarmless(text);
      }),
      { numRuns: sampledRuns(3000) },
    );
    // Without accepted documents, the test would prove nothing.
    expect(accepted).toBeGreaterThan(30);
  });

  it('accepts 995 of 1,000 brand logos', () => {
    let [total, accepted] = [0, 0];
    for (const { bytes } of svgSet('@iconify-json/logos')) {
      // Checks every seventh file, as all files would take seconds.
      if (total++ % 7 === 0 && accepts(bytes.toString())) accepted++;
    }
    expect(total).toBeGreaterThan(1000);
    expect(accepted / Math.ceil(total / 7)).toBeGreaterThan(0.995);
  });
});
