import type { Case, Cases } from './case.ts';

function csv(about: string, key: string, code: Case['code'], at = 'users.csv:2'): Case {
  return { about, files: { 'users.csv': `user,theme\n${key},meadow\n` }, code, at };
}

function rows(about: string, lines: readonly string[], code: Case['code'], at: string): Case {
  return { about, files: { 'users.csv': `user,theme\n${lines.join('\n')}\n` }, code, at };
}

function site(about: string, line: string, code: Case['code'], at: string): Case {
  return { about, files: { 'site.yaml': `${line}\n` }, code, at };
}

const KEY = 'mapping/user-key';

/** The cases from 117 to 134 that a themes folder can express. */
export const mapping: Cases = {
  117: [csv('a key that is a regular expression', '~.*', KEY)],
  118: ['default', 'hostnames', 'include', 'volatile'].map((key) => csv(`the key ${key}`, key, 'fine')),
  119: [
    ...['"a""b"', 'a;b', 'a{b', 'a}b', 'a\\b', 'a$b', 'a b', "a'b", 'a<b', 'a&b', 'a`b', 'a#b', 'a*b', 'a%b'].map(
      (key) => csv(`the key ${JSON.stringify(key)}`, key, KEY),
    ),
    csv('a key of two lines', '"a\nb"', 'mapping/quotes'),
    csv('a key with NUL', 'a\0b', 'file/character'),
    csv('a key that closes a server block of nginx', '"x v; } server { listen 80; } map $uri $z { y z"', KEY),
  ],
  120: [rows('keys that differ by case', ['Alice,meadow', 'alice,meadow'], 'edge/case-collision', 'users.csv:3')],
  121: [
    rows('a duplicate key with the same theme', ['ann,meadow', 'ann,meadow'], 'mapping/duplicate-user', 'users.csv:3'),
    rows('a duplicate key with another theme', ['ann,meadow', 'ann,harbor'], 'mapping/duplicate-user', 'users.csv:3'),
  ],
  122: [rows('an unknown theme', ['ann,prairie'], 'mapping/unknown-theme', 'users.csv:2')],
  123: [csv('an empty key', '', 'mapping/empty-key'), csv('a blank key', '"  "', KEY)],
  124: [csv('a key of 129 bytes', 'a'.repeat(129), KEY), csv('a key of 128 bytes', 'a'.repeat(128), 'fine')],
  125: [
    csv('the Kelvin sign', 'kelvin-\u212a', KEY),
    csv('a key with an accent', 'andr\u00e9', KEY),
    csv('a key with a combining accent', 'andre\u0301', KEY),
  ],
  126: [rows('007 and 7', ['007,meadow', '7,meadow'], 'fine', '')],
  127: [
    rows('names of the prototype', ['__proto__,meadow', 'constructor,meadow', 'hasOwnProperty,meadow'], 'fine', ''),
  ],
  129: [csv('a spreadsheet formula', '"=cmd|\'/c calc\'!A1"', KEY)],
  130: [
    ...[
      'javascript:alert(1)',
      'http://a.example',
      'https://evil@a.example',
      '//a.example',
      'https://a.example/?q',
      'https://a.example/#f',
      '"https://a.example/\\r\\nX-Y: z"',
      'https://a.example/$host',
      'https://a.example/../b',
    ].map((url) => site(`the base_url ${url}`, `base_url: ${url}`, 'field/format', 'site.yaml:1:11')),
    site('no base_url', 'edge: [nginx]', 'field/missing', 'site.yaml:1:1'),
  ],
  132: [
    {
      about: 'users in the folder of a theme',
      files: { 'meadow/users.csv': 'user,theme\n' },
      code: 'image/unused',
      at: 'meadow/users.csv',
    },
  ],
};
