// URLs that are rejected in an SVG, and the places where an SVG may have one.
import { ADOBE, base64, inDecimal, inHex, JS, RECT, SENT, SVG, svg, XHTML, XLINK } from './svg-vector-parts.js';

/** Spellings of a URL that runs a script. */
export const SCRIPT_URLS = [
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

/** References to another file. */
export const FILE_URLS = [
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

/** A PNG of one pixel, to which other data is appended. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Data URLs that claim to be images but are not, or contain more than one file. */
export const IMAGE_URLS = [
  `data:image/png;base64,${base64(svg(`<script>${JS}</script>`))}`,
  `data:image/svg+xml;base64,${base64(svg(`<image href="${SENT}a.png" width="9" height="9"/>`))}`,
  `data:image/jpeg;base64,${base64(`<html><script>${JS}</script></html>`)}`,
  `data:image/png;base64,${Buffer.concat([PNG, Buffer.from(svg(`<script>${JS}</script>`))]).toString('base64')}`,
  `data:image/png;base64,${PNG.toString('base64')}`,
  `data:image/png,text/html;base64,${base64(`<script>${JS}</script>`)}`,
  `data:;base64,${base64(svg(`<script>${JS}</script>`))}`,
  `data:image/png;charset=utf-7,+ADw-script+AD4-${JS}+ADw-/script+AD4-`,
];

/** Places for a URL. */
export const URL_PLACES = [
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
  (/** @type {string} */ url) =>
    `<marker id="m"><use href="${url}"/></marker><path d="M0 0H400V400" marker-mid="url(#m)"/>`,
  (/** @type {string} */ url) => `<path d="M0 0H400V400" marker-mid="url(${url})"/>`,
  (/** @type {string} */ url) => `<marker id="m" href="${url}"/><path d="M0 0H9" style="marker:url(#m),url(${url})"/>`,
  (/** @type {string} */ url) => `<switch><use href="${url}"/><image href="${url}" width="9" height="9"/></switch>`,
  (/** @type {string} */ url) =>
    `<switch><foreignObject requiredExtensions="${ADOBE}"><i:pgfRef xmlns:i="${ADOBE}" xlink:href="${url}"/></foreignObject>${RECT}</switch>`,
  (/** @type {string} */ url) =>
    `<rect width="9" height="9" cursor="url(${url})" filter="hue-rotate(9deg) url(${url})"/>`,
  (/** @type {string} */ url) => `<g requiredExtensions="${url}" systemLanguage="${url}">${RECT}</g>`,
];
