// Attacks through ordinary parts of SVGs: DOCTYPEs, attributes of old editors, selectors, media. Many are accepted, and must be
// harmless.
import { JS, RECT, SENT, svg, SVG, XHTML, XLINK } from './svg-vector-parts.js';

const PUBLIC = `-//W3C//DTD SVG 1.1//EN`;
const DTD = 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd';
const FIXED = `<!ATTLIST svg xmlns:xlink CDATA #FIXED "${XLINK}">`;

/** Declarations between the brackets of a DOCTYPE. */
const SUBSETS = [
  FIXED,
  FIXED + FIXED,
  `${FIXED}<!ATTLIST svg onload CDATA "${JS}">`,
  `<!ATTLIST svg xmlns CDATA #FIXED "${SVG}" xmlns:xlink CDATA #FIXED "${XLINK}" onload CDATA "${JS}">`,
  `<!ATTLIST svg xmlns:xlink CDATA #FIXED "${XLINK}" onload CDATA "${JS}">`,
  `<!ATTLIST svg xmlns:xlink CDATA #FIXED "${XLINK}"\nonclick CDATA "${JS}">`,
  `<!ATTLIST g xmlns CDATA #FIXED "${XHTML}"><!ATTLIST rect onclick CDATA "${JS}">`,
  `<!ATTLIST rect xmlns:xlink CDATA #FIXED "${XLINK}">`,
  `<!ATTLIST svg xmlns:xlink CDATA #FIXED "${XHTML}">`,
  `<!ATTLIST svg xmlns:xlink CDATA #FIXED '${XLINK}'>`,
  `<!ATTLIST svg xmlns:xlink CDATA "${XLINK}">`,
  `<!ATTLIST svg xmlns:x CDATA #FIXED "${XHTML}">`,
  `<!ATTLIST rect fill CDATA "url(${SENT}a.svg#x)">`,
  `<!ATTLIST style xmlns CDATA "${XHTML}">`,
  `<!ELEMENT svg ANY>${FIXED}`,
  `<!NOTATION a SYSTEM "${SENT}a">${FIXED}`,
  `<!ENTITY ns_x "${XLINK}">${FIXED}`,
  `<!ENTITY a "${JS}">${FIXED}`,
  `<!-- -->${FIXED}`,
  `<?xml-stylesheet href="${SENT}a.css"?>${FIXED}`,
];

/** Ways to begin a DOCTYPE. */
const OPENINGS = [
  '',
  ` PUBLIC '${PUBLIC}' '${DTD}'`,
  ` PUBLIC "${PUBLIC}" '${DTD}'`,
  ` PUBLIC '${PUBLIC}' '${SENT}svg11.dtd'`,
  ` SYSTEM '${DTD}'`,
];

/** Names of attributes that no viewer knows, and names that begin as handlers do. */
const NAMES =
  'only_selected on-load on_load onload2 onload.a tabindex systemLanguage contentScriptType contentStyleType space t p-id content host collect linecap label t0'.split(
    ' ',
  );
const VALUES = [
  JS,
  `javascript:${JS}`,
  `url(${SENT}a)`,
  `&lt;script>${JS}&lt;/script>`,
  `"/&gt;<`.replace('"', '&quot;'),
];

/** Attributes that decide whether a link is followed without a click. */
const LINKS = [
  'type="simple"',
  'type="extended"',
  'show="embed"',
  'show="new"',
  'actuate="onLoad"',
  'actuate="onRequest"',
];

/** Selectors that are not one name. */
const SELECTORS =
  '*|g *|svg > rect|rect + rect|rect.a|rect#a|*.a|.a.b|:root rect|rect:hover|.b,.a:hover|svg rect:hover|g > *:hover|rect:focus|a:link|rect::before|:is(rect)|rect:not(.b)'.split(
    '|',
  );
const BODIES = [
  `fill:url(${SENT}a.svg#x)`,
  `mask:u\\72l(${SENT}a.svg#x)`,
  `filter:drop-shadow(0 0 url(${SENT}a))`,
  `filter:drop-shadow(0 0 9px rgba(0,0,0,.5)) url(${SENT}a.svg#x)`,
  `cursor:url(${SENT}a.cur),auto`,
  'fill:#123',
];
const MEDIA = [
  'screen',
  'screen and (prefers-color-scheme: dark)',
  'all and (min-width:1px)',
  'only screen and (max-width:9px), print',
  `screen and url(${SENT}a)`,
  `"${SENT}a"`,
];

/** @type {string[]} */
export const ORDINARY = [
  ...OPENINGS.flatMap((opening) =>
    SUBSETS.map((subset) => `<!DOCTYPE svg${opening} [${subset}]>${svg(`<g xlink:href="#a">${RECT}</g>`)}`),
  ),
  ...NAMES.flatMap((name) => [
    ...VALUES.map((value) => svg(`<rect width="400" height="400" ${name}="${value}"/>`, `${name}="${value}"`)),
    svg(`<i:x xmlns:i="http://www.inkscape.org/namespaces/inkscape" ${name}="${JS}" onclick="${JS}"/>${RECT}`),
  ]),
  ...LINKS.flatMap((link) => [
    svg(`<use xlink:${link} xlink:href="#a"/><rect id="a" width="400" height="400"/>`),
    svg(`<use xlink:${link} xlink:href="${SENT}a.svg#a"/>${RECT}`),
    svg(`<a xlink:${link} xlink:href="javascript:${JS}">${RECT}</a>`),
    svg(RECT, `xlink:${link} xlink:href="javascript:${JS}"`),
  ]),
  ...SELECTORS.flatMap((selector) =>
    BODIES.map((body) =>
      svg(
        `<style>${selector.replaceAll('>', '&gt;')}{${body}}</style><g><rect class="a" width="400" height="400"/></g>`,
      ),
    ),
  ),
  ...MEDIA.flatMap((media) =>
    BODIES.map((body) => svg(`<style>@charset "utf-8";@media ${media}{rect{${body}}}</style>${RECT}`)),
  ),
  ...['https://penpot.app/xmlns', 'https://launchpad.net/jessyink'].flatMap((uri) => [
    svg(`<p:script xmlns:p="${uri}" p:onload="${JS}">${JS}</p:script>${RECT}`),
    svg(`<p:a xmlns:p="${uri}" href="javascript:${JS}" onclick="${JS}">${RECT}</p:a>`),
    svg(`<script xmlns="${uri}">${JS}</script>${RECT}`),
    svg(`<g xmlns:p="${uri}" p:onclick="${JS}" p:src="${SENT}a">${RECT}</g>`),
  ]),
  svg(`<switch><g systemLanguage="en" onclick="${JS}">${RECT}</g><script systemLanguage="en">${JS}</script></switch>`),
  svg(`<rect tabindex="0" autofocus="" onfocus="${JS}" width="400" height="400"/>`),
  svg(`<rect tabindex="0" autofocus="" width="400" height="400"/>`),
  svg(RECT, `contentScriptType="text/ecmascript" onload="${JS}"`),
  svg(RECT, `content="${'&lt;mxfile>'.repeat(9)}" host="${SENT}a"`),
];
