import { SaxesParser, type SaxesTagNS } from 'saxes';
import { type Arguments, catalogue } from '../../diagnostics/catalogue.ts';
import type { Code, Report } from '../../diagnostics/diagnostic.ts';
import { locator } from '../../source/lines.ts';
import { ELEMENTS, isAdobeNamespace, isEditorNamespace, SVG_NAMESPACE, TEXT_ELEMENTS, meantName } from './allowed.ts';
import { checkAttribute } from './attribute.ts';
import { type Dimensions, dimensionsOf, type Size, sizeProblems } from './dimensions.ts';
import { readDoctype } from './doctype.ts';
import { notDrawn } from './not-drawn.ts';
import { TagPlaces } from './places.ts';
import { LIMITS } from './limits.ts';
import type { Range, SvgNode } from './references.ts';
import { isCssType, readStyleSheet, type Rule } from '../css/style-sheet.ts';
import { checkReferences } from '../css/targets.ts';
import { type ReportAt, reportProblem } from './report-at.ts';
import { Unpublished } from './unpublished.ts';

/** Thrown to stop parsing; the remaining text is not checked. */
class StopParsing extends Error {}

export interface CheckedSvg {
  /** Whether there are no errors; warnings are allowed. */
  isAccepted: boolean;
  /** Its width and height, even if it is rejected; undefined if its outermost element does not state them. */
  dimensions: Dimensions | undefined;
  warnings: ReadonlySet<Code>;
  unpublished: readonly Range[];
}

/**
 * Checks that an SVG is a static image, drawn from this file alone at a bounded cost. Nothing in it is changed. Constructs that are not known to be
 * harmless are rejected, with their place in the file.
 */
export function checkSvg(file: string, text: string, report: Report): CheckedSvg {
  const locate = locator(file, text);
  let errors = 0;
  const warnings = new Set<Code>();
  const reported = new Set<string>();
  const reportAt: ReportAt = (code, [start, end], args) => {
    const isWarning = catalogue[code].severity === 'warning';
    // Each kind is reported once.
    const { construct = '', remedy = '' } = args as Partial<Arguments<'svg/not-drawn'>>;
    const kind = [code, construct.replace(/:.*/s, ''), remedy].join(' ');
    if (isWarning && reported.has(kind)) return;
    reported.add(kind);
    report(code, locate(start, end), args);
    if (isWarning) warnings.add(code);
    else if (++errors === LIMITS.findings) throw new StopParsing();
  };
  const unpublished = new Unpublished();
  let dimensions: Dimensions | undefined;
  try {
    readSvg(text, unpublished, reportAt, (size) => (dimensions = dimensionsOf(size)));
  } catch (error) {
    if (!(error instanceof StopParsing)) throw error;
  }
  return { isAccepted: errors === 0, dimensions, warnings, unpublished: unpublished.ranges };
}

function readSvg(text: string, unpublished: Unpublished, report: ReportAt, onSize: (size: Size) => void): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const nodes: SvgNode[] = [];
  const rules: Rule[] = [];
  /** Open elements, with the names of their nodes. */
  const open: { index: number; name: string }[] = [];
  const places = new TagPlaces(text);
  let style: { start: number; text: string; isCss: boolean } | undefined;

  checkAround(parser, text, unpublished, report);
  parser.on('opentagstart', ({ name }) => {
    const range = places.open(name, parser.position);
    checkLimit('depth', open.length, range, report);
    checkLimit('elements', nodes.length, range, report);
  });
  parser.on('attribute', ({ name }) => places.add(name, parser.position));
  parser.on('opentag', (tag) => {
    const range: Range = [places.start, places.start + 1 + tag.name.length];
    const node = emptyNode(tag.uri === SVG_NAMESPACE ? tag.local : '', open.at(-1)?.index, range);
    // The style sheet is all the text of its element, which must have no child.
    if (style !== undefined) report('svg/style', range, { where: '<style>', source: `<${tag.name}>` });
    open.push({ index: nodes.length, name: node.name });
    nodes.push(node);
    unpublished.open(tag.local, places.start);
    for (const { uri, local, name } of Object.values(tag.attributes))
      if (isEditorNamespace(uri)) unpublished.attribute(local, places.ranges.get(name) ?? range);
    if (nodes.length === 1) onSize(checkRoot(tag, places, range, report));
    const place = { parent: nodes[node.parent ?? -1]?.name, isPublished: !unpublished.isOpen };
    const isAccepted = checkElement(tag, node, place, places, report);
    const isCss = isCssType(tag.attributes['type']?.value);
    if (isAccepted && node.name === 'style') style = { start: parser.position, text: '', isCss };
  });
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (part) => {
      if (style !== undefined) style.text += part;
      if (event === 'cdata' && !unpublished.isOpen && (style === undefined || part.includes('<')))
        report('svg/cdata', rangeBack(text, '<![CDATA[', parser.position), {});
    });
  parser.on('closetag', ({ local }) => {
    unpublished.close(local, parser.position);
    if (open.pop()?.name !== 'style' || style === undefined) return;
    for (const problem of readStyleSheet(style.text, style.isCss ? rules : []))
      reportProblem(problem, '<style>', within(text, style.start, parser.position, problem.source), report);
    style = undefined;
  });
  parser.write(text).close();
  checkReferences(nodes, rules, report);
  for (const { node, ...construct } of notDrawn(nodes)) report('svg/not-drawn', node.range, construct);
}

function emptyNode(name: string, parent: number | undefined, range: Range): SvgNode {
  const lists = { classes: [], references: [], values: {}, css: {}, style: [] };
  return { name, id: undefined, parent, ...lists, filterSteps: 0, points: '', range };
}

/** Reports text that is not well-formed, and disallowed constructs outside of elements; collects comments. */
function checkAround(
  parser: SaxesParser<{ xmlns: true; position: true }>,
  text: string,
  unpublished: Unpublished,
  report: ReportAt,
): void {
  parser.on('error', (error) => {
    const at = Math.min(parser.position, text.length);
    report('svg/syntax', [Math.max(0, at - 1), at], {
      reason: error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''),
    });
    throw new StopParsing(); // further errors would be guesses
  });
  parser.on('xmldecl', ({ version, encoding }) => {
    const range: Range = [0, parser.position];
    if (version !== undefined && version !== '1.0') report('svg/encoding', range, { declared: `XML ${version}` });
    if (encoding !== undefined && !isEncoding(encoding, text)) report('svg/encoding', range, { declared: encoding });
  });
  parser.on('doctype', (doctype) => {
    const entities = readDoctype(doctype);
    if (entities === undefined) report('svg/doctype', rangeBack(text, '<!DOCTYPE', parser.position), {});
    for (const [name, value] of entities ?? []) parser.ENTITIES[name] = value;
  });
  parser.on('processinginstruction', ({ target, body }) => {
    // XMP marks its packets this way, for programs that look for metadata in any file. An HTML parser ends the instruction at
    // its first `>`.
    if (target !== 'xpacket' || (body.includes('>') && !unpublished.isOpen))
      report('svg/instruction', rangeBack(text, '<?', parser.position), { target });
  });
  // The event comes before the closing `>`.
  parser.on('comment', () => unpublished.comment(rangeBack(text, '<!--', parser.position + 1)));
}

/** Stops parsing if another element or level would exceed the limit. */
function checkLimit(limitName: 'depth' | 'elements', count: number, range: Range, report: ReportAt): void {
  if (count < LIMITS[limitName]) return;
  report('svg/limit', range, { what: limitName, limit: LIMITS[limitName] });
  throw new StopParsing();
}

/**
 * Checks an element with its attributes; returns whether it is allowed. A page may inline the SVG. Then an HTML parser reads it, which knows no
 * namespaces: it treats the contents of `<title>` and `<desc>` as HTML, and editor elements without a prefix too
 * (https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign).
 */
function checkElement(
  tag: SaxesTagNS,
  node: SvgNode,
  { parent, isPublished }: { parent: string | undefined; isPublished: boolean },
  { ranges, text }: TagPlaces,
  report: ReportAt,
): boolean {
  const { range } = node;
  const isSvg = tag.uri === SVG_NAMESPACE;
  const isAllowed = isSvg
    ? parent !== 'foreignObject' && (ELEMENTS.has(tag.local) || isNeverDrawn(tag, parent))
    : isEditorNamespace(tag.uri) && (tag.prefix !== '' || !isPublished);
  if (!isAllowed || parent === 'title' || parent === 'desc') {
    report('svg/element', range, {
      name: tag.name,
      namespace: isSvg ? undefined : tag.uri,
      meant: isSvg ? meantName(tag.name) : undefined,
    });
    node.id = tag.attributes['id']?.value;
    return false; // its attributes are not checked
  }
  if (isSvg && TEXT_ELEMENTS.has(tag.local)) report('svg/text', range, {});
  for (const attribute of Object.values(tag.attributes)) {
    const at = ranges.get(attribute.name) ?? range;
    checkAttribute(attribute, tag.name, node, at, text.slice(...at), report);
  }
  return true;
}

/** Whether a text is in an encoding: UTF-8, or ASCII, which is the same text in the other two. */
function isEncoding(declared: string, text: string): boolean {
  return /^utf-?8$/i.test(declared) || (/^(?:iso-8859-1|us-ascii)$/i.test(declared) && /^[\0-\x7f]*$/.test(text));
}

/**
 * Whether an element only refers to Illustrator's own data. Viewers skip an element of a `switch` that requires an extension they lack (SVG 1.1,
 * §5.8.5), and no viewer has Adobe's extensions.
 */
function isNeverDrawn({ local, attributes }: SaxesTagNS, parent: string | undefined): boolean {
  return (
    local === 'foreignObject' && parent === 'switch' && isAdobeNamespace(attributes['requiredExtensions']?.value ?? '')
  );
}

/** Checks the outermost element, and returns the size that it states. */
function checkRoot(tag: SaxesTagNS, { ranges }: TagPlaces, range: Range, report: ReportAt): Size {
  if (tag.uri !== SVG_NAMESPACE || tag.local !== 'svg') {
    report('svg/root', range, { name: tag.name, namespace: tag.uri });
    throw new StopParsing(); // not SVG: every element in it would be reported
  }
  const value = (name: string): string | undefined => tag.attributes[name]?.value;
  const size = { width: value('width'), height: value('height'), viewBox: value('viewBox') ?? value('viewbox') };
  for (const problem of sizeProblems(size))
    report('svg/dimensions', ranges.get(problem.attribute ?? '') ?? range, problem);
  return size;
}

/** Returns the range from the last `opening` before an offset to that offset. */
function rangeBack(text: string, opening: string, end: number): Range {
  return [Math.max(0, text.lastIndexOf(opening, end - 1)), end];
}

/** Returns the range of a piece of text between two offsets; an empty range at the first if it is not found. */
function within(text: string, start: number, end: number, piece: string): Range {
  const at = piece === '' ? -1 : text.slice(start, end).indexOf(piece);
  return at === -1 ? [start, start] : [start + at, start + at + piece.length];
}
