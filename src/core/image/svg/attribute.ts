import type { SaxesAttributeNS } from 'saxes';
import {
  attributeKind,
  meantName,
  isAdobeNamespace,
  isEditorNamespace,
  XLINK_NAMESPACE,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
} from './allowed.ts';
import { LOCAL_HREF, readDeclarations, readValue } from '../css/css.ts';
import { LIMITS } from './limits.ts';
import { isNotable } from './not-drawn.ts';
import type { Range, SvgNode } from './references.ts';
import { undrawable } from '../css/style-sheet.ts';
import { type ReportAt, reportProblem } from './report-at.ts';

/** Attributes of the outermost element that {@link sizeProblems} checks. */
const SIZE_ATTRIBUTES = new Set(['width', 'height', 'viewBox']);

/** Matches a number at which browsers end a path, like `1.`, or which cairo cannot draw. */
const PATH_END = /(?<![\d.])\d+\.(?!\d)|(?<![\d.])\d{7,}|\d+e\+?[1-9]\d*/i;

/** Checks an attribute of an accepted element, and adds its references to the node. @param source - as in the file: `style="…"` */
export function checkAttribute(
  { name, prefix, local, uri, value }: SaxesAttributeNS,
  element: string,
  node: SvgNode,
  range: Range,
  source: string,
  report: ReportAt,
): void {
  const isPath = local === 'd' || local === 'points' || isEditorNamespace(uri);
  const limit = isPath ? LIMITS.path : LIMITS.attribute;
  if (value.length > limit) {
    report('svg/limit', range, { what: 'attribute', name, limit });
    return;
  }
  // Attributes of drawing programs are ignored, except event handlers and styles: a page that inlines the image would apply
  // them.
  const isEditorAttribute = uri === XMLNS_NAMESPACE || isEditorNamespace(uri) || (uri === '' && node.name === '');
  if (isEditorAttribute && !(uri === '' && /^(?:on[a-z]+|style)$/i.test(name))) return;
  if (uri === XLINK_NAMESPACE && /^(?:type|show|actuate|title|role|arcrole)$/.test(local)) return;
  if (uri === XML_NAMESPACE && (local === 'space' || local === 'lang')) return;
  if (local === 'href' && (uri === '' || uri === XLINK_NAMESPACE)) {
    const [, id] = LOCAL_HREF.exec(value) ?? [];
    if (id === undefined) report('svg/reference', range, { where: name, why: 'outside', value });
    // References of editor elements are not drawn.
    else if (node.name !== '') node.references.push({ name, id, range });
    return;
  }
  if (uri === '' && local === 'requiredExtensions' && isAdobeNamespace(value)) return;
  if (uri === '' && node.parent === undefined && SIZE_ATTRIBUTES.has(name)) node.values[name] = value;
  const kind = prefix === '' && (node.name !== '' || name === 'style') ? attributeKind(name) : undefined;
  if (kind === undefined) {
    report('svg/attribute', range, { name, element, meant: meantName(name) });
    return;
  }
  if (name === 'id') node.id = value;
  else if (name === 'class') node.classes = [...new Set(value.split(/\s+/))];
  else if (name === 'style') {
    checkStyle(value, node, range, report);
    // XML reads a line break as a space, but in an HTML parser it ends a CSS string.
    if (/[\r\n]/.test(source) && /["']/.test(value)) report('svg/style', range, { where: name, source: value });
  } else if (kind !== 'free text' && !(node.parent === undefined && SIZE_ATTRIBUTES.has(name))) {
    if (local === 'd' || local === 'points') node.points = value;
    const result = readValue(value);
    const [foreign] = isPath ? (/[^\s\w.,+-]/u.exec(value) ?? []) : [];
    if (foreign !== undefined) report('svg/style', range, { where: name, source: foreign });
    else if ('problem' in result) reportProblem(result, name, range, report);
    else if (kind === 'plain value' && result.references.length > 0)
      report('svg/style', range, { where: name, source: value });
    else {
      const noted = isPath ? PATH_END.exec(value)?.[0] : isNotable(name, value) ? value : undefined;
      if (noted !== undefined) node.values[name] = noted;
      node.filterSteps += result.filterSteps;
      for (const id of result.references) node.references.push({ name, id, range });
    }
  }
}

function checkStyle(value: string, node: SvgNode, range: Range, report: ReportAt): void {
  const { declarations, effects, problems } = readDeclarations(value);
  for (const problem of problems) reportProblem(problem, 'style', range, report);
  for (const { property, id } of effects.references) node.references.push({ name: property, id, range });
  node.filterSteps += effects.filterSteps;
  node.style = declarations;
  const [side] = node.parent === undefined ? undrawable(declarations) : [];
  if (side !== undefined) report('svg/style', range, { where: 'style', source: `${side.property}:${side.value}` });
}
