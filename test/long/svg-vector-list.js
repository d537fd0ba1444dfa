// Attacks through SVG: every class of vector known from html5sec, DOMPurify, PayloadsAllTheThings, svg-cheatsheet and the
// advisories of sanitisers, written from scratch and each in many spellings. A vector that works calls `alert`, or sends a request
// to the folder `/sent/` of the server.
import { CSS, SHEETS } from './svg-vector-css.js';
import { HIDING, SCRIPTS } from './svg-vector-elements.js';
import { ADOBE, base64, inDecimal, inHex, JS, RECT, SENT, SVG, svg, XHTML, XLINK } from './svg-vector-parts.js';
import { FILE_URLS, IMAGE_URLS, SCRIPT_URLS, URL_PLACES } from './svg-vector-urls.js';

/**
 * @typedef {{ name: string, bytes: Buffer }} Vector
 */

/** Names of events that a visitor triggers. */
const EVENTS = [
  ...'load begin end repeat click mousemove mouseover mouseenter focus focusin keydown keyup'.split(' '),
  ...'pointermove pointerdown pointerenter error animationstart transitionend activate unload'.split(' '),
  ...'wheel auxclick toggle beforetoggle resize scroll zoom'.split(' '),
];

/** Spellings of a handler. */
const HANDLERS = [
  (/** @type {string} */ name) => `${name}="${JS}"`,
  (/** @type {string} */ name) => `${name.toUpperCase()}="${JS}"`,
  (/** @type {string} */ name) => `${name}\n=\n'${inHex(JS)}'`,
  (/** @type {string} */ name) => `xlink:${name}="${JS}"`,
  (/** @type {string} */ name) => `s:${name}="${JS}" xmlns:s="${SVG}"`,
];

/** Places for a handler. */
const HANDLER_PLACES = [
  (/** @type {string} */ handler) => svg(RECT, handler),
  (/** @type {string} */ handler) => svg(`<rect tabindex="0" width="400" height="400" ${handler}/>`),
  (/** @type {string} */ handler) => svg(`<g><title/><path d="M0 0H400V400H0z" tabindex="1" ${handler}/></g>`),
];

/** Text in XML that an HTML parser reads as markup when a page inlines the SVG. */
const IMG = `<img src=x onerror=${JS}>`;
const INLINED = [
  ...['title', 'desc', 'style', 'text', 'g', 'metadata', 'description', 'defs', 's:title'].flatMap((name) =>
    [`<![CDATA[${IMG}]]>`, `<![CDATA[>${IMG}]]>`, `<![CDATA[</${name}></svg>${IMG}]]>`, `<?xpacket >${IMG}?>`].map(
      (body) => svg(`<${name}>${body}</${name}>${RECT}`, `xmlns:s="${SVG}"`),
    ),
  ),
  ...['title', 'desc'].flatMap((name) => [
    svg(`<${name}><style>&lt;/style>${inDecimal(IMG)}</style></${name}>${RECT}`),
    svg(`<${name}><style><![CDATA[</style>${IMG}]]></style></${name}>${RECT}`),
    svg(`<${name}><g id="&lt;/g>${inDecimal(IMG)}"><title/></g></${name}>${RECT}`),
    svg(`<${name}><i:x xmlns:i="${ADOBE}" i:onclick="${JS}"><![CDATA[${IMG}]]></i:x></${name}>${RECT}`),
  ]),
  ...['p', 'b', 'noscript', 'plaintext', 'textarea', 'title', 'xmp', 'template', 'svg', 'math', 'style', 'x'].flatMap(
    (name) => [
      svg(`<${name} xmlns="${ADOBE}"><style xmlns="${SVG}">&lt;/style>${inDecimal(IMG)}</style></${name}>${RECT}`),
      svg(`<${name} xmlns="${ADOBE}" title="${inDecimal(IMG)}"><![CDATA[></${name}>${IMG}]]></${name}>${RECT}`),
    ],
  ),
  svg(`<!-->${IMG}-->${RECT}`),
  svg(`<!--a--!>${IMG}-->${RECT}`),
  `<?xpacket >${IMG}?>${svg(RECT)}`,
  `${svg(RECT)}<?xpacket >${IMG}?>`,
  `<?xml version="1.0"?><!-- >${IMG} -->${svg(RECT)}`,
];

/** Content before or around the root element. */
const DOCUMENTS = [
  `<?xml-stylesheet type="text/xsl" href="#x"?>${svg(SCRIPTS[24] ?? '')}`,
  `<?xml-stylesheet type="text/css" href="${SENT}a.css"?>${svg(RECT)}`,
  `<?xml-stylesheet type="text/xml" href="data:text/xml,&lt;a/>"?>${svg(RECT)}`,
  `${svg(RECT)}<?xml-stylesheet type="text/css" href="${SENT}a.css"?>`,
  `<!DOCTYPE svg [<!ENTITY a "${inDecimal('<script>')}${JS}${inDecimal('</script>')}">]>${svg('&a;')}`,
  `<!DOCTYPE svg [<!ENTITY a "&#60;script>${JS}&#60;/script>">]>${svg('&a;')}`,
  `<!DOCTYPE svg [<!ENTITY % a "<!ENTITY b '&#60;script>${JS}&#60;/script>'>"> %a;]>${svg('&b;')}`,
  `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "${JS}">]>${svg(RECT)}`,
  `<!DOCTYPE svg [<!ATTLIST rect onmousemove CDATA #FIXED "${JS}">]>${svg(RECT)}`,
  `<!DOCTYPE svg [<!ATTLIST x xmlns CDATA "${XHTML}">]>${svg(`<x/>`)}`,
  `<!DOCTYPE svg SYSTEM "${SENT}a.dtd">${svg(RECT)}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${SENT}svg11.dtd">${svg(RECT)}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('<text>&a;</text>')}`,
  `<!DOCTYPE svg [<!ENTITY a SYSTEM "${SENT}a">]>${svg('<text>&a;</text>')}`,
  `<!DOCTYPE svg [<!ENTITY a "a"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>${svg('<text>&c;</text>')}`,
  `<!DOCTYPE html><html><script>${JS}</script></html>`,
  `<html xmlns="${XHTML}"><script>${JS}</script></html>`,
  `<!-- --><html xmlns="${XHTML}"><body onload="${JS}">${svg(RECT)}</body></html>`,
  `<h:html xmlns:h="${XHTML}" xmlns="${SVG}"><svg/><h:script>${JS}</h:script></h:html>`,
  `<svg onload="${JS}"/>`,
  `<svg><script>${JS}</script></svg>`,
  `<svg xmlns="http://www.w3.org/2000/SVG"><script>${JS}</script></svg>`,
  `<x xmlns="${SVG}"><script>${JS}</script></x>`,
  `<script xmlns="${SVG}">${JS}</script>`,
  `${svg(RECT)}<script xmlns="${SVG}">${JS}</script>`,
  `<?xml version="1.1"?>${svg(`<script>${JS}</script>`)}`,
  `\ufeff${svg(`<script>${JS}</script>`)}`,
  `GIF89a=1//${svg(`<script>${JS}</script>`)}`,
  `<?xpacket a?>${svg(`<script>${JS}</script>`)}`,
  svg('<g id="a"><use href="#a"/></g>'),
  svg(
    Array.from({ length: 40 }, (_, n) => `<g id="a${n}"><use href="#a${n + 1}"/><use href="#a${n + 1}"/></g>`).join(''),
  ),
  svg('<g>'.repeat(3000) + '</g>'.repeat(3000)),
  // Entities as Illustrator writes them.
  ...[
    `<!ENTITY ns_x "${XHTML}">`,
    `<!ENTITY ns_x "${ADOBE}"><!ENTITY ns_x "${XHTML}">`,
    `<!ENTITY ns_x "http://ns.adobe.com/&#60;script>${JS}&#60;/script>">`,
    `<!ENTITY ns_x SYSTEM "${SENT}a">`,
    `<!ENTITY % ns_x SYSTEM "${SENT}a"> %ns_x;`,
    `<!ENTITY ns_x "javascript:${JS}">`,
    `<!ENTITY ns_x "http://ns.adobe.com/"><!ATTLIST svg onload CDATA "${JS}">`,
    `<!ENTITY ns_x "${XLINK}">`,
    `<!ENTITY ns_x "${SVG}">`,
  ].flatMap((declared) => [
    `<!DOCTYPE svg [${declared}]>${svg(`<x:script xmlns:x="&ns_x;">${JS}</x:script>`)}`,
    `<!DOCTYPE svg [${declared}]>${svg(`<a xmlns:x="&ns_x;" x:href="&ns_x;">${RECT}</a><g fill="url(&ns_x;)">&ns_x;</g>`)}`,
  ]),
  `<!DOCTYPE svg [<!ENTITY ns_x "${ADOBE}">]>${svg(`<use href="&ns_x;"/><style>@import "&ns_x;";</style>`)}`,
  svg(`<i:pgf xmlns:i="${ADOBE}" onload="${JS}"><![CDATA[</i:pgf><script>${JS}</script>]]></i:pgf>`),
  svg(`<g xmlns:i="${ADOBE}" i:extraneous="self" i:onclick="${JS}" onclick="${JS}">${RECT}</g>`),
  // Line breaks of classic Mac OS.
  `<?xml version="1.0"?>\r${svg(`<\rscript>${JS}</script>`)}`,
  svg(`<g\ronload="${JS}">${RECT}</g>`, `\ronload\r=\r"${JS}"`),
  svg(`<a href="java\rscript:${JS}">${RECT}</a>`),
  svg(`<style>.a{font-family:"a\r" /*";mask:url(${SENT}a.svg#x);/* */}</style>${RECT}`),
  svg(`<style>/*\r*/@import\r"${SENT}a.css";</style>${RECT}`),
  svg(`<script>${JS}`),
  svg(`<g onload="${JS}" <rect/>`),
  svg(`<g a="1" a="2" onload="${JS}"/>`),
];

/** @param {string} declaration @param {Buffer} bytes */
const encoded = (declaration, bytes) =>
  Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${declaration}"?>`, 'latin1'), bytes]);

/** Harmless files that look like attacks; accepted ones must stay harmless. */
const HARMLESS = [
  svg(`<title>&lt;script>${JS}&lt;/script></title>${RECT}`),
  svg(`<desc><![CDATA[<script>${JS}</script>]]></desc>${RECT}`),
  svg(`<!-- <script>${JS}</script> -->${RECT}`),
  svg(`<g id="javascript:${JS}" class="onload=${JS}" data-x="&lt;script>">${RECT}</g>`),
  svg(`<metadata>&lt;script>${JS}&lt;/script></metadata>${RECT}`),
  svg(`<style>.a{fill:#123}/* @import "${SENT}a.css" */</style>${RECT}`),
  svg(`<style>.a{font-family:'javascript'}</style>${RECT}`),
  svg(
    `<i:x xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:onload="${JS}" href="javascript:${JS}" src="${SENT}a" style="background:url(${SENT}a)"/>${RECT}`,
  ),
  svg(`<path xmlns:i="http://ns.adobe.com/a/" i:onload="${JS}" d="M0 0H400V400z"/>`),
  svg(RECT, `xmlns:a="javascript:${JS}"`),
  svg(`<text>&lt;iframe src="${SENT}a">&lt;/iframe></text>`),
  svg(`<g fill="url(#g)"><linearGradient id="g"/>${RECT}</g>`),
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg(RECT)}`,
  `<!DOCTYPE svg>${svg(RECT)}`,
  `<?xpacket begin="" href="${SENT}a"?>${svg(RECT)}`,
  // Output of drawing programs.
  `<?xml version="1.0" encoding="iso-8859-1"?>\r${svg(`\r${RECT}`)}`,
  svg(`<metadata><?xpacket begin="\ufeff" id="a"?></metadata>${RECT}`),
  svg(`<use href="#missing"/><g fill="url(#missing)" mask="url(#missing)" filter="url(#missing)">${RECT}</g>`),
  svg(`<path id="a" d="M0 0H9"/><rect id="a" width="9" height="9"/><use href="#a"/>`),
  svg(`<switch><g>${RECT}</g></switch>`),
  svg(`<marker id="m" orient="auto"><path d="M0 0H9"/></marker><path d="M0 0H400V400" marker-mid="url(#m)"/>`),
  svg(
    `<style>@font-face{font-family:a;src:url(data:font/woff;base64,d09GRg==)}svg{font:1em a;stroke-width:1ex}</style>${RECT}`,
  ),
  svg(
    `<style>@font-face{font-family:a;src:url(data:application/javascript;base64,${base64(JS)})}</style>${RECT}`,
    `font-family="a" stroke-width="1ex"`,
  ),
  svg(`<g style="flex:none;cursor:pointer;background:red;behavior:${SENT}a.htc;x-y:javascript">${RECT}</g>`),
  svg(`<g filter="hue-rotate(9deg)">${RECT}</g>`),
  `<!DOCTYPE svg [<!ENTITY ns_ai "${ADOBE}"><!ENTITY ns_svg "${SVG}">]><svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" xmlns:xlink="${XLINK}" viewBox="0 0 400 400"><switch><foreignObject requiredExtensions="&ns_ai;" width="400" height="400"><i:pgfRef xlink:href="#p" href="javascript:${JS}" src="${SENT}a" style="background:url(${SENT}a)"/></foreignObject><g i:extraneous="self">${RECT}</g></switch><i:pgf id="p">&lt;script>${JS}&lt;/script></i:pgf></svg>`,
];

/** @returns {Vector[]} */
export function vectors() {
  /** @type {Vector[]} */
  const list = [];
  const add = (/** @type {string} */ name, /** @type {string | Buffer} */ content) =>
    list.push({ name: `${name} ${list.length}`, bytes: Buffer.from(content) });

  for (const place of URL_PLACES)
    for (const url of [...SCRIPT_URLS, ...FILE_URLS, ...IMAGE_URLS]) add('url', svg(place(url)));
  for (const event of EVENTS)
    for (const handler of HANDLERS) for (const place of HANDLER_PLACES) add('handler', place(handler(`on${event}`)));
  for (const script of SCRIPTS) for (const hide of HIDING) add('element', hide(script));
  for (const css of CSS)
    for (const sheet of SHEETS)
      add('css', svg(`${sheet(css)}<rect width="400" height="400" class="a" id="a"/><text>a</text>`));
  for (const document of DOCUMENTS) add('document', document);
  for (const document of INLINED) add('inlined', document);
  const attack = svg(`<script>${JS}</script>`);
  add('encoding', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(attack, 'utf16le')]));
  add('encoding', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(attack, 'utf16le').swap16()]));
  add('encoding', Buffer.from(attack, 'utf16le'));
  add('encoding', encoded('UTF-7', Buffer.from(svg(`+ADw-script+AD4-${JS}+ADw-/script+AD4-`))));
  for (const declared of ['iso-8859-1', 'us-ascii', 'utf-8', 'UTF-16', 'UTF-32', 'x-user-defined', 'utf-8 utf-7'])
    for (const hidden of [
      Buffer.from(svg(`+ADw-script+AD4-${JS}+ADw-/script+AD4-`)),
      Buffer.from(svg(RECT).replace('<rect', '\x1b$@\x1b(B<rect')),
      Buffer.from(attack, 'utf16le'),
      Buffer.from(svg(`<g id="\xe9" \xa0onload="${JS}">${RECT}</g>`), 'latin1'),
      Buffer.from(svg(`<g id="&#x81;" onload&#61;"${JS}">${RECT}</g>`)),
    ])
      add('encoding', encoded(declared, hidden));
  add('encoding', `\ufeff\ufeff${attack}`);
  add('encoding', `\ufeff\ufeff${svg(RECT)}`);
  add('encoding', svg(`<\ufeffscript>${JS}</\ufeffscript><?xpacket begin="\ufeff"?>`));
  add('encoding', encoded('ISO-2022-JP', Buffer.from(attack)));
  add('encoding', encoded('windows-1252', Buffer.from(attack)));
  add(
    'encoding',
    encoded(
      'Shift_JIS',
      Buffer.concat([Buffer.from(`<svg xmlns="${SVG}" id="`), Buffer.from([0x81]), Buffer.from(`" onload="${JS}"/>`)]),
    ),
  );
  add('encoding', encoded('ebcdic-cp-us', Buffer.from(attack)));
  add(
    'encoding',
    Buffer.concat([
      Buffer.from(`<svg xmlns="${SVG}"><`),
      Buffer.from([0xc0, 0xbc]),
      Buffer.from(`script>${JS}</script></svg>`),
    ]),
  );
  add('encoding', Buffer.from(attack.replace('<script', '<script\0')));
  for (const text of HARMLESS) add('harmless', text);
  return list;
}
