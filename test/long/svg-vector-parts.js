// Building blocks for the attacks of svg-vector-list.js.

export const SVG = 'http://www.w3.org/2000/svg';
export const XHTML = 'http://www.w3.org/1999/xhtml';
export const XLINK = 'http://www.w3.org/1999/xlink';
export const JS = 'alert(1)';
export const SENT = '/sent/';
export const ADOBE = 'http://ns.adobe.com/AdobeIllustrator/10.0/';

/**
 * Returns a complete SVG of 400×400 pixels.
 * @param {string} body
 * @param {string} [attributes]
 */
export const svg = (body, attributes = '') =>
  `<svg xmlns="${SVG}" xmlns:xlink="${XLINK}" width="400" height="400" viewBox="0 0 400 400" ${attributes}>${body}</svg>`;
export const RECT = '<rect width="400" height="400" fill="red"/>';

/** @param {string} text */
export const inDecimal = (text) => text.replaceAll(/[^]/g, (character) => `&#${character.charCodeAt(0)};`);
/** @param {string} text */
export const inHex = (text) => text.replaceAll(/[^]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
/** @param {string} text */
export const base64 = (text) => Buffer.from(text).toString('base64');
