import { type Markup, markup } from './html.ts';

/** Invisible characters that reorder or break the text around them: shown as JSON escapes, which mean the same. */
const REORDERING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** A line of pretty JSON: indent, key, value, comma. */
const JSON_LINE = /^( *)(?:("(?:[^"\\]|\\.)*")(: ))?(.*?)(,?)$/;
const URL_VALUE = /^"(https?:\/\/[^"\\]+)"$/;

/**
 * A document as its page shows it: indented by four spaces, with URLs as links.
 * @param label - name of the box for screen readers; it is focusable because it scrolls
 */
export function jsonBox(document: unknown, label: string): Markup {
  return markup`<pre class="json" tabindex="0" role="region" aria-label="${label}">${prettyJson(document)}</pre>`;
}

function prettyJson(document: unknown): Markup[] {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const lines = JSON.stringify(document, null, 4).replace(REORDERING, escape).split('\n');
  return lines.map((line, index) => {
    const [, indent = '', key, colon = '', value = '', comma = ''] = JSON_LINE.exec(line) ?? [];
    const url = URL_VALUE.exec(value)?.[1];
    const shownKey = key === undefined ? '' : markup`<b>${key}</b>`;
    const shownValue = url === undefined ? value : markup`"${link(url, url)}"`;
    return markup`${index === 0 ? '' : '\n'}${indent}${shownKey}${colon}${shownValue}${comma}`;
  });
}

/** A link if the URL is http or https: `javascript:` and the like stay text. */
export function link(url: string, content: Markup | string): Markup {
  return /^https?:\/\//.test(url) ? markup`<a href="${url}">${content}</a>` : markup`${content}`;
}
