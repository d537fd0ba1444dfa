import { count, printable, quote } from '../quote.ts';
import { error, warning } from './entry.ts';

const PLAIN_EXPORT =
  'save a copy for the web: Illustrator File › Export As › SVG, Inkscape File › Save As › Optimised SVG, Figma Export › SVG';
const AS_PNG = 'export the picture as PNG instead';
const TO_PATHS =
  'Convert text to paths: Illustrator Type › Create Outlines, Inkscape Path › Object to Path, Figma Flatten.';

/** What to do about elements that people do meet. */
const ELEMENT_HINTS: readonly (readonly [RegExp, string])[] = [
  [/^script$|^handler$|^listener$/i, 'Delete it: a picture holds no program.'],
  [
    /^image$|^feImage$/i,
    `Draw the embedded photo as shapes (Illustrator Image Trace, Inkscape Trace Bitmap), or ${AS_PNG}.`,
  ],
  [/^a$/i, 'Take the link off, and keep what is inside it.'],
  [/^(?:animate\w*|set|discard)$/i, 'Delete it: pictures stand still.'],
  [
    /^foreignObject$/i,
    'In Illustrator, save without “Preserve Illustrator Editing Capabilities”; elsewhere delete it.',
  ],
  [
    /^fe[A-Z]|^fe[a-z]+$/,
    `Take the effect off (in Illustrator in the Appearance panel, in Inkscape Filters › Remove Filters), or ${AS_PNG}.`,
  ],
  [/^font|^glyph|^flow/i, TO_PATHS],
];

type Limited = 'bytes' | 'elements' | 'depth' | 'references' | 'drawn' | 'filterSteps' | 'attribute';

const LIMIT_TEXTS: Readonly<
  Record<Limited, { message: (found: number, limit: number, name: string) => string; hint: string }>
> = {
  bytes: {
    message: (found, limit) => `The SVG has ${count(found, 'byte')}; the limit is ${count(limit, 'byte')}.`,
    hint: `Simplify the drawing (Illustrator Object › Path › Simplify, Inkscape Path › Simplify), or ${AS_PNG}.`,
  },
  elements: {
    message: (_, limit) => `The SVG has more than ${count(limit, 'element')}.`,
    hint: `Merge shapes of one colour (Illustrator Pathfinder, Inkscape Path › Combine), or ${AS_PNG}.`,
  },
  depth: {
    message: (_, limit) => `Elements contain or use each other more than ${count(limit, 'level')} deep.`,
    hint: 'Ungroup the drawing, then export it again.',
  },
  references: {
    message: (_, limit) => `The drawing makes more than ${count(limit, 'reference')}.`,
    hint: 'Export again with styles as attributes (in Illustrator Styling: Presentation Attributes).',
  },
  drawn: {
    message: (_, limit) =>
      `With all its copies (\`use\`, patterns, masks) this comes to more than ${count(limit, 'drawn element')}.`,
    hint: `Expand patterns and symbols and merge their shapes, or ${AS_PNG}.`,
  },
  filterSteps: {
    message: (found, limit) => `Its effects take ${count(found, 'filter step')}; the limit is ${count(limit, 'step')}.`,
    hint: `Take blurs and shadows off, or ${AS_PNG}.`,
  },
  attribute: {
    message: (found, limit, name) =>
      `The attribute ${quote(name)} has ${count(found, 'character')}; the limit is ${count(limit, 'character')}.`,
    hint: `Simplify the path (Illustrator Object › Path › Simplify, Inkscape Path › Simplify), or ${AS_PNG}.`,
  },
};

/** Findings inside an SVG: it must be a still picture that draws itself from its own file, and nothing else. */
export const svgCatalogue = {
  'svg/syntax': error('an SVG that is not well-formed XML', {
    message: ({ reason }: { reason: string }) => `This is not well-formed XML: ${printable(reason)}.`,
    hint: ({ reason }) => {
      if (reason.startsWith('unbound namespace prefix'))
        return reason.includes('"xlink"')
          ? 'Add `xmlns:xlink="http://www.w3.org/1999/xlink"` to the `<svg>` tag.'
          : 'Delete what has this prefix, or export the file again.';
      return reason === 'undefined entity'
        ? 'Write the character itself in place of the entity.'
        : 'Export the file again; if it was edited by hand, check the tags and quotes here and before.';
    },
  }),
  'svg/encoding': error('an SVG that says it is not XML 1.0 in UTF-8', {
    message: ({ declared }: { declared: string }) =>
      `The first line says ${quote(declared)}; SVGs must be XML 1.0 in UTF-8.`,
    hint: () => 'Save it in the encoding UTF-8 (in Illustrator: Save As › SVG › More Options).',
  }),
  'svg/doctype': error('a DOCTYPE of another document type, or that declares more than Illustrator’s namespaces', {
    message: () => 'This DOCTYPE is not one of the W3C’s for SVG, or declares something of its own.',
    hint: () =>
      'In Illustrator, save without “Preserve Illustrator Editing Capabilities”; elsewhere delete the DOCTYPE, which no SVG needs.',
  }),
  'svg/instruction': error('a processing instruction, like `<?xml-stylesheet …?>`', {
    message: ({ target }: { target: string }) => `The instruction ${quote(`<?${target}`)} is not accepted in an SVG.`,
    hint: () => 'Delete it; styles belong into the SVG itself.',
  }),
  'svg/root': error('a file whose outermost element is not `<svg>`', {
    message: ({ name }: { name: string; namespace: string }) =>
      name.toLowerCase() === 'svg'
        ? 'The outermost element is not in the namespace of SVG, so browsers do not show it as a picture.'
        : `The outermost element is ${quote(`<${name}>`)}, not \`<svg>\`.`,
    hint: ({ name }) =>
      name.toLowerCase() === 'svg'
        ? 'Write `<svg xmlns="http://www.w3.org/2000/svg" …>`, in lower case.'
        : 'Is this the right file? Export the picture as SVG.',
  }),
  'svg/element': error('an element that a still picture does not need', {
    message: ({ name, namespace }: { name: string; namespace: string | undefined }) =>
      namespace === undefined
        ? `The element ${quote(`<${name}>`)} is not accepted.`
        : `The element ${quote(`<${name}>`)} is not SVG (its namespace is ${quote(namespace)}).`,
    hint: ({ name, namespace }) => {
      const [, hint] = ELEMENT_HINTS.find(([names]) => names.test(name)) ?? [];
      return hint ?? (namespace === undefined ? `Delete it, or ${PLAIN_EXPORT}.` : `To leave it out, ${PLAIN_EXPORT}.`);
    },
  }),
  'svg/attribute': error('an attribute that a still picture does not need, like `onload`', {
    message: ({ name, element }: { name: string; element: string }) =>
      `The attribute ${quote(name)} of ${quote(`<${element}>`)} is not accepted.`,
    hint: ({ name }) =>
      /^on/i.test(name) ? 'Delete it: a picture holds no program.' : `Delete it, or ${PLAIN_EXPORT}.`,
  }),
  'svg/reference': error('a reference out of the file, or in a circle', {
    message: ({ where, why, value }: { where: string; why: 'outside' | 'cycle'; value: string }) =>
      why === 'outside'
        ? `${quote(where)} refers to ${quote(value)}; only parts of the same file (\`#name\`) can be referred to.`
        : `The reference to ${quote(value)} leads back to itself.`,
    hint: ({ why }) =>
      why === 'outside'
        ? `Put what it refers to into the SVG itself; if it is a photo, ${AS_PNG}.`
        : 'Delete the reference, or export the file again.',
  }),
  'svg/missing-target': warning('a reference to an `id` that nothing in the SVG has', {
    message: ({ where, id }: { where: string; id: string }) =>
      `${quote(where)} refers to ${quote(`#${id}`)}, but nothing in the file has this \`id\`: something may be missing from the drawing.`,
    hint: () => 'Export the file again, or delete the reference.',
  }),
  'svg/duplicate-id': warning('an `id` that is referred to, and that two elements of the SVG have', {
    message: ({ id }: { id: string }) =>
      `Two elements have the \`id\` ${quote(id)}; references mean the first of them.`,
    hint: () => 'Give one of them another name, or export the file again.',
  }),
  'svg/style': error('a piece of CSS that a still picture does not need', {
    message: ({ where, source }: { where: string; source: string }) =>
      `${quote(where)} holds CSS that is not accepted: ${quote(source)}.`,
    hint: ({ source }) =>
      /^@font-face/i.test(source)
        ? TO_PATHS
        : 'Keep to rules like `.name { fill: #123456; }`; in Illustrator, export with Styling: Presentation Attributes.',
  }),
  'svg/property': warning('a CSS property that an SVG image is not drawn with', {
    message: ({ property }: { property: string }) =>
      `${quote(property)} is not a property of SVG: it is ignored, or drawn by some viewers only.`,
    hint: () => 'Correct its name, or delete it.',
  }),
  'svg/limit': error('an SVG that takes too much work to draw', {
    message: ({ what, found, limit, name = '' }: { what: Limited; found: number; limit: number; name?: string }) =>
      LIMIT_TEXTS[what].message(found, limit, name),
    hint: ({ what }) => LIMIT_TEXTS[what].hint,
  }),
  'svg/dimensions': error('an SVG without a size, or with one that cannot be drawn', {
    message: (args: { attribute: string; value: string; expected: string } | { attribute: undefined }) =>
      args.attribute === undefined
        ? 'The SVG does not say how large it is.'
        : `The attribute ${quote(args.attribute)} must be ${args.expected}, not ${quote(args.value)}.`,
    hint: () =>
      'Add `viewBox="0 0 WIDTH HEIGHT"` to the `<svg>` tag, or export again with the artboard fitted to the drawing.',
  }),
  'svg/editor-path': warning('the path of a file on the machine where an SVG was drawn, which would be published', {
    message: ({ name, value }: { name: string; value: string }) =>
      `The attribute ${quote(name)} tells everybody the path ${quote(value)}.`,
    hint: () => 'Delete it, or save with Inkscape File › Save As › Optimised SVG.',
  }),
  'svg/text': warning('text in an SVG, which is drawn with the fonts of each machine', {
    message: () => 'The text in this SVG looks different where its font is not installed.',
    hint: () => TO_PATHS,
  }),
};
