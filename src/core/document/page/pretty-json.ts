import { escapeText, Markup, markup } from './html.ts';

/** Matches invisible characters that reorder or break text: JSON escapes show them, and mean the same. */
const REORDERED = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const REORDERING = new RegExp(REORDERED.source);
const URL_VALUE = /^https?:\/\/[^"\\]+$/;

/**
 * Returns the box of a document.
 * @param json - the parts of {@link prettyJson}, or a placeholder for them
 * @param label - the name of the box for screen readers; the box is focusable because it scrolls
 */
export function jsonBox(json: Markup | Iterable<Markup>, label: string): Markup {
  return markup`<pre class="json" tabindex="0" role="region" aria-label="${label}">${json instanceof Markup ? json : [...json]}</pre>`;
}

/** Yields a document, indented by four spaces and with URLs as links; a list entry by entry. */
export function* prettyJson(document: unknown): Generator<Markup> {
  if (!Array.isArray(document) || document.length === 0) {
    yield new Markup(valueText(document, ''));
    return;
  }
  yield markup`[`;
  for (const [index, entry] of document.entries())
    yield new Markup(`${index === 0 ? '' : ','}\n${INDENT}${valueText(entry, INDENT)}`);
  yield markup`\n]`;
}

const INDENT = '    ';

/** Formats a value of JSON as markup. @param indent - the indent of its first line */
function valueText(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    if (URL_VALUE.test(value) && !REORDERING.test(value)) return `"${link(value, value).text}"`;
    const json = JSON.stringify(value);
    return escapeText(REORDERING.test(json) ? json.replace(REORDERED, escaped) : json);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + INDENT;
  const isList = Array.isArray(value);
  const lines: string[] = [];
  for (const [key, item] of Object.entries(value))
    lines.push(`${inner}${isList ? '' : `<b>${keyText(key)}</b>: `}${valueText(item, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

const KEYS = new Map<string, string>();

/** Formats a key as markup, cached because there are few keys and many themes. */
function keyText(key: string): string {
  const markupText = KEYS.get(key) ?? escapeText(JSON.stringify(key).replace(REORDERED, escaped));
  KEYS.set(key, markupText);
  return markupText;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns a link if the URL is http or https; any other, such as `javascript:`, stays text. */
export function link(url: string, content: Markup | string): Markup {
  if (!/^https?:\/\//.test(url)) return markup`${content}`;
  const href = new Markup(escapeText(url));
  return markup`<a href="${href}">${content === url ? href : content}</a>`;
}
