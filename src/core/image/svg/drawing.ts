import { SaxesParser } from 'saxes';
import { PROPERTIES, SVG_NAMESPACE, TEXT_ELEMENTS, XLINK_NAMESPACE } from './allowed.ts';
import { appliedDeclarations, matchedRules } from '../css/cascade.ts';
import { type Declaration, readDeclarations } from '../css/css.ts';
import { readDoctype } from './doctype.ts';
import { isCssType, readStyleSheet, type Rule } from '../css/style-sheet.ts';

/** An element of a parsed SVG. */
export interface Element {
  /** Its local name; empty if it is not SVG. */
  name: string;
  id: string | undefined;
  classes: readonly string[];
  parent: number | undefined;
  /** Attributes that are drawn, apart from `style` and `class`. */
  attributes: Record<string, string>;
  /** Its declarations: those of `style`, and after the cascade all that apply. The last of a property wins. */
  style: readonly Declaration[];
  content: (Element | string)[];
}

/** Parses an accepted SVG, and resolves its style sheets. @returns its elements in the order of the file; nothing if it is not well-formed */
export function readDrawing(text: string): Element[] | undefined {
  const nodes: Element[] = [];
  const open: number[] = [];
  const rules: Rule[] = [];
  let sheet: string | undefined;
  let isWellFormed = true;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => (isWellFormed = false));
  parser.on('doctype', (doctype) => Object.assign(parser.ENTITIES, Object.fromEntries(readDoctype(doctype) ?? [])));
  parser.on('opentag', ({ uri, local, attributes: all }) => {
    const attributes: Record<string, string> = {};
    for (const { uri: space, local: name, value } of Object.values(all))
      if (space === '') attributes[name] = value;
      else if (space === XLINK_NAMESPACE ? name === 'href' : name === 'space') attributes[name] ??= value;
    const { class: classes = '', style = '', ...others } = attributes;
    const parent = open.at(-1);
    const node = {
      name: uri === SVG_NAMESPACE ? local : '',
      id: others['id'],
      classes: classes.split(/\s+/),
      parent,
      attributes: others,
      style: readDeclarations(style).declarations,
      content: [],
    };
    if (node.name === 'style' && isCssType(others['type'])) sheet = '';
    nodes[parent ?? -1]?.content.push(node);
    open.push(nodes.push(node) - 1);
  });
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (part) => {
      const around = nodes[open.at(-1) ?? -1];
      if (sheet !== undefined) sheet += part;
      else if (TEXT_ELEMENTS.has(around?.name ?? '')) around?.content.push(part);
    });
  parser.on('closetag', () => {
    open.pop();
    if (sheet !== undefined) readStyleSheet(sheet, rules);
    sheet = undefined;
  });
  parser.write(text).close();
  if (!isWellFormed || nodes[0]?.name !== 'svg') return undefined;
  const matched = matchedRules(nodes, rules);
  for (const [index, node] of nodes.entries()) node.style = appliedDeclarations(matched?.[index] ?? [], node.style);
  return nodes;
}

/** Elements that no renderer draws. */
const DROPPED = new Set(['', 'style', 'title', 'desc', 'metadata']);

/** Writes an element with its style as one attribute. */
export function written({ name, attributes, style, content }: Element, namespaces = ''): string {
  const all = { ...attributes };
  const declarations = style.filter(({ property }) => PROPERTIES.has(property));
  if (declarations.length > 0)
    all['style'] = declarations.map(({ property, value }) => `${property}:${value}`).join(';');
  const list = Object.entries(all).map(([key, value]) => ` ${key === 'space' ? 'xml:space' : key}="${escaped(value)}"`);
  const inner = content
    .map((part) => (typeof part === 'string' ? escaped(part) : DROPPED.has(part.name) ? '' : written(part)))
    .join('');
  return `<${name}${namespaces}${list.join('')}${inner === '' ? '/>' : `>${inner}</${name}>`}`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
