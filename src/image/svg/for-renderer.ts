import { SaxesParser } from 'saxes';
import { type Edit, edited } from '../../source/edits.ts';
import { SVG_NAMESPACE } from './allowed.ts';
import { withoutComments } from './css.ts';
import { readDoctype } from './doctype.ts';
import { appliedRules } from './media.ts';
import { TagPlaces } from './places.ts';
import { rendererProperty, rendererValue, rounded, transformAttribute } from './renderer-value.ts';
import { backgroundOf, type RootBox, rootBox, rootValues, type Values } from './root-box.ts';

/** The attributes of an element, with their ranges. */
interface Tag {
  attributes: Values;
  ranges: TagPlaces['ranges'];
  /** The offset behind its name. */
  nameEnd: number;
  end: number;
}

/**
 * Rewrites an accepted SVG so that librsvg draws it as browsers do: units of lengths and colours, and the effects of browsers on the outermost
 * element. Nothing else is changed; a text that is not well-formed stays unchanged.
 */
export function forRenderer(text: string): string {
  const edits: Edit[] = [];
  const sheets: string[] = [];
  const places = new TagPlaces(text);
  const parser = new SaxesParser({ xmlns: true, position: true });
  let root: Tag | undefined;
  let [depth, end, nameEnd, isWellFormed] = [0, 0, 0, true];
  let style: number | undefined;

  parser.on('error', () => (isWellFormed = false));
  parser.on('doctype', (doctype) => Object.assign(parser.ENTITIES, Object.fromEntries(readDoctype(doctype) ?? [])));
  parser.on('opentagstart', ({ name }) => ([, nameEnd] = places.open(name, parser.position)));
  parser.on('attribute', ({ name }) => places.add(name, parser.position));
  parser.on('opentag', ({ uri, local, attributes, isSelfClosing }) => {
    depth++;
    if (uri !== SVG_NAMESPACE) return;
    if (local === 'style' && !isSelfClosing) style = parser.position;
    const values = Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]));
    const tag = { attributes: values, ranges: places.ranges, nameEnd, end: parser.position };
    if (depth > 1) edits.push(...attributeEdits(tag, {}));
    else if (!isSelfClosing) root = tag;
  });
  parser.on('closetag', () => {
    const start = text.lastIndexOf('</', parser.position);
    if (--depth === 0) end = start;
    if (style === undefined) return;
    const sheet = withoutComments(text.slice(style, start));
    const applied = appliedRules(sheet);
    sheets.push(applied);
    const rewritten = rendererSheet(applied);
    if (rewritten !== sheet) edits.push({ start: style, end: start, text: rewritten });
    style = undefined;
  });
  parser.write(text).close();
  if (!isWellFormed || root === undefined) return text;
  const values = rootValues(root.attributes, sheets);
  const box = rootBox(root.attributes, values['font-size'] ?? '');
  const size = sizeChanges(root.attributes, box);
  const { before, after } = aroundContent(values, box);
  const changes = { ...size, ...styleChange(values, root.attributes, size), ...fontSize(text, values) };
  edits.push(...attributeEdits(root, changes));
  edits.push({ start: root.end, end: root.end, text: before }, { start: end, end, text: after });
  return edited(
    text,
    edits.toSorted((a, b) => a.start - b.start || a.end - b.end),
  );
}

/** Attributes to set, or to remove. */
type Changes = Readonly<Record<string, string | undefined>>;

function attributeEdits({ attributes, ranges, nameEnd }: Tag, changes: Changes): Edit[] {
  const edits: Edit[] = [];
  for (const [name, value] of Object.entries({ ...attributes, ...changes })) {
    const range = ranges.get(name);
    const replacement = name in changes ? value : rendererAttribute(name, value ?? '');
    if (replacement === attributes[name]) continue;
    const attribute = replacement === undefined ? '' : `${name}="${escapeAttribute(replacement)}"`;
    if (range !== undefined) edits.push({ start: range[0], end: range[1], text: attribute });
    else if (attribute !== '') edits.push({ start: nameEnd, end: nameEnd, text: ` ${attribute}` });
  }
  return edits;
}

/** Attributes without lengths and colours. */
const UNCHANGED_ATTRIBUTES =
  /^(?:id|class|d|in2?|result|href|type|mode|operator|.*transform|values|viewBox|(?:data|aria)-.*|.*:.*)$/i;

function rendererAttribute(name: string, value: string): string | undefined {
  if (name === 'style') return rendererDeclarations(withoutComments(value));
  // A last number without a partner is ignored by browsers.
  if (name === 'points')
    return (value.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi)?.length ?? 0) % 2 === 0
      ? value
      : value.replace(/[\s,]*[^\s,]+[\s,]*$/, '');
  if (/^r[xy]$/.test(name) && value.trim() === 'auto') return '0';
  return UNCHANGED_ATTRIBUTES.test(name) ? value : rendererProperty(name, value);
}

/** Properties whose lengths need a unit. */
const GEOMETRY = /^(?:[xyr]|c[xy]|r[xy]|width|height)$/;

/** Rewrites declarations for librsvg, which knows names of properties in lower case only. */
function rendererDeclarations(text: string): string {
  return text.replaceAll(/([\w-]+)(\s*:)([^;{}]*)/g, (_, name: string, colon: string, value: string) => {
    const property = name.toLowerCase();
    // A length without a unit is invalid in CSS.
    if (GEOMETRY.test(property) && /^\s*[\d.]*[1-9][\d.]*(?:e\d+)?\s*$/i.test(value)) return '';
    if (property === 'transform') return `${property}${colon}${isCssTransform(value) ? rendererValue(value) : 'none'}`;
    return `${property}${colon}${rendererProperty(property, value) ?? 'inherit'}`;
  });
}

function isCssTransform(value: string): boolean {
  return !/translate\w*\([^()]*(?<![\w.-])-?[\d.]*[1-9][\d.]*(?=[\s,)])|(?:rotate|skew\w*)\([^()]*\d\s*[,)]/i.test(
    value,
  );
}

/** Rewrites a style sheet for librsvg, without rules for `:hover`. */
function rendererSheet(css: string): string {
  return css.replaceAll(/([^{}]*)\{([^{}]*)\}/g, (_, selectors: string, body: string) => {
    const applied = selectors.split(',').filter((selector) => !/:hover/i.test(selector));
    return applied.length === 0 ? '' : `${applied.join(',')}{${rendererDeclarations(body)}}`;
  });
}

/** Returns width and height in pixels if they have another unit. Without a `viewBox`, browsers round them, and stretch the drawing. */
function sizeChanges(attributes: Values, { sides, width, height }: RootBox): Changes {
  const isPixels = (side: string): boolean => /^\s*[+\d.e]+(?:px)?\s*$/.test(attributes[side] ?? '');
  const names = (['width', 'height'] as const).filter((side) => sides[side] !== undefined && !isPixels(side));
  if (names.length === 0) return {};
  if ('viewBox' in attributes) return Object.fromEntries(names.map((side) => [side, `${rounded(sides[side] ?? 0)}`]));
  const viewBox = `0 0 ${rounded(width)} ${rounded(height)}`;
  return { width: `${Math.round(width)}`, height: `${Math.round(height)}`, viewBox, preserveAspectRatio: 'none' };
}

/** Returns the default font size of browsers, for texts and lengths that depend on it: librsvg has a different default. */
function fontSize(text: string, values: Values): Changes {
  if ('font-size' in values || 'font' in values || !/<(?:\w+:)?text[\s>]|\dr?e[mx]\b/i.test(text)) return {};
  return { 'font-size': '16' };
}

/** Wraps the content in the background and the transformation of the outermost element. */
function aroundContent(values: Values, box: RootBox): { before: string; after: string } {
  const { width, height, scale, offset } = box;
  const [x, y, w, h] = [-offset[0] / scale[0], -offset[1] / scale[1], width / scale[0], height / scale[1]].map(rounded);
  const background = backgroundOf(values);
  const style = `fill:${rendererValue(background ?? '')}!important;fill-opacity:1!important;stroke:none!important`;
  const backdrop =
    background === undefined ? '' : `<path style="${escapeAttribute(style)}" d="M${x} ${y}h${w}v${h}h-${w}z"/>`;
  const transform = transformAttribute(values['transform'] ?? 'none', [width, height]);
  if (transform === undefined) return { before: backdrop, after: '' };
  // The origin is the middle of the image in its pixels, or its corner.
  const isCorner = /^(?:0(?:px|%)?|left|top)(?:\s+|$)/.test(values['transform-origin'] ?? '');
  const middle = isCorner ? [-offset[0], -offset[1]] : [width / 2 - offset[0], height / 2 - offset[1]];
  const matrix = [`scale(${scale.map((factor) => 1 / factor).join(' ')})`, `translate(${middle.join(' ')})`, transform];
  matrix.push(`translate(${middle.map((coordinate) => -coordinate).join(' ')})`, `scale(${scale.join(' ')})`);
  // Not a group: the style sheet may contain a rule for groups.
  return { before: `${backdrop}<a transform="${escapeAttribute(matrix.join(' '))}">`, after: '</a>' };
}

/**
 * Resets properties of the outermost element that librsvg applies and browsers do not: they are set by attributes, and by elements around its
 * content.
 */
function styleChange({ style = '', ...values }: Values, attributes: Values, size: Changes): Changes {
  const properties = ['width', 'height'].filter((side) => values[side] !== attributes[side]);
  if ('transform' in values) properties.push('transform');
  const unset = properties.map(
    (name) => `;${name}:${name === 'transform' ? 'none' : (size[name] ?? attributes[name] ?? 'auto')}!important`,
  );
  return unset.length === 0 ? {} : { style: rendererDeclarations(style) + unset.join(''), transform: undefined };
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
