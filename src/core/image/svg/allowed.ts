/** The accepted namespaces, which browsers or librsvg interpret. */
export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

/** Namespaces of drawing programs. Neither browsers nor librsvg know them, so nothing in them is ever interpreted. */
const EDITOR_NAMESPACES: ReadonlySet<string> = new Set([
  // Inkscape and Sodipodi, with the licence and description that they keep in <metadata>
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://inkscape.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.inkscape.org/namespaces/inkscape',
  'http://www.openswatchbook.org/uri/2009/osb',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://www.w3.org/2000/01/rdf-schema#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
  'http://purl.org/dc/terms/',
  // Sketch, sketch.io, Figma, Affinity, Boxy SVG, Vectornator, SVG.js, SVG-edit, Krita, CorelDRAW, LibreOffice, Visio
  'http://www.bohemiancoding.com/sketch/ns',
  'https://sketch.io/dtd/',
  'http://www.figma.com/figma/ns',
  'http://www.serif.com/',
  'https://boxy-svg.com',
  'http://vectornator.io',
  'http://svgjs.com/svgjs',
  'http://svgjs.dev/svgjs',
  'http://svg-edit.googlecode.com',
  'http://krita.org/namespaces/svg/krita',
  'http://www.corel.com/coreldraw/odm/2003',
  'http://xml.openoffice.org/svg/export',
  'http://schemas.microsoft.com/visio/2003/SVGExtensions/',
  'https://penpot.app/xmlns',
  'https://launchpad.net/jessyink',
  // XMP, the metadata of Adobe's programs
  'adobe:ns:meta/',
]);

/** Illustrator uses a dozen: AdobeIllustrator/10.0/, Extensibility/1.0/, xap/1.0/mm/ … */
const ADOBE_NAMESPACES = 'http://ns.adobe.com/';

/** Illustrator's entities, `xmlns:i="&ns_ai;"`, after an optimiser has dropped the DOCTYPE that declared them. */
const ADOBE_ENTITY = /^(?:&(?:#38;)?)?ns_\w+;$/;

/** Whether only drawing programs read a namespace. */
export function isEditorNamespace(uri: string): boolean {
  return EDITOR_NAMESPACES.has(uri) || isAdobeNamespace(uri);
}

/** Whether a namespace belongs to Adobe's programs. No viewer has an extension of such a name either. */
export function isAdobeNamespace(uri: string): boolean {
  return uri.startsWith(ADOBE_NAMESPACES) || ADOBE_ENTITY.test(uri);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Cost of the filter elements that work on every pixel. Measured: `feMorphology` takes the most by far. */
export const FILTER_STEPS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    feBlend: 1,
    feColorMatrix: 1,
    feComponentTransfer: 1,
    feComposite: 1,
    feDropShadow: 2,
    feFlood: 1,
    feGaussianBlur: 1,
    feMerge: 1,
    feMorphology: 8,
    feOffset: 1,
    feTile: 1,
  }),
);

/** Functions of the property `filter` that work on the element alone; each costs one filter step. */
export const FILTER_FUNCTIONS = words(`
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia`);

/**
 * Elements that are drawn only where something refers to them. The last line is not SVG: Sketch, Illustrator and optimisers write these elements,
 * and viewers ignore them.
 */
export const DEFINITIONS = words(`
  clipPath defs desc filter linearGradient marker mask metadata pattern radialGradient style symbol title
  description midPointStop xpacket`);

export const TEXT_ELEMENTS = words('text textPath tspan');

/**
 * The accepted SVG elements, which draw a still image from this file alone. `foreignObject` is accepted only as Illustrator writes it, where no
 * viewer draws it.
 */
export const ELEMENTS: ReadonlySet<string> = new Set([
  ...FILTER_STEPS.keys(),
  ...DEFINITIONS,
  ...TEXT_ELEMENTS,
  ...words(`
    circle ellipse feFuncA feFuncB feFuncG feFuncR feMergeNode g line path polygon polyline rect stop svg switch use`),
]);

/**
 * The CSS properties that SVG uses. They are accepted in `style`, and as attributes if SVG has such an attribute (SVG 2, §6.6 "Presentation
 * attributes").
 */
export const PROPERTIES = words(`
  alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters color-profile
  color-rendering cx cy direction display dominant-baseline enable-background fill fill-opacity fill-rule filter flood-color
  flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style
  font-variant font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures
  font-variant-numeric font-variant-position font-variation-settings font-weight glyph-orientation-horizontal
  glyph-orientation-vertical height image-rendering isolation kerning letter-spacing line-height marker marker-end marker-mid
  marker-start mask mask-type mix-blend-mode opacity overflow paint-order pointer-events r rx ry shape-rendering solid-color
  solid-opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration text-decoration-color
  text-decoration-line text-decoration-style text-indent text-orientation text-rendering text-transform transform
  transform-box transform-origin unicode-bidi vector-effect visibility white-space width word-spacing writing-mode x y
  -inkscape-font-specification -inkscape-stroke block-progression inline-size shape-margin shape-padding`);

/**
 * Attributes with text that is not interpreted. No viewer knows the attributes from the second line on: old versions of Inkscape and Sodipodi,
 * iconfont.cn, Batik, draw.io and flowchart editors write them.
 */
const FREE_TEXT = words(`
  id class role lang focusable alt tabindex contentScriptType contentStyleType
  space t p-id pid collect label nodetypes docbase argument expansion revolution t0 linecap
  content host agent etag modified pages`);

/** Attributes of the accepted elements that are not properties. */
const OTHER_ATTRIBUTES = words(`
  amplitude azimuth baseProfile clipPathUnits cx cy d dx dy edgeMode exponent filterRes filterUnits fr fx fy gradientTransform
  gradientUnits height href in in2 intercept k1 k2 k3 k4 lengthAdjust markerHeight markerUnits markerWidth maskContentUnits maskUnits method mode
  offset operator order orient path pathLength patternContentUnits patternTransform patternUnits points preserveAspectRatio primitiveUnits r radius
  refX refY result rotate rx ry side slope spacing spreadMethod startOffset stdDeviation style tableValues textLength type
  values version viewBox width x x1 x2 y y1 y2 zoomAndPan`);

/**
 * Returns the kind of value of an attribute without namespace: any text, a value that may refer to other elements, or a value that may not. Returns
 * nothing if the attribute is not accepted.
 */
export function attributeKind(name: string): 'free text' | 'value' | 'plain value' | undefined {
  if (name === 'cursor' || name === 'systemLanguage') return 'plain value';
  if (FREE_TEXT.has(name) || /^(?:data|aria)-[\w.-]+$/.test(name)) return 'free text';
  return OTHER_ATTRIBUTES.has(name) || (PROPERTIES.has(name) && !name.startsWith('-')) ? 'value' : undefined;
}

/** Returns the accepted element or attribute that is meant by its name in another case, which HTML does not distinguish, or by its name in React. */
export function meantName(name: string): string | undefined {
  const lower = name.toLowerCase();
  const inReact =
    name === 'className'
      ? 'class'
      : name
          .replace(/^xlink(?=[A-Z])/, 'xlink:')
          .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
          .replace(/^xlink:H/, 'xlink:h');
  const accepted = [...ELEMENTS, ...OTHER_ATTRIBUTES].find((other) => other.toLowerCase() === lower);
  return (
    accepted ??
    (inReact !== name && (attributeKind(inReact) !== undefined || inReact === 'xlink:href') ? inReact : undefined)
  );
}
