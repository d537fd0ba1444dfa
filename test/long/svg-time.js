// The worst cases of files at the maximum size for the SVG validator: each must be validated within a second
// of processor time (other work on the machine is not counted).
// By hand: npm run compile && node test/long/svg-time.js
import process from 'node:process';
import { checkSvg } from '../../lib/image/svg/check.js';
import { LIMITS } from '../../lib/image/svg/limits.js';

const SECOND = 1000;
const HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">';
const TAIL = '</svg>';

/**
 * Repeats a piece as often as the size limit allows.
 * @param {(index: number) => string} piece
 * @param {string} [before]
 * @param {string} [after]
 */
function filled(piece, before = '', after = '') {
  const parts = [HEAD, before];
  let room = LIMITS.bytes - HEAD.length - before.length - after.length - TAIL.length;
  for (let index = 0; ; index++) {
    const part = piece(index);
    room -= part.length;
    if (room < 0) break;
    parts.push(part);
  }
  return `${parts.join('')}${after}${TAIL}`;
}

/** @type {Record<string, string>} */
const inputs = {
  'nested elements': filled(() => '<g>'),
  'nested, 60 deep, with prefixes': filled(
    (n) => (n % 120 < 60 ? '<g x:y="1">' : '</g>'),
    '<g xmlns:x="http://ns.adobe.com/x/">',
  ),
  'small elements': filled(() => '<g/>'),
  'large elements': filled((n) => `<g id="i${n}" class="a b c"/>`),
  'attributes of one element': filled((n) => ` data-a${n}=""`, '<g', '/>'),
  'rejected attributes': filled((n) => ` a${n}=""`, '<g', '/>'),
  'namespaces of one element': filled((n) => ` xmlns:a${n}="b"`, '<g', '/>'),
  'one comment': filled(() => ' -', '<!--', '-->'),
  'many comments': filled(() => '<!---->'),
  entities: filled(() => '&#x61;'),
  'entities in an attribute': filled(() => '&amp;', '<g id="', '"/>'),
  'closing brackets': filled(() => ']', '<style><![CDATA[', ']]></style>'),
  'one tag that never ends': filled(() => 'a', '<'),
  'one quote that never ends': filled(() => 'a', '<g id="'),
  'white space in a tag': filled(() => ' ', '<g', '/>'),
  'a doctype': filled(() => '<!ENTITY a "b">').replace(HEAD, '<!DOCTYPE svg ['),
  'an instruction': filled(() => '?', '<?a ', '?>'),
  rules: filled((n) => `.a${n}{fill:red}`, '<style>', '</style>'),
  selectors: filled((n) => `.a${n},`, '<style>', '{fill:red}</style>'),
  declarations: filled(() => 'fill:url(#a);', '<style>.a{', '}</style><g id="a" class="a"/>'),
  'rules without effect on many elements': filled(
    () => '<g class="a"/>',
    `<style>${'.a{}'.repeat(LIMITS.bytes / 8)}</style>`,
  ),
  'filter functions in rules on many elements': filled(
    () => '<g class="a"/>',
    `<style>${'.a{filter:sepia(1)}'.repeat(LIMITS.bytes / 38)}</style>`,
  ),
  'filter functions': filled(() => 'sepia(1) ', '<g filter="', '"/>'),
  'unknown properties': filled((n) => `a${n}:b;`, '<style>.a{', '}</style>'),
  importance: filled(() => '!important ', '<style>.a{fill:', 'a}</style>'),
  'marked vertices': filled(() => '<path d="M0 0h1h1h1h1h1h1h1h1h1h1" marker-mid="url(#a)"/>', '<marker id="a"/>'),
  'vertices of one path': `${HEAD}<marker id="a"/><path marker-mid="url(#a)" d="M${'1 '.repeat(LIMITS.path / 2 - 1)}"/>${TAIL}`,
  'definitions in what is painted': filled(
    () => '<mask/>',
    `<pattern id="a"/>${`<g fill="${'url(#a)'.repeat(30)}">`.repeat(60)}`,
    '</g>'.repeat(60),
  ),
  'a chain of markers': filled((n) => `<marker id="a${n}"><path d="M0 0h1" marker-end="url(#a${n + 1})"/></marker>`),
  'entities of namespaces': filled(() => '&ns_a;').replace(
    HEAD,
    `<!DOCTYPE svg [<!ENTITY ns_a "http://ns.adobe.com/${'a'.repeat(80)}">]>${HEAD}`,
  ),
  'declarations of entities': filled((n) => `<!ENTITY ns_${n} "http://ns.adobe.com/">`)
    .replace(HEAD, '<!DOCTYPE svg [')
    .replace(TAIL, `]>${HEAD}${TAIL}`),
  'spaces in a doctype': filled(() => ' ')
    .replace(HEAD, '<!DOCTYPE svg [')
    .replace(TAIL, `]>${HEAD}${TAIL}`),
  'missing references': filled((n) => `<use href="#a${n}"/>`),
  'a word of CSS': filled(() => 'a', '<style>', '</style>'),
  'a value of CSS': filled(() => 'a', '<style>.a{fill:', '(}</style>'),
  'brackets of CSS': filled(() => '(', '<style>.a{fill:', '}</style>'),
  'braces of CSS': filled(() => '{', '<style>', '</style>'),
  'closing braces of CSS': filled(() => '}', '<style>', '</style>'),
  'comments of CSS': filled(() => '/*', '<style>', '</style>'),
  'quotes of CSS': filled((n) => (n % 2 ? '"a' : "'b\n"), '<style>.a{font:', '}</style>'),
  'url( of CSS': filled(() => 'url(#a', '<style>.a{fill:', '}</style>'),
  'url( and spaces': filled(() => ' ', '<style>.a{fill:url(', '}</style>'),
  'semicolons of CSS': filled(() => ';', '<style>.a{', '}</style>'),
  'wrong paths': filled(() => `<path d="${'a'.repeat(LIMITS.path - 20)}("/>`),
  'wrong values': filled(() => `<g fill="${'a'.repeat(LIMITS.attribute - 20)}("/>`),
  'long numbers': `${HEAD.replace('0 0 1 1', '1'.repeat(LIMITS.attribute))}${TAIL}`,
  'spaces in a viewBox': `${HEAD.replace('0 0 1 1', ' '.repeat(LIMITS.attribute))}${TAIL}`,
  'spaces before an important': `${HEAD}<g style="fill:a${' '.repeat(LIMITS.attribute - 20)}!"/>${TAIL}`,
  'spaces inside a viewBox': `${HEAD.replace('0 0 1 1', `0${' '.repeat(LIMITS.attribute - 4)}0 0`)}${TAIL}`,
  'references to one element': filled(() => '<use href="#a"/>', '<g id="a"/>'),
  'references in one attribute': filled(() => '<g fill="url(#a) url(#a) url(#a) url(#a)"/>', '<g id="a"/>'),
  'classes with references': filled(
    (n) => `<g class="${'a '.repeat(n % 50)}"/>`,
    '<style>.a{fill:url(#a);stroke:url(#a);mask:url(#a)}</style><g id="a"/>',
  ),
  'classes on one element': filled(
    () => 'a ',
    `<style>.a{${'fill:url(#a);'.repeat(100)}}</style><g id="a"/><g class="`,
    '"/>',
  ),
  'a chain of uses': filled((n) => `<use id="a${n}" href="#a${n + 1}"/>`),
  'a chain of uses backwards': filled((n) => `<use id="a${n + 1}" href="#a${n}"/>`, '<g id="a0"/>'),
  'a bomb of uses': filled((n) => `<g id="a${n + 1}"><use href="#a${n}"/><use href="#a${n}"/></g>`, '<g id="a0"/>'),
  'the same identifier': filled(() => '<g id="a"/>'),
};

let [slowest, slow] = [0, 0];
for (const [name, text] of Object.entries(inputs)) {
  let diagnostics = 0;
  const before = process.cpuUsage();
  checkSvg('a.svg', text, () => diagnostics++);
  const { user, system } = process.cpuUsage(before);
  const time = (user + system) / 1000;
  slowest = Math.max(slowest, time);
  if (time >= SECOND) slow++;
  process.stdout.write(
    `${time.toFixed(0).padStart(6)} ms  ${name} (${text.length} characters, ${diagnostics} diagnostics)\n`,
  );
}
process.stdout.write(
  `stress svg-time: ${Object.keys(inputs).length} inputs, slowest ${slowest.toFixed(0)} ms, ${slow} over a second\n`,
);
process.exitCode = slow === 0 ? 0 : 1;
