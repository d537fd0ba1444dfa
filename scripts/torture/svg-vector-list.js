// Attacks through SVG: every class of vector known from html5sec, DOMPurify, PayloadsAllTheThings, svg-cheatsheet and the
// advisories of sanitisers, written anew and each in many spellings. A vector that works calls `alert`, or sends a request
// to the folder `/sent/` of the server.

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const XLINK = 'http://www.w3.org/1999/xlink';
const JS = 'alert(1)';
const SENT = '/sent/';

/**
 * @typedef {{ name: string, bytes: Buffer }} Vector
 */

/**
 * A whole SVG that shows something wherever it is clicked.
 * @param {string} body
 * @param {string} [attributes]
 */
const svg = (body, attributes = '') =>
  `<svg xmlns="${SVG}" xmlns:xlink="${XLINK}" width="400" height="400" viewBox="0 0 400 400" ${attributes}>${body}</svg>`;
const RECT = '<rect width="400" height="400" fill="red"/>';

/** @param {string} text */
const inDecimal = (text) => text.replaceAll(/[^]/g, (character) => `&#${character.charCodeAt(0)};`);
/** @param {string} text */
const inHex = (text) => text.replaceAll(/[^]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
/** @param {string} text */
const base64 = (text) => Buffer.from(text).toString('base64');

/** Ways to write a URL that runs a script. */
const SCRIPT_URLS = [
  `javascript:${JS}`,
  `JaVaScRiPt:${JS}`,
  ` javascript:${JS}`,
  `&#9;javascript:${JS}`,
  `java&#9;script:${JS}`,
  `java&#10;script:${JS}`,
  `java&#13;script:${JS}`,
  `javascript&#58;${JS}`,
  `&#1;javascript:${JS}`,
  inDecimal(`javascript:${JS}`),
  inHex(`javascript:${JS}`),
  `javascript://%0a${JS}`,
  `javascript:%61lert(1)`,
  `vbscript:${JS}`,
  `data:text/html,&lt;script>${JS}&lt;/script>`,
  `data:text/html;base64,${base64(`<script>${JS}</script>`)}`,
  `data:image/svg+xml,&lt;svg xmlns='${SVG}' onload='${JS}'/>`,
  `data:image/svg+xml;base64,${base64(svg(`<script>${JS}</script>`))}`,
  `DATA:image/svg+xml;base64,${base64(`<svg xmlns="${SVG}" id="x" onload="${JS}"/>`)}#x`,
];

/** Ways to point at another file. */
const FILE_URLS = [
  `${SENT}a.svg#x`,
  `${SENT}a.png`,
  `//127.0.0.1${SENT}a`,
  `http://127.0.0.1${SENT}a`,
  'file:///etc/passwd',
  '../../etc/passwd',
  'a.svg#x',
  '?#x',
  'blob:null/1',
  `&#x2f;sent/a`,
];

/** Places for a URL. */
const URL_PLACES = [
  (/** @type {string} */ url) => `<a href="${url}">${RECT}</a>`,
  (/** @type {string} */ url) => `<a xlink:href="${url}">${RECT}</a>`,
  (/** @type {string} */ url) => `<a xmlns:y="${XLINK}" y:href="${url}">${RECT}</a>`,
  (/** @type {string} */ url) => `<script href="${url}"/>`,
  (/** @type {string} */ url) => `<script xlink:href="${url}"/>`,
  (/** @type {string} */ url) => `<use href="${url}"/>`,
  (/** @type {string} */ url) => `<use xlink:href="${url}"/>`,
  (/** @type {string} */ url) => `<image href="${url}" width="9" height="9"/>`,
  (/** @type {string} */ url) =>
    `<filter id="f"><feImage xlink:href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/>`,
  (/** @type {string} */ url) => `<iframe xmlns="${XHTML}" src="${url}"/>`,
  (/** @type {string} */ url) =>
    `<foreignObject width="400" height="400"><iframe xmlns="${XHTML}" src="${url}"/></foreignObject>`,
  (/** @type {string} */ url) =>
    `<foreignObject width="400" height="400"><object xmlns="${XHTML}" data="${url}"/></foreignObject>`,
  (/** @type {string} */ url) =>
    `<foreignObject width="400" height="400"><embed xmlns="${XHTML}" src="${url}"/></foreignObject>`,
  (/** @type {string} */ url) => `<a id="l">${RECT}<animate attributeName="href" values="${url}" dur="9s"/></a>`,
  (/** @type {string} */ url) => `<a id="l">${RECT}<set attributeName="xlink:href" to="${url}"/></a>`,
  (/** @type {string} */ url) => `<linearGradient id="g" href="${url}"/><rect width="9" height="9" fill="url(#g)"/>`,
  (/** @type {string} */ url) => `<rect width="9" height="9" fill="url(${url})"/>`,
  (/** @type {string} */ url) => `<rect width="9" height="9" style="mask:url('${url.replaceAll("'", '%27')}')"/>`,
  (/** @type {string} */ url) => `<style>@import url("${url.replaceAll('"', '')}");</style>`,
  (/** @type {string} */ url) => `<style>rect{clip-path:url(${url})}</style>${RECT}`,
  (/** @type {string} */ url) => `<h:link xmlns:h="${XHTML}" rel="stylesheet" href="${url}"/>`,
  (/** @type {string} */ url) => `<h:meta xmlns:h="${XHTML}" http-equiv="refresh" content="0;url=${url}"/>`,
  (/** @type {string} */ url) => `<h:base xmlns:h="${XHTML}" href="${url}"/><use href="#x"/>`,
  (/** @type {string} */ url) => `<g xml:base="${url}"><use href="#x"/></g>`,
];

/** Names of events that a visit sets off. */
const EVENTS = [
  'load',
  'begin',
  'end',
  'repeat',
  'click',
  'mousemove',
  'mouseover',
  'mouseenter',
  'focus',
  'focusin',
  'keydown',
  'keyup',
  'pointermove',
  'pointerdown',
  'pointerenter',
  'error',
  'animationstart',
  'transitionend',
  'activate',
  'unload',
  'wheel',
  'auxclick',
  'toggle',
  'beforetoggle',
  'resize',
  'scroll',
  'zoom',
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

/** Scripts as elements. */
const SCRIPTS = [
  `<script>${JS}</script>`,
  `<script type="text/javascript">${JS}</script>`,
  `<script type="application/ecmascript">${JS}</script>`,
  `<script type="module">${JS}</script>`,
  `<script><![CDATA[${JS}]]></script>`,
  `<script><!-- -->${JS}</script>`,
  `<script>${inDecimal(JS)}</script>`,
  `<script>${inHex(JS)}</script>`,
  `<script\n>${JS}</script\n>`,
  `<s:script xmlns:s="${SVG}">${JS}</s:script>`,
  `<script xmlns="${XHTML}">${JS}</script>`,
  `<h:script xmlns:h="${XHTML}">${JS}</h:script>`,
  `<h:script xmlns:h="http://www.w3.org/1999/&#120;html">${JS}</h:script>`,
  `<h:body xmlns:h="${XHTML}" onload="${JS}"/>`,
  `<h:img xmlns:h="${XHTML}" src="x" onerror="${JS}"/>`,
  `<h:input xmlns:h="${XHTML}" autofocus="" onfocus="${JS}"/>`,
  `<h:video xmlns:h="${XHTML}"><h:source onerror="${JS}"/></h:video>`,
  `<h:details xmlns:h="${XHTML}" open="" ontoggle="${JS}"/>`,
  `<h:iframe xmlns:h="${XHTML}" srcdoc="&lt;script>${JS}&lt;/script>"/>`,
  `<h:style xmlns:h="${XHTML}">@import '${SENT}a.css';</h:style>`,
  `<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:${JS}"><mtext>click</mtext></math>`,
  `<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">${JS}</handler>`,
  `<ev:listener xmlns:ev="http://www.w3.org/2001/xml-events" event="load" handler="#h"/><script id="h">${JS}</script>`,
  `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${SENT}a" parse="text"/>`,
  `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0"><xsl:template match="/"><script xmlns="${XHTML}">${JS}</script></xsl:template></xsl:stylesheet>`,
];

/** Where an element may hide. */
const HIDING = [
  (/** @type {string} */ body) => svg(body),
  (/** @type {string} */ body) => svg(`<defs>${body}</defs>`),
  (/** @type {string} */ body) => svg(`<title>${body}</title>`),
  (/** @type {string} */ body) => svg(`<metadata>${body}</metadata>`),
  (/** @type {string} */ body) => svg(`<switch><g systemLanguage="en">${body}</g><g>${body}</g></switch>`),
  (/** @type {string} */ body) => svg(`<foreignObject width="9" height="9">${body}</foreignObject>`),
  (/** @type {string} */ body) => svg(`<style>${body}</style>`),
  (/** @type {string} */ body) => svg(`<text>a<tspan>${body}</tspan></text>`),
  (/** @type {string} */ body) => svg(`<pattern id="p">${body}</pattern><rect width="9" height="9" fill="url(#p)"/>`),
  (/** @type {string} */ body) => svg(`<i:x xmlns:i="http://www.inkscape.org/namespaces/inkscape">${body}</i:x>`),
  (/** @type {string} */ body) => `<s:svg xmlns:s="${SVG}" viewBox="0 0 9 9"><g xmlns="${SVG}">${body}</g></s:svg>`,
];

/** CSS that sends requests or runs scripts, in browsers of today or of old. */
const CSS = [
  `@import "${SENT}a.css";`,
  `@IMPORT '${SENT}a.css';`,
  `@\\69mport "${SENT}a.css";`,
  `@import url(${SENT}a.css) screen;`,
  `/**/@import/**/"${SENT}a.css";`,
  `@font-face{font-family:a;src:url(${SENT}a.woff)}text{font-family:a}`,
  `@namespace url(${SENT}a);`,
  `@media screen{rect{fill:url(${SENT}a.svg#x)}}`,
  `@supports (fill:red){rect{mask:url(${SENT}a.svg#x)}}`,
  `rect{fill:url(${SENT}a.svg#x)}`,
  `rect{fill:u\\72l(${SENT}a.svg#x)}`,
  `rect{mask:\\75\\72\\6c("${SENT}a.svg#x")}`,
  `rect{fill:URL( "${SENT}a.svg#x" )}`,
  `rect{fill:url(\n'${SENT}a.svg#x')}`,
  `rect{mask-image:image-set("${SENT}a.png" 1x)}`,
  `rect{mask-image:-webkit-image-set(url(${SENT}a.png) 1x)}`,
  `rect{cursor:url(${SENT}a.cur),auto}`,
  `svg{background:url(${SENT}a.png)}`,
  `svg{background-image:image("${SENT}a.png")}`,
  `svg::before{content:url(${SENT}a.png)}`,
  `svg{list-style:url(${SENT}a.png)}`,
  `svg{border-image:url(${SENT}a.png) 1}`,
  `svg{--a:url(${SENT}a.png);background:var(--a)}`,
  `svg{offset-path:url(${SENT}a.svg#x)}`,
  `svg{filter:url(${SENT}a.svg#x)}`,
  `svg{shape-outside:url(${SENT}a.png)}`,
  `svg{behavior:url(${SENT}a.htc)}`,
  `svg{-moz-binding:url(${SENT}a.xml#x)}`,
  `svg{width:expression(${JS})}`,
  `svg{fill:url(javascript:${JS})}`,
  `rect{fill:red}}@import "${SENT}a.css";`,
  `.a{font-family:"}@import '${SENT}a.css';.b{"}`,
  `.a{font-family:'/*'}rect{fill:url(${SENT}a.svg#x)}.b{font-family:'*/'}`,
  `/*'*/rect{fill:url(${SENT}a.svg#x)}/*'*/`,
  // No comment starts in an address, nor behind a string that a line ends: what follows is read.
  `.a{fill:url(#a/*);mask:url(${SENT}a.svg#x);/**/)}`,
  `.a{fill:url( #a/* );mask:url(${SENT}a.svg#x);/**/)}`,
  `.a{fill:URL(#a/*);mask:url(${SENT}a.svg#x)}/**/`,
  `.a{fill:u\\72l(#a/*);mask:url(${SENT}a.svg#x)}/**/`,
  `.a{fill:src(#a/*);mask:url(${SENT}a.svg#x)}/**/`,
  `.a{font-family:"a\r" /*";mask:url(${SENT}a.svg#x);/* */}`,
  `.a{font-family:'a\r' /*';mask:url(${SENT}a.svg#x);/* */}`,
  `.a{font-family:"a&#13;" /*";mask:url(${SENT}a.svg#x);/* */}`,
  `.a{font-family:"a&#12;" /*";mask:url(${SENT}a.svg#x);/* */}`,
  `.a{font-family:"a\n" /*";mask:url(${SENT}a.svg#x);/* */}`,
  `.a{font-family:"a\\" /*";mask:url(${SENT}a.svg#x);/* */}`,
  `<!-- --> rect{fill:url(${SENT}a.svg#x)}`,
  `rect{fill:url(#x) ;;;mask:url(${SENT}a.svg#x)!important}`,
  `rect{animation:a 1s}@keyframes a{from{mask:url(${SENT}a.svg#x)}}`,
  `rect:hover{fill:url(${SENT}a.svg#x)}`,
  `[id^=a]{fill:url(${SENT}a.svg#x)}`,
  `svg{src:url(${SENT}a);fill:src("${SENT}a")}`,
];

/** Spellings of a style sheet; the last is that of an attribute. */
const SHEETS = [
  (/** @type {string} */ css) => `<style>${css}</style>`,
  (/** @type {string} */ css) => `<style type="text/css"><![CDATA[${css}]]></style>`,
  (/** @type {string} */ css) =>
    `<style>${css.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('@', '&#64;').replaceAll('u', '&#x75;')}</style>`,
  (/** @type {string} */ css) => `<style>${css}<style/></style>`,
  (/** @type {string} */ css) => `<style><g/>${css}<title/></style>`,
  (/** @type {string} */ css) => `<s:style xmlns:s="${SVG}">${css}</s:style>`,
  (/** @type {string} */ css) =>
    `<g style="${(/\{([^{}]*)\}/.exec(css)?.[1] ?? css).replaceAll('"', "'").replaceAll('<', '&lt;')}">${RECT}</g>`,
];

/** What stands before or around the outermost element. */
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
  svg(`<script>${JS}`),
  svg(`<g onload="${JS}" <rect/>`),
  svg(`<g a="1" a="2" onload="${JS}"/>`),
];

/** @param {string} declaration @param {Buffer} bytes */
const encoded = (declaration, bytes) =>
  Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${declaration}"?>`, 'latin1'), bytes]);

/** Harmless files that look like attacks: what is accepted must stay harmless. */
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
];

/** @returns {Vector[]} */
export function vectors() {
  /** @type {Vector[]} */
  const list = [];
  const add = (/** @type {string} */ name, /** @type {string | Buffer} */ content) =>
    list.push({ name: `${name} ${list.length}`, bytes: Buffer.from(content) });

  for (const place of URL_PLACES) for (const url of [...SCRIPT_URLS, ...FILE_URLS]) add('url', svg(place(url)));
  for (const event of EVENTS)
    for (const handler of HANDLERS) for (const place of HANDLER_PLACES) add('handler', place(handler(`on${event}`)));
  for (const script of SCRIPTS) for (const hide of HIDING) add('element', hide(script));
  for (const css of CSS)
    for (const sheet of SHEETS)
      add('css', svg(`${sheet(css)}<rect width="400" height="400" class="a" id="a"/><text>a</text>`));
  for (const document of DOCUMENTS) add('document', document);
  const attack = svg(`<script>${JS}</script>`);
  add('encoding', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(attack, 'utf16le')]));
  add('encoding', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(attack, 'utf16le').swap16()]));
  add('encoding', Buffer.from(attack, 'utf16le'));
  add('encoding', encoded('UTF-7', Buffer.from(svg(`+ADw-script+AD4-${JS}+ADw-/script+AD4-`))));
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
