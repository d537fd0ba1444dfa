// Elements that run scripts or send requests, and the places where they may be hidden.
import { ADOBE, inDecimal, inHex, JS, RECT, SENT, SVG, svg, XHTML, XLINK } from './svg-vector-parts.js';

/** Scripts as elements. */
export const SCRIPTS = [
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

/** Places where an element may be hidden. */
export const HIDING = [
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
  (/** @type {string} */ body) => svg(`<switch>${body}</switch>`),
  (/** @type {string} */ body) =>
    svg(`<switch><foreignObject requiredExtensions="${ADOBE}">${body}</foreignObject>${RECT}</switch>`),
  (/** @type {string} */ body) =>
    svg(
      `<switch><foreignObject requiredExtensions="${ADOBE}"><i:x xmlns:i="${ADOBE}">${body}</i:x></foreignObject>${RECT}</switch>`,
    ),
  (/** @type {string} */ body) =>
    svg(`<switch><foreignObject requiredExtensions="${XHTML}" width="9" height="9">${body}</foreignObject></switch>`),
  (/** @type {string} */ body) =>
    svg(`<switch><foreignObject requiredExtensions="" width="9" height="9">${body}</foreignObject></switch>`),
  (/** @type {string} */ body) =>
    svg(
      `<switch><foreignObject s:requiredExtensions="${ADOBE}" xmlns:s="${SVG}" width="9" height="9">${body}</foreignObject></switch>`,
    ),
  (/** @type {string} */ body) => svg(`<marker id="m">${body}</marker><path d="M0 0H400V400z" marker-mid="url(#m)"/>`),
  (/** @type {string} */ body) =>
    svg(`<i:pgf xmlns:i="ns_ai;">${body}</i:pgf><g i:extraneous="self" xmlns:i="ns_ai;"/>`),
  (/** @type {string} */ body) => svg(`<description>${body}</description>`),
  (/** @type {string} */ body) =>
    `<!DOCTYPE svg [<!ENTITY ns_svg "${SVG}"><!ENTITY ns_ai "${ADOBE}">]><svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" xmlns:xlink="${XLINK}" viewBox="0 0 9 9"><i:pgf/>${body}</svg>`,
  (/** @type {string} */ body) => `<s:svg xmlns:s="${SVG}" viewBox="0 0 9 9"><g xmlns="${SVG}">${body}</g></s:svg>`,
];
