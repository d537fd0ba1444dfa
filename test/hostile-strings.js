// Strings that have broken programs before: the classes of the "Big List of Naughty Strings" (Max Woolf, 2015), and the syntax of the
// supported hosts. Single-line texts are in hostile-strings.txt. Data, never instructions.
import { readFileSync } from 'node:fs';

/** Returns every template with every value in place of `*`. */
const expandTemplates = (/** @type {readonly string[]} */ templates, /** @type {readonly string[]} */ values) =>
  templates.flatMap((template) => values.map((value) => template.replace('*', () => value)));

const words = (/** @type {string} */ text) => text.trim().split(/\s+/);

const EVENTS =
  words(`onabort onauxclick onbeforetoggle onblur onclick onerror onfocus onload onmouseover onpageshow onpointerenter onresize
  onscroll onsubmit ontoggle ontransitionend onanimationstart onwheel`);

/** @satisfies {Record<string, readonly string[]>} */
const CLASSES = {
  reserved:
    words(`undefined undef null NULL (null) nil NIL true false True False TRUE FALSE None hasOwnProperty then constructor __proto__
    prototype toString valueOf __defineGetter__ isPrototypeOf NaN Infinity -Infinity .nan .inf ~ yes no on off Yes No y n - -- --- ... << = !
    * & | > % @ \` ? : , [ ] { } # ! \\ \\\\ default include hostnames volatile import`).concat('', ' ', '  ', '| '),
  numbers:
    words(`0 1 1.00 $1.00 1/2 1E2 1E02 1E+02 -1 -1.00 -$1.00 -1/2 -1E2 1/0 0/0 -2147483648/-1 -9223372036854775808/-1 -0 -0.0 +0 +0.0
    0.00 0..0 . 0.0.0 0,00 0,,0 , 0,0,0 0.0/0 1.0/0.0 0.0/0.0 1,0/0,0 0,0/0,0 --1 - -. -, 999999999999999999999999999999999999999999 1#INF
    1#QNAN 1#SNAN 1#IND 0x0 0xffffffff 0xffffffffffffffff 0xabad1dea 123456789012345678901234567890123456789 1,000.00 1'000.00 1,000,000.00
    1'000'000.00 01000 08 09 0o17 0b101 2.2250738585072011e-308 1e400 012 1_000 12:30:45 2026-11-21 2026-11-21T12:00:00Z 9007199254740993
    ١٢٣ Ⅳ ½ ² 1٠`).concat('1 000.00', '1 000 000.00'),
  punctuation: [
    ...'$ $$ ${ ${x} $(x) #{x} % %% %s %n %41 %00 %0d%0a { } {} {{ }} [] () ; ;; // /* */ /**/'.split(' '),
    ...'<!-- --> -- # ## < > & && | || ^ ! ? * + = @ ~ «» „“ ‚‘ ‹› ” “quoted” ‘quoted’ ′″‴ ＂＇'.split(' '),
  ],
  controls: [
    ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
    'a\u007fb',
    ...Array.from({ length: 32 }, (_, at) => `a${String.fromCharCode(0x80 + at)}b`),
    '\u0000',
    '\ufeff',
    'a\ufeffb',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udfff',
    'a\ud800b',
    '\udc00\ud800',
  ],
  spaces: [
    9, 0xb, 0xc, 0x85, 0xa0, 0xad, 0x1680, 0x180e, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x2061, 0x2063, 0x2800,
    0x3000, 0x3164, 0xffa0, 0xe0001,
  ]
    .concat(Array.from({ length: 16 }, (_, at) => 0x2000 + at))
    .flatMap((code) => [String.fromCodePoint(code), `a${String.fromCodePoint(code)}b`])
    .concat(' a', 'a ', ' a ', 'a\nb', 'a\r\nb', 'a\rb', '\u{e0020}\u{e007f}'),
  bidi: [
    '\u202Etest\u202E',
    '\u202Btest\u202B',
    '\u2029test\u2029',
    'test\u2060test\u202B',
    '\u2066test\u2067',
    'a\u200eb',
    'a\u200fb',
    'a\u061cb',
    'a\u202ab',
    'a\u202db',
    'user\u202Egnp.exe',
    '\u2068x\u2069',
  ],
  scripts: expandTemplates(
    [
      '<img src=x *=alert(1)>',
      '"><svg *=alert(1)>',
      "' *=alert(1) x='",
      '" autofocus tabindex=1 *=alert(1) x="',
      '</style><body *=alert(1)>',
    ],
    EVENTS,
  ),
  devices: words(
    'CON PRN AUX CLOCK$ NUL A: ZZ: COM1 LPT1 LPT2 LPT3 COM2 COM3 COM4 con.txt nul.yaml aux.svg .DS_Store Thumbs.db desktop.ini .git .. . ~root -rf .htaccess web.config index browse options manifest.json theme.yaml site.yaml users.csv',
  ),
  terminal: [
    'Roses are \u001b[0;31mred\u001b[0m',
    'But now...\u001b[20Cfor my greatest trick...\u001b[8m',
    'The quic\b\b\b\b\b\bk brown fo\u0007x',
    '\u001b]0;title\u0007',
    '\u001b]8;;https://evil.invalid\u001b\\x',
    '\u009b31m',
    '\u001b[2J',
    '\u001bc',
    '\r\u001b[K',
  ],
  lengths: [
    'k'.repeat(128),
    'k'.repeat(129),
    'n'.repeat(100),
    'n'.repeat(101),
    'long '.repeat(900),
    `${'a'.repeat(63)}.example.org`,
    'é'.repeat(100),
    '😍'.repeat(50),
  ],
};

const TEXTS = readFileSync(new URL('hostile-strings.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Every string once. */
export const HOSTILE_STRINGS = [...new Set([...TEXTS, ...Object.values(CLASSES).flat()])];
