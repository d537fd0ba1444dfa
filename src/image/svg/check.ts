import { SaxesParser, type SaxesTagNS } from 'saxes';
import { catalogue } from '../../diagnostics/catalogue.ts';
import type { Code, Report } from '../../diagnostics/diagnostic.ts';
import { locator } from '../../source/lines.ts';
import { ELEMENTS, isEditorNamespace, SVG_NAMESPACE, TEXT_ELEMENTS } from './allowed.ts';
import { checkAttribute } from './attribute.ts';
import { type PropertyReference, readStyleSheet, type StyleRules } from './css.ts';
import { sizeProblems } from './dimensions.ts';
import { LIMITS } from './limits.ts';
import { followReferences, type Range, type Reference, type SvgNode } from './references.ts';
import { type Tell, tellProblem } from './tell.ts';

/** Thrown to leave the parser: after it nothing more is looked at. */
class Enough extends Error {}

/**
 * The document types of SVG (with the names that browsers have built in: nothing is fetched), or none but the name.
 * Nothing between brackets: entities and default attributes are declared there.
 */
const DOCTYPE =
  /^\s*svg(?:\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG (?:1\.[01]|1\.1 (?:Tiny|Basic)|20000303 Stylable|20010904)\/\/EN"\s+"https?:\/\/www\.w3\.org\/[\w/.-]+\.dtd")?\s*$/;

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
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) tell('svg/encoding', range, { declared: encoding });
  });
  parser.on('doctype', (doctype) => {
    if (!DOCTYPE.test(doctype)) tell('svg/doctype', rangeBack(text, '<!DOCTYPE', parser.position), {});
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
      range,
    };
    // A style sheet is all the text of its element: nothing may stand between.
    if (style !== undefined) tell('svg/style', range, { where: '<style>', source: `<${tag.name}>` });
    open.push({ index: nodes.length, name: node.name });
    nodes.push(node);
    if (nodes.length === 1) checkRoot(tag, attributes, range, tell);
    if (isSvg ? !ELEMENTS.has(tag.local) : !isEditorNamespace(tag.uri)) {
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
    for (const problem of readStyleSheet(style.text, rules))
      tellProblem(problem, '<style>', within(text, style.start, parser.position, problem.source), tell);
    style = undefined;
  });
  parser.write(text).close();
  checkReferences(nodes, rules, tell);
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

/** What only shows when the whole file is known: references without target, cycles, and what the picture costs to draw. */
function checkReferences(nodes: readonly SvgNode[], rules: StyleRules, tell: Tell): void {
  const targets = new Map<string, number>();
  const twice = new Map<string, Range>();
  for (const [index, { id, range }] of nodes.entries()) {
    if (id === undefined) continue;
    if (targets.has(id)) twice.set(id, range);
    else targets.set(id, index);
  }
  const told = new Set<string>();
  let references = 0;
  for (const node of nodes) {
    const ruled = new Map<string, Reference>();
    references += node.references.length;
    for (const { property, id } of styleReferences(node, rules)) {
      ruled.set(`${property} ${id}`, { name: property, id, range: node.range });
      if (++references > LIMITS.references) break;
    }
    if (references > LIMITS.references) {
      tell('svg/limit', node.range, { what: 'references', found: references, limit: LIMITS.references });
      return;
    }
    for (const reference of ruled.values()) node.references.push(reference);
    for (const { name, id, range } of node.references) {
      if (told.has(id)) continue;
      told.add(id);
      const second = twice.get(id);
      // Browsers and librsvg need not agree on which of the two is meant.
      if (second !== undefined) tell('svg/reference', second, { where: 'id', why: 'twice', value: id });
      else if (!targets.has(id)) tell('svg/reference', range, { where: name, why: 'missing', value: `#${id}` });
    }
  }
  const problem = followReferences(nodes, targets);
  if (problem === undefined) return;
  if (problem.problem === 'cycle')
    tell('svg/reference', problem.range, { where: 'id', why: 'cycle', value: problem.id });
  else {
    const { problem: what, found, range } = problem;
    tell('svg/limit', range, { what, found, limit: LIMITS[what] });
  }
}

/** What the style sheets let an element refer to, some of it several times. */
function* styleReferences({ name, id, classes }: SvgNode, rules: StyleRules): Generator<PropertyReference> {
  for (const selector of [name, ...classes.map((one) => `.${one}`), `#${id ?? ''}`])
    for (const references of rules.get(selector) ?? []) yield* references;
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
