import { count, printable, quote } from '../quote.ts';
import { error, warning } from './entry.ts';

const PLAIN_EXPORT =
  'save a copy for the web: Illustrator File › Export As › SVG, Inkscape File › Save As › Optimised SVG, Figma Export › SVG';
const AS_PNG = 'export the image as PNG instead';
const TO_PATHS =
  'Convert text to paths: Illustrator Type › Create Outlines, Inkscape Path › Object to Path, Figma Flatten.';

function inCase(meant: string, name: string): string {
  const why =
    meant.toLowerCase() === name.toLowerCase()
      ? 'in SVG files, upper and lower case matter'
      : `${quote(name)} is its name in React`;
  return `Write ${quote(meant)}: ${why}.`;
}

/** Hints for elements that are common in practice. */
const ELEMENT_HINTS: readonly (readonly [RegExp, string])[] = [
  [/^script$|^handler$|^listener$/i, 'Delete it: images contain no scripts.'],
  [
    /^image$|^feImage$/i,
    `Draw the embedded photo as shapes (Illustrator Image Trace, Inkscape Trace Bitmap), or ${AS_PNG}.`,
  ],
  [/^a$/i, 'Remove the link, and keep its content.'],
  [/^(?:animate\w*|set|discard)$/i, 'Delete it: images are not animated.'],
  [
    /^foreignObject$/i,
    'In Illustrator, save without “Preserve Illustrator Editing Capabilities”. In Figma, replace background blurs and angular or diamond gradients by plain fills, or export the image as PNG.',
  ],
  [
    /^fe[A-Z]|^fe[a-z]+$/,
    `Remove the effect (in Illustrator in the Appearance panel, in Inkscape Filters › Remove Filters), or ${AS_PNG}.`,
  ],
  [/^font|^glyph|^flow/i, TO_PATHS],
];

/** Attributes with coordinates. */
const PATHS = /^(?:d|points)$/;

/** What an SVG has too many of; those that are drawn are counted again at every copy. */
const LIMITED = {
  bytes: 'byte',
  elements: 'element',
  depth: 'nested level',
  references: 'reference',
  rules: 'style-sheet step',
  drawn: 'drawn element',
  filterSteps: 'filter step',
  attribute: 'character',
} as const;

/** Remedies for constructs that thumbnails do not show. */
const REMEDIES = {
  colour: 'Write the colour as `#rrggbb`, or choose it from the RGB palette of your program.',
  unit: 'Write the length in `px`: this unit depends on the font or the size of the window.',
  value: 'Write the value itself, or delete the property.',
  transform:
    'Apply the transformation to the shape: Illustrator Object › Transform › Reset Bounding Box, Inkscape Path › Object to Path, Figma Flatten; by hand, write it like `transform="rotate(20 50 50)"`.',
  effect: `Apply the effect: Illustrator Object › Expand Appearance, Inkscape Filters › Remove Filters, Figma Flatten; or ${AS_PNG}.`,
  stroke:
    'Turn the line into a shape: Illustrator Object › Path › Outline Stroke, Inkscape Path › Stroke to Path, Figma Outline Stroke.',
  text: TO_PATHS,
  nested: 'Write the size as the attributes `width` and `height` where it is used, or ungroup the symbol.',
  box: 'Delete it from the `<svg>` tag and its rules, and draw its effect as a shape or a group (`<g transform="…">`).',
  pattern: `Draw the pattern with larger tiles, or as shapes: Illustrator Object › Expand, Inkscape Object › Pattern › Pattern to Objects; or ${AS_PNG}.`,
  path: 'Export the file again: browsers end a path at a number like `1.`, and no renderer draws one like `1e9`.',
  media: 'Delete the block, and draw the image as it is to look in every size.',
} as const;

/** Diagnostics about the content of an SVG: it must be static and self-contained. */
export const svgCatalogue = {
  'svg/syntax': error('an SVG that is not well-formed XML', {
    message: ({ reason }: { reason: string }) => `This is not well-formed XML: ${printable(reason)}.`,
    hint: ({ reason }) => {
      if (reason.startsWith('unbound namespace prefix'))
        return reason.includes('"xlink"')
          ? 'Add `xmlns:xlink="http://www.w3.org/1999/xlink"` to the `<svg>` tag.'
          : 'Delete everything with this prefix, or export the file again.';
      return reason === 'undefined entity'
        ? 'Write the character itself instead of the entity.'
        : 'Export the file again; if it was edited by hand, check the tags and quotes up to here.';
    },
  }),
  'svg/encoding': error('an SVG that is declared as something other than XML 1.0 in UTF-8', {
    message: ({ declared }: { declared: string }) =>
      `The XML declaration says ${quote(declared)}; SVGs must be XML 1.0 in UTF-8.`,
    hint: () => 'Save it as UTF-8 (in Illustrator: Save As › SVG › More Options).',
  }),
  'svg/doctype': error('a DOCTYPE of another document type, or with declarations other than Illustrator’s namespaces', {
    message: () => 'This is not one of the W3C’s DOCTYPEs for SVG, or it contains declarations of its own.',
    hint: () =>
      'In Illustrator, save without “Preserve Illustrator Editing Capabilities”; elsewhere delete the DOCTYPE, which no SVG needs.',
  }),
  'svg/instruction': error('a processing instruction, like `<?xml-stylesheet …?>`', {
    message: ({ target }: { target: string }) =>
      `The processing instruction ${quote(`<?${target}`)} is not allowed in an SVG.`,
    hint: () => 'Delete it; styles belong in the SVG itself.',
  }),
  'svg/root': error('a file whose root element is not `<svg>`', {
    message: ({ name }: { name: string; namespace: string }) =>
      name.toLowerCase() === 'svg'
        ? 'The root element is not in the SVG namespace, so browsers do not show it as an image.'
        : `The root element is ${quote(`<${name}>`)}, not \`<svg>\`.`,
    hint: ({ name }) =>
      name.toLowerCase() === 'svg'
        ? 'Write `<svg xmlns="http://www.w3.org/2000/svg" …>`, in lower case.'
        : 'Is this the right file? Export the image as SVG.',
  }),
  'svg/element': error('an element that a static image does not need', {
    message: ({ name, namespace }: { name: string; namespace: string | undefined; meant?: string | undefined }) =>
      namespace === undefined
        ? `The element ${quote(`<${name}>`)} is not allowed.`
        : `The element ${quote(`<${name}>`)} is not SVG (its namespace is ${quote(namespace)}).`,
    hint: ({ name, namespace, meant }) => {
      if (meant !== undefined) return inCase(meant, name);
      const [, hint] = ELEMENT_HINTS.find(([names]) => names.test(name)) ?? [];
      return hint ?? (namespace === undefined ? `Delete it, or ${PLAIN_EXPORT}.` : `To leave it out, ${PLAIN_EXPORT}.`);
    },
  }),
  'svg/attribute': error('an attribute that a static image does not need, like `onload`', {
    message: ({ name, element }: { name: string; element: string; meant?: string | undefined }) =>
      `The attribute ${quote(name)} of ${quote(`<${element}>`)} is not allowed.`,
    hint: ({ name, meant }) =>
      meant !== undefined
        ? inCase(meant, name)
        : /^on/i.test(name)
          ? 'Delete it: images contain no scripts.'
          : `Delete it, or ${PLAIN_EXPORT}.`,
  }),
  'svg/reference': error('a reference to outside the file, or a circular one', {
    message: ({ where, why, value }: { where: string; why: 'outside' | 'cycle'; value: string }) =>
      why === 'outside'
        ? `${quote(where)} refers to ${quote(value)}; an SVG may refer only to parts of itself (\`#name\`).`
        : `The reference to ${quote(value)} is circular.`,
    hint: ({ why }) =>
      why === 'outside'
        ? `Move the target into the SVG itself; if it is a photo, ${AS_PNG}.`
        : 'Delete the reference, or export the file again.',
  }),
  'svg/missing-target': warning('a reference to an `id` that does not exist in the SVG', {
    message: ({ where, id }: { where: string; id: string }) =>
      `${quote(where)} refers to ${quote(`#${id}`)}, but no element in the file has this \`id\`: part of the drawing may be missing.`,
    hint: () => 'Export the file again, or delete the reference.',
  }),
  'svg/style': error('CSS that a static image does not need', {
    message: ({ where, source }: { where: string; source: string }) =>
      `${quote(where)} contains ${PATHS.test(where) ? 'a character' : where.includes('style') ? 'CSS' : 'a value'} that is not allowed: ${quote(source)}.`,
    hint: ({ where, source }) => {
      if (/^@font-face/i.test(source)) return `${TO_PATHS} Then delete the font.`;
      if (where === 'style') return 'Delete the declaration, or write a plain value, such as `fill: #123456`.';
      if (where === '<style>')
        return 'Use only rules like `.name { fill: #123456; }`; in Illustrator, export with Styling: Presentation Attributes.';
      if (PATHS.test(where))
        return /^[‐-―−﹣－]$/.test(source)
          ? 'Write the minus sign of the keyboard, `-`.'
          : 'Write only numbers, the letters of path commands, commas and spaces; or export the file again.';
      if (/transform$/i.test(where))
        return `Write only functions with numbers, such as \`${where}="rotate(20 50 50)"\`.`;
      if (where === 'type') return 'Write `type="text/css"`, or delete the attribute.';
      return /^(?:fill|stroke|color|.*-color)$/.test(where)
        ? 'Write a plain value, such as `#123456`, or delete the attribute.'
        : 'Write a plain value, a word or numbers, or delete the attribute.';
    },
  }),
  'svg/cdata': error('a CDATA section where a web page that inlines the image would read it as HTML', {
    message: () => 'A CDATA section is allowed in `<style>` only, and without `<`.',
    hint: () => 'Write its text without `<![CDATA[` and `]]>`, and `<` as `&lt;`.',
  }),
  'svg/limit': error('an SVG that is too complex to render', {
    message: ({ what, limit, name }: { what: keyof typeof LIMITED; limit: number; name?: string }) =>
      `${name === undefined ? 'The SVG' : `The attribute ${quote(name)}`} has more than ${count(limit, LIMITED[what])}.`,
    hint: () =>
      `Simplify the drawing (Illustrator Object › Path › Simplify, Inkscape Path › Simplify): fewer groups, copies, blurs and shadows, and styles as attributes; or ${AS_PNG}.`,
  }),
  'svg/dimensions': error('an SVG without a usable size', {
    message: (
      args: { attribute: string; value: string; expected: string; hasViewBox: boolean } | { attribute: undefined },
    ) =>
      args.attribute === undefined
        ? 'The SVG does not specify its size.'
        : `The attribute ${quote(args.attribute)} must be ${args.expected}, not ${quote(args.value)}.`,
    hint: (args) => {
      const again = 'export it again with the artboard fitted to the drawing.';
      if (args.attribute === 'viewBox') return `Write \`viewBox="0 0 WIDTH HEIGHT"\`, or ${again}`;
      if (args.attribute === undefined) return `Add \`viewBox="0 0 WIDTH HEIGHT"\` to the \`<svg>\` tag, or ${again}`;
      return args.hasViewBox
        ? 'Delete the attribute: `viewBox` says how large the image is.'
        : 'Write the size in pixels, as a number alone.';
    },
  }),
  'svg/not-drawn': warning('a part of an SVG that browsers draw and thumbnails do not', {
    message: ({ construct }: { construct: string; remedy: keyof typeof REMEDIES }) =>
      `Thumbnails do not show ${quote(construct)} as browsers do.`,
    hint: ({ remedy }) => REMEDIES[remedy],
  }),
  'svg/not-rendered': error('an SVG that the renderer cannot draw', {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `The renderer of thumbnails cannot draw ${quote(path)}: ${printable(reason)}.`,
    hint: () =>
      `A pattern, a mask or a transformation is too large for it: draw the tiles of patterns as shapes (Illustrator Object › Expand, Inkscape Object › Pattern › Pattern to Objects), or ${AS_PNG}.`,
  }),
  'svg/text': warning('text in an SVG, which is rendered with the fonts of each machine', {
    message: () => 'The text in this SVG looks different where its font is not installed.',
    hint: () => TO_PATHS,
  }),
};
