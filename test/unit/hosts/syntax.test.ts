import { describe, expect, it } from 'vitest';
import * as apache from '../../../src/hosts/apache/syntax.ts';
import * as caddy from '../../../src/hosts/caddy/syntax.ts';
import { Inexpressible } from '../../../src/hosts/inexpressible.ts';
import * as nginx from '../../../src/hosts/nginx/syntax.ts';
import { adapters } from '../../../src/hosts/adapters.ts';
import type { WebServer } from '../../hosts/web-servers.ts';

// What the servers read is proved by test/hosts/quoting.test.ts; and what stands in the files by test/golden; here is what is refused.

/** The first and the last character of each range that no host can be told, but for line breaks and tabs between them. */
const CONTROLS = ['\u0000', '\t', '\n', '\r', '\u001f', '\u007f'];

/** Why a text is refused. */
function refusal(write: () => unknown): string {
  try {
    write();
  } catch (error) {
    if (error instanceof Inexpressible) return error.message;
    throw error;
  }
  return 'accepted';
}

const QUOTE: Readonly<Record<WebServer, (text: string) => string>> = {
  nginx: nginx.quoteTemplate,
  apache: apache.quote,
  caddy: caddy.quoteTemplate,
};

describe.each(Object.entries(QUOTE))('%s', (host, write) => {
  it.each(CONTROLS)('refuses %j anywhere', (control) => {
    const text = `a${control}b`;
    expect(refusal(() => write(text))).toBe(
      `${JSON.stringify(text)} cannot be expressed for ${adapters[host as WebServer].title}: it contains a control character`,
    );
    expect(refusal(() => write(control))).not.toBe('accepted');
  });

  it('takes the characters beside them', () => {
    for (const text of ['a b', '~', 'a~b', '\u0080', 'ü😍']) expect(write(text)).toContain(text);
  });
});

describe('Apache httpd', () => {
  it('knows no way to write `${`, but for what themecast itself defines', () => {
    expect(refusal(() => apache.quote('a ${b}'))).toBe(
      '"a ${b}" cannot be expressed for Apache httpd: it contains `${`',
    );
    expect(refusal(() => apache.quote('a ${THEMECAST_} ${b'))).toContain('it contains `${`');
    expect(refusal(() => apache.quote('${THEMECAST_}'))).toContain('it contains `${`');
    expect(refusal(() => apache.quote('${themecast_users:%2}'))).toContain('it contains `${`');
    expect(refusal(() => apache.quote('${themecast_:%1}'))).toContain('it contains `${`');
    expect(apache.quote('${THEMECAST_MAPS}/a ${themecast_users:%1}')).toBe(
      '"${THEMECAST_MAPS}/a ${themecast_users:%1}"',
    );
  });

  it('writes strings of expressions only where nothing can be mistaken', () => {
    expect(apache.quoteExpression('https://a.example:8080/x_y-[::1]')).toBe("'https://a.example:8080/x_y-[::1]'");
    expect(apache.quoteExpression('')).toBe("''");
    for (const text of ["a'", '%{ENV:x}', 'a b', '$1', 'a\\', 'a@b']) {
      expect(refusal(() => apache.quoteExpression(text))).toBe(
        `${JSON.stringify(text)} cannot be expressed for Apache httpd: it contains a character with a meaning in expressions`,
      );
    }
  });

  it('writes a line of a map, of one word each', () => {
    expect(apache.mapLine('u-1', 'meadow')).toBe('u-1 meadow\n');
    expect(apache.mapLine('a', 'b')).toBe('a b\n');
    expect(apache.mapLine('a#b', '#x')).toBe('a#b #x\n');
    for (const key of ['', '#a', ' a', 'a b', 'a ', 'a\n', '\ta']) {
      expect(refusal(() => apache.mapLine(key, 'b'))).toBe(
        `${JSON.stringify(key)} cannot be expressed for Apache httpd: it is not a single word`,
      );
    }
    for (const value of ['', 'a b', ' a', 'a\n'])
      expect(refusal(() => apache.mapLine('a', value))).not.toBe('accepted');
  });
});

describe('Caddy', () => {
  it.each([
    ['{', 'a brace alone is a block, even between quotes'],
    ['}', 'a brace alone is a block, even between quotes'],
    ['a{$HOME}', 'it contains `{$`, which begins an environment variable'],
    ['`"', 'it contains both a backtick and a double quote or backslash'],
    ['`\\', 'it contains both a backtick and a double quote or backslash'],
  ])('refuses %j', (text, reason) => {
    expect(refusal(() => caddy.quoteTemplate(text))).toBe(
      `${JSON.stringify(text)} cannot be expressed for Caddy: ${reason}`,
    );
  });

  it('writes the keys of a map', () => {
    expect(caddy.quoteMapKey('u-1')).toBe('"u-1"');
    expect(caddy.quoteMapKey('a~')).toBe('"a~"');
    expect([caddy.quoteMapKey('default'), caddy.quoteMapKey('import')]).toEqual(['"~^default$"', '"~^import$"']);
    expect(refusal(() => caddy.quoteMapKey('~a'))).toBe(
      '"~a" cannot be expressed for Caddy: a key that begins with `~` is a regular expression',
    );
  });
});

describe('nginx', () => {
  it('takes no parameter beyond 4000 bytes', () => {
    expect(nginx.quoteTemplate('ü'.repeat(2000))).toHaveLength(2002);
    expect(refusal(() => nginx.quoteTemplate(`a${'ü'.repeat(2000)}`))).toBe(
      `"a${'ü'.repeat(39)}" cannot be expressed for nginx: it is longer than 4000 bytes`,
    );
  });

  it('knows no way to write `$` where variables expand', () => {
    expect(nginx.quote('a"b')).toBe(`'a"b'`);
    expect(refusal(() => nginx.quote('a $b'))).toBe('"a $b" cannot be expressed for nginx: it contains `$`');
  });

  it('writes keys of a map so that none is one of its words', () => {
    expect(nginx.quoteMapKey('default')).toBe(String.raw`"\\default"`);
    expect(nginx.quoteMapKey('~a')).toBe(String.raw`"\\~a"`);
  });
});
