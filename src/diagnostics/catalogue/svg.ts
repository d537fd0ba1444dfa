import { printable, quote } from '../quote.ts';
import { error, warning } from './entry.ts';

const PLAIN_EXPORT =
  'save a copy for the web: Illustrator File › Export As › SVG, Inkscape File › Save As › Optimised SVG, Figma Export › SVG';
const AS_PNG = 'export the picture as PNG instead';

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
    /^marker$/i,
    'Turn line ends into shapes: Illustrator Object › Path › Outline Stroke, Inkscape Path › Stroke to Path.',
  ],
  [
    /^(?:foreignObject|switch|i:pgf\w*)$/i,
    'In Illustrator, save without “Preserve Illustrator Editing Capabilities”; elsewhere delete it.',
  ],
  [
    /^fe[A-Z]|^fe[a-z]+$/,
    `Take the effect off (in Illustrator in the Appearance panel, in Inkscape Filters › Remove Filters), or ${AS_PNG}.`,
  ],
  [
    /^font|^glyph/i,
    'Convert text to paths: Illustrator Type › Create Outlines, Inkscape Path › Object to Path, Figma Flatten.',
  ],
];

type Limited = 'bytes' | 'elements' | 'depth' | 'references' | 'drawn' | 'filterSteps' | 'attribute';

const LIMIT_TEXTS: Readonly<
  Record<Limited, { message: (found: string, limit: string, name: string) => string; hint: string }>
> = {
  bytes: {
    message: (found, limit) => `The SVG has ${found} bytes; at most ${limit} are accepted.`,
    hint: `Simplify the drawing (Illustrator Object › Path › Simplify, Inkscape Path › Simplify), or ${AS_PNG}.`,
  },
  elements: {
    message: (_, limit) => `The SVG has more than ${limit} elements.`,
    hint: `Merge shapes of one colour (Illustrator Pathfinder, Inkscape Path › Combine), or ${AS_PNG}.`,
  },
  depth: {
    message: (_, limit) => `Elements stand in each other, or use each other, more than ${limit} deep.`,
    hint: 'Ungroup the drawing, then export it again.',
  },
  references: {
    message: (_, limit) => `The style sheet makes more than ${limit} references.`,
    hint: 'Export again with styles as attributes (in Illustrator Styling: Presentation Attributes).',
  },
  drawn: {
    message: (_, limit) =>
      `With all its copies (\`use\`, patterns, masks) this comes to more than ${limit} drawn elements.`,
    hint: `Expand patterns and symbols and merge their shapes, or ${AS_PNG}.`,
  },
  filterSteps: {
    message: (found, limit) => `Its effects take ${found} filter steps; at most ${limit} are accepted.`,
    hint: `Take blurs and shadows off, or ${AS_PNG}.`,
  },
  attribute: {
    message: (found, limit, name) =>
      `The attribute ${quote(name)} has ${found} characters; at most ${limit} are accepted.`,
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
  'svg/doctype': error('a DOCTYPE that declares entities, attributes or another document type', {
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
  'svg/reference': error('a reference out of the file, to nothing, or in a circle', {
    message: ({
      where,
      why,
      value,
    }: {
      where: string;
      why: 'outside' | 'missing' | 'cycle' | 'twice';
      value: string;
    }) =>
      ({
        outside: `${quote(where)} refers to ${quote(value)}; only parts of the same file (\`#name\`) can be referred to.`,
        missing: `${quote(where)} refers to ${quote(value)}, but nothing in the file has this \`id\`.`,
        cycle: `The reference to ${quote(value)} leads back to itself.`,
        twice: `Two elements have the \`id\` ${quote(value)}, which is referred to.`,
      })[why],
    hint: ({ why }) =>
      ({
        outside: `Put what it refers to into the SVG itself; if it is a photo, ${AS_PNG}.`,
        missing: 'Export the file again, or delete the reference.',
        cycle: 'Delete the reference, or export the file again.',
        twice: 'Give one of them another name, or export the file again.',
      })[why],
  }),
  'svg/style': error('a piece of CSS that a still picture does not need', {
    message: ({ where, source }: { where: string; source: string }) =>
      `${quote(where)} holds CSS that is not accepted: ${quote(source)}.`,
    hint: () =>
      'Keep to rules like `.name { fill: #123456; }`; in Illustrator, export with Styling: Presentation Attributes.',
  }),
  'svg/limit': error('an SVG that takes too much work to draw', {
    message: ({ what, found, limit, name = '' }: { what: Limited; found: number; limit: number; name?: string }) =>
      LIMIT_TEXTS[what].message(found.toLocaleString('en'), limit.toLocaleString('en'), name),
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
    hint: () =>
      'Convert text to paths: Illustrator Type › Create Outlines, Inkscape Path › Object to Path, Figma Flatten.',
  }),
};
