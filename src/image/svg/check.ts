import { SaxesParser, type SaxesTagNS } from 'saxes';
import { catalogue } from '../../diagnostics/catalogue.ts';
import type { Code, Report } from '../../diagnostics/diagnostic.ts';
import { locator } from '../../source/lines.ts';
import { ELEMENTS, isAdobeNamespace, isEditorNamespace, SVG_NAMESPACE, TEXT_ELEMENTS } from './allowed.ts';
import { checkAttribute } from './attribute.ts';
import { sizeProblems } from './dimensions.ts';
import { readDoctype } from './doctype.ts';
import { LIMITS } from './limits.ts';
import type { Range, SvgNode } from './references.ts';
import { readStyleSheet, type StyleRules } from './style-sheet.ts';
import { checkReferences } from './targets.ts';
import { type Tell, tellProblem } from './tell.ts';

/** Thrown to leave the parser: after it nothing more is looked at. */
class Enough extends Error {}

/**
 * Checks that an SVG is a still picture that is drawn from this file alone, at a bounded cost; nothing in it is changed.
 * What is not known to be harmless is refused, with its place in the file.
 * @returns whether it is accepted; a warning does not stand against it
 */
export function checkSvg(file: string, text: string, report: Report): boolean {
  const locate = locator(file, text);
  let errors = 0;
  const warned = new Set<Code>();
  const tell: Tell = (code, [start, end], args) => {
    const isWarning = catalogue[code].severity === 'warning';
    if (isWarning && warned.has(code)) return; // one tells what to do about all of them
    report(code, locate(start, end), args);
    if (isWarning) warned.add(code);
    else if (++errors === LIMITS.findings) throw new Enough();
  };
  try {
    readSvg(text, tell);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return errors === 0;
}

function readSvg(text: string, tell: Tell): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const nodes: SvgNode[] = [];
  const rules: StyleRules = new Map();
  /** The elements that are open; the name is that of the node. */
  const open: { index: number; name: string }[] = [];
  let attributes: AttributePlaces = { from: 0, ranges: new Map() };
  let tagStart = 0;
  let style: { start: number; text: string } | undefined;
  let font: Range | undefined;

  parser.on('error', (error) => {
    const at = Math.min(parser.position, text.length);
    tell('svg/syntax', [Math.max(0, at - 1), at], {
      reason: error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''),
    });
    throw new Enough(); // what follows would be guesses
  });
  parser.on('xmldecl', ({ version, encoding }) => {
    const range: Range = [0, parser.position];
    if (version !== undefined && version !== '1.0') tell('svg/encoding', range, { declared: `XML ${version}` });
    if (encoding !== undefined && !isEncoding(encoding, text)) tell('svg/encoding', range, { declared: encoding });
  });
  parser.on('doctype', (doctype) => {
    const entities = readDoctype(doctype);
    if (entities === undefined) tell('svg/doctype', rangeBack(text, '<!DOCTYPE', parser.position), {});
    for (const [name, value] of entities ?? []) parser.ENTITIES[name] = value;
  });
  parser.on('processinginstruction', ({ target }) => {
    // XMP's mark for programs that look for metadata in any file.
    if (target !== 'xpacket') tell('svg/instruction', rangeBack(text, '<?', parser.position), { target });
  });
  parser.on('opentagstart', ({ name }) => {
    tagStart = text.lastIndexOf('<', parser.position - 1);
    attributes = { from: tagStart + 1 + name.length, ranges: new Map() };
    const range: Range = [tagStart, attributes.from];
    if (open.length === LIMITS.depth) {
      tell('svg/limit', range, { what: 'depth', found: open.length + 1, limit: LIMITS.depth });
      throw new Enough();
    }
    if (nodes.length === LIMITS.elements) {
      tell('svg/limit', range, { what: 'elements', found: nodes.length + 1, limit: LIMITS.elements });
      throw new Enough();
    }
  });
  parser.on('attribute', ({ name }) => {
    const start = attributes.from + text.slice(attributes.from, parser.position).search(/\S/);
    attributes.ranges.set(name, [start, parser.position]);
    attributes.from = parser.position;
  });
  parser.on('opentag', (tag) => {
    const range: Range = [tagStart, tagStart + 1 + tag.name.length];
    const isSvg = tag.uri === SVG_NAMESPACE;
    const node: SvgNode = {
      name: isSvg ? tag.local : '',
      id: undefined,
      classes: [],
      parent: open.at(-1)?.index,
      references: [],
      filterSteps: 0,
      points: '',
      range,
    };
    const parent = node.parent === undefined ? undefined : nodes[node.parent]?.name;
    // A style sheet is all the text of its element: nothing may stand between.
    if (style !== undefined) tell('svg/style', range, { where: '<style>', source: `<${tag.name}>` });
    open.push({ index: nodes.length, name: node.name });
    nodes.push(node);
    if (nodes.length === 1) checkRoot(tag, attributes, range, tell);
    const isAccepted = isSvg
      ? parent !== 'foreignObject' && (ELEMENTS.has(tag.local) || isNeverDrawn(tag, parent))
      : isEditorNamespace(tag.uri);
    if (!isAccepted) {
      tell('svg/element', range, { name: tag.name, namespace: isSvg ? undefined : tag.uri });
      node.id = tag.attributes['id']?.value;
      return; // its attributes go with it
    }
    if (isSvg && TEXT_ELEMENTS.has(tag.local)) tell('svg/text', range, {});
    for (const attribute of Object.values(tag.attributes))
      checkAttribute(attribute, tag.name, node, attributes.ranges.get(attribute.name) ?? range, tell);
    if (node.name === 'style') style = { start: parser.position, text: '' };
  });
  const addText = (part: string): void => {
    if (style !== undefined) style.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    if (open.pop()?.name !== 'style' || style === undefined) return;
    const { problems, hasFont } = readStyleSheet(style.text, rules);
    // Of warnings one is reported; to look for the places of all would take time by the square of their number.
    const firstUnknown = problems.find(({ problem }) => problem === 'property');
    for (const problem of problems.filter((one) => one.problem !== 'property' || one === firstUnknown))
      tellProblem(problem, '<style>', within(text, style.start, parser.position, problem.source), tell);
    if (hasFont) font ??= within(text, style.start, parser.position, '@font-face');
    style = undefined;
  });
  parser.write(text).close();
  if (font !== undefined && nodes.some(({ name }) => TEXT_ELEMENTS.has(name)))
    tell('svg/style', font, { where: '<style>', source: '@font-face' });
  checkReferences(nodes, rules, tell);
}

/** Whether a text is in an encoding: in UTF-8, or in ASCII, which is the same text in each of the others. */
function isEncoding(declared: string, text: string): boolean {
  return /^utf-?8$/i.test(declared) || (/^(?:iso-8859-1|us-ascii)$/i.test(declared) && /^[\0-\x7f]*$/.test(text));
}

/**
 * Whether it is where Illustrator refers to its own data: viewers leave an element of a `switch` out that requires an extension
 * that they do not have (SVG 1.1, §5.8.5), and none has one of Adobe's.
 */
function isNeverDrawn({ local, attributes }: SaxesTagNS, parent: string | undefined): boolean {
  return (
    local === 'foreignObject' && parent === 'switch' && isAdobeNamespace(attributes['requiredExtensions']?.value ?? '')
  );
}

/** Where the attributes of the tag that is being read stand, and from where on the next one is looked for. */
interface AttributePlaces {
  from: number;
  ranges: Map<string, Range>;
}

function checkRoot(tag: SaxesTagNS, { ranges }: AttributePlaces, range: Range, tell: Tell): void {
  if (tag.uri !== SVG_NAMESPACE || tag.local !== 'svg') {
    tell('svg/root', range, { name: tag.name, namespace: tag.uri });
    throw new Enough(); // no SVG: everything in it would be a finding
  }
  const value = (name: string): string | undefined => tag.attributes[name]?.value;
  const size = { width: value('width'), height: value('height'), viewBox: value('viewBox') };
  for (const problem of sizeProblems(size))
    tell('svg/dimensions', ranges.get(problem.attribute ?? '') ?? range, problem);
}

/** From the last `opening` before an offset to that offset. */
function rangeBack(text: string, opening: string, end: number): Range {
  return [Math.max(0, text.lastIndexOf(opening, end - 1)), end];
}

/** Where a piece stands between two offsets; from the first of them, if it is not written so. */
function within(text: string, start: number, end: number, piece: string): Range {
  const at = piece === '' ? -1 : text.slice(start, end).indexOf(piece);
  return at === -1 ? [start, start] : [start + at, start + at + piece.length];
}
