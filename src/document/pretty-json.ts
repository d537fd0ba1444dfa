import { escapeText, Markup, markup } from './html.ts';

/** Invisible characters that reorder or break the text around them: shown as JSON escapes, which mean the same. */
const REORDERING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** A line of pretty JSON: indent, key with colon, value, comma. */
const JSON_LINE = /^( *)((?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/gm;
const URL_VALUE = /^"(https?:\/\/[^"\\]+)"$/;

/**
 * The box that shows a document.
 * @param json - the parts of {@link prettyJson}, or what takes their place
 * @param label - name of the box for screen readers; it is focusable because it scrolls
 */
export function jsonBox(json: Markup | Iterable<Markup>, label: string): Markup {
  return markup`<pre class="json" tabindex="0" role="region" aria-label="${label}">${json instanceof Markup ? json : [...json]}</pre>`;
}

/** A document as its page shows it: indented by four spaces, with URLs as links. Of a list, entry by entry. */
export function* prettyJson(document: unknown): Generator<Markup> {
  if (!Array.isArray(document) || document.length === 0) {
    yield prettyLines(JSON.stringify(document, null, 4));
    return;
  }
  yield markup`[`;
  for (const [index, entry] of document.entries()) {
    // No text has a line break of its own in JSON.
    const lines = JSON.stringify(entry, null, 4).replaceAll('\n', '\n    ');
    yield prettyLines(`${index === 0 ? '' : ','}\n    ${lines}`);
  }
  yield markup`\n]`;
}

function prettyLines(json: string): Markup {
  // Each of four groups takes part in every match.
  const shown = (_: string, indent: string, key: string, value: string, comma: string): string => {
    const url = URL_VALUE.exec(value)?.[1];
    const shownKey = key === '' ? '' : `<b>${escapeText(key.slice(0, -2))}</b>: `;
    const shownValue = url === undefined ? escapeText(value) : `"${link(url, url).text}"`;
    return `${indent}${shownKey}${shownValue}${comma}`;
  };
  return new Markup(json.replace(REORDERING, escaped).replace(JSON_LINE, shown));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A link if the URL is http or https: `javascript:` and the like stay text. */
export function link(url: string, content: Markup | string): Markup {
  return /^https?:\/\//.test(url) ? markup`<a href="${url}">${content}</a>` : markup`${content}`;
}
