import { expect, it } from 'vitest';
import * as apache from '../../../src/hosts/apache/syntax.ts';
import * as caddy from '../../../src/hosts/caddy/syntax.ts';
import { Inexpressible } from '../../../src/hosts/contract/inexpressible.ts';
import * as nginx from '../../../src/hosts/nginx/syntax.ts';

// test/hosts/quoting.test.ts proves that servers read quoted texts unchanged; these tests are about texts that are rejected.

const QUOTES = [
  ['nginx', nginx.quoteTemplate],
  ['Apache httpd', apache.quote],
  ['Caddy', caddy.quoteTemplate],
] as const;

it.each(QUOTES)('%s rejects control characters anywhere, and accepts their neighbours', (host, quote) => {
  // Includes the ends of each range, and the line breaks and the tab between them.
  for (const control of ['\u0000', '\t', '\n', '\r', '\u001f', '\u007f']) {
    const text = JSON.stringify(`a${control}b`);
    const message = `${text} cannot be expressed for ${host}: it contains a control character`;
    expect(() => quote(`a${control}b`)).toThrow(message);
    expect(() => quote(control)).toThrow(Inexpressible);
  }
  for (const text of ['a b', '~', 'a~b', '\u0080', 'ü😍']) expect(quote(text)).toContain(text);
});

const MEANING_REASON = 'it contains a character with a meaning in expressions';
const WORD_REASON = 'it is not a single word';
const lineForKey = (key: string): string => apache.mapLine(key, 'b');
const lineForValue = (value: string): string => apache.mapLine('a', value);

it.each<[string, (text: string) => string, string, readonly string[]]>([
  [
    'Apache httpd',
    apache.quote,
    'it contains `${`',
    ['a ${b}', '${THEMECAST_}', '${themecast_:%1}', '${themecast_users:%2}'],
  ],
  ['Apache httpd', apache.quoteExpression, MEANING_REASON, ["a'", '%{ENV:x}', 'a b', '$1', 'a\\', 'a@b']],
  ['Apache httpd', lineForKey, WORD_REASON, ['', '#a', ' a', 'a b', 'a ', 'a\n', '\ta']],
  ['Apache httpd', lineForValue, WORD_REASON, ['', 'a b', ' a', 'a\n']],
  ['Caddy', caddy.quoteTemplate, 'a brace alone is a block, even between quotes', ['{', '}']],
  ['Caddy', caddy.quoteTemplate, 'it contains `{$`, which begins an environment variable', ['a{$HOME}']],
  ['Caddy', caddy.quoteTemplate, 'it contains both a backtick and a double quote or backslash', ['`"', '`\\']],
  ['Caddy', caddy.quoteMapKey, 'a key that begins with `~` is a regular expression', ['~a']],
  ['nginx', nginx.quoteTemplate, 'it is longer than 4000 bytes', [`a${'ü'.repeat(2000)}`]],
  ['nginx', nginx.quote, 'it contains `$`', ['a $b']],
])('%s rejects, by %o: %s', (host, quoteText, reason, texts) => {
  for (const text of texts) expect(() => quoteText(text)).toThrow(`cannot be expressed for ${host}: ${reason}`);
});
