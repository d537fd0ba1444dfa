import { describe, expect, it } from 'vitest';
import * as apache from '../../../src/hosts/apache/syntax.ts';
import * as caddy from '../../../src/hosts/caddy/syntax.ts';
import * as cloudfront from '../../../src/hosts/cloudfront/syntax.ts';
import { Inexpressible } from '../../../src/hosts/inexpressible.ts';
import * as nginx from '../../../src/hosts/nginx/syntax.ts';
import { heading } from '../../../src/hosts/config-file.ts';
import { escapeRegExp } from '../../../src/hosts/regexp.ts';

// What the servers read is proved by test/hosts/quoting.test.ts; here is what stands in the files, byte for byte.

/** Every character that stands for something in a regular expression. */
const SPECIAL = String.raw`\^$.*+?()[]{}|`;
const ESCAPED = String.raw`\\\^\$\.\*\+\?\(\)\[\]\{\}\|`;

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

describe.each([
  ['Apache httpd', apache.quote],
  ['Caddy', caddy.quoteTemplate],
  ['nginx', nginx.quoteTemplate],
])('%s', (host, write) => {
  it.each(CONTROLS)('refuses %j anywhere', (control) => {
    const text = `a${control}b`;
    expect(refusal(() => write(text))).toBe(
      `${JSON.stringify(text)} cannot be expressed for ${host}: it contains a control character`,
    );
    expect(refusal(() => write(control))).not.toBe('accepted');
  });

  it('takes the characters beside them', () => {
    for (const text of ['a b', '~', 'a~b', '\u0080', 'ü😍']) expect(write(text)).toContain(text);
  });
});

describe('Apache httpd', () => {
  it.each([
    ['a b', '"a b"'],
    ['say "a"', String.raw`"say \"a\""`],
    [String.raw`\d+\.`, String.raw`"\d+\."`],
    [String.raw`a\\b`, String.raw`"a\\\b"`],
    [String.raw`a\"b`, String.raw`"a\\\"b"`],
    ['a\\', String.raw`"a\\"`],
    ['', '""'],
    ['$1 {a}', '"$1 {a}"'],
  ])('quotes %j', (text, quoted) => {
    expect(apache.quote(text)).toBe(quoted);
  });

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

  it('writes sections and headers', () => {
    expect(apache.section('If', '"a"', ['b', '', 'c'])).toEqual(['<If "a">', '    b', '', '    c', '</If>']);
    expect(apache.setHeaders({ A: String.raw`50% \n "x"`, B: '' })).toEqual([
      String.raw`Header always set A "50%% \\\n \"x\""`,
      'Header always set B ""',
    ]);
    expect(apache.setHeaders({ A: 'b' }, "%{X} == 'y'")).toEqual([`Header always set A "b" "expr=%{X} == 'y'"`]);
  });

  it('matches text as it is', () => {
    expect(escapeRegExp(`${SPECIAL}a-/`)).toBe(`${ESCAPED}a-/`);
  });
});

describe('Caddy', () => {
  it.each([
    ['a b', '"a b"'],
    ['', '""'],
    ['say "a"', '`say "a"`'],
    [String.raw`\d`, '`\\d`'],
    ['a `b`', '"a `b`"'],
    ['{http.vars.a}', '"{http.vars.a}"'],
    ['{{', '"{{"'],
  ])('quotes %j', (text, token) => {
    expect(caddy.quoteTemplate(text)).toBe(token);
  });

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

  it('writes text that no placeholder is read into', () => {
    expect(caddy.quote('{a} b}')).toBe('`\\{a\\} b\\}`');
    expect(caddy.quote('a}')).toBe('"a}"'); // only an opening brace makes Caddy look for backslashes
  });

  it('writes the keys of a map', () => {
    expect(caddy.quoteMapKey('u-1')).toBe('"u-1"');
    expect(caddy.quoteMapKey('a~')).toBe('"a~"');
    expect([caddy.quoteMapKey('default'), caddy.quoteMapKey('import')]).toEqual(['"~^default$"', '"~^import$"']);
    expect(refusal(() => caddy.quoteMapKey('~a'))).toBe(
      '"~a" cannot be expressed for Caddy: a key that begins with `~` is a regular expression',
    );
  });

  it('writes blocks, headers and responses', () => {
    expect(caddy.block('route', ['a', '', 'b'])).toEqual(['route {', '\ta', '', '\tb', '}']);
    expect(caddy.headers({ A: 'b', C: '{d}' })).toEqual(['header {', '\tA "b"', '\tC "{d}"', '}']);
    expect(caddy.headers({}, '@list')).toEqual(['header @list {', '}']);
    expect(caddy.respond('@post', '{"detail":"no"}', 405)).toBe('respond @post `\\{"detail":"no"\\}` 405');
    expect(caddy.respond('', 'no', 404)).toBe('respond "no" 404');
  });

  it('matches text as it is', () => {
    expect(escapeRegExp(`${SPECIAL}a-/`)).toBe(`${ESCAPED}a-/`);
  });
});

describe('CloudFront', () => {
  it('writes values as JavaScript of any age', () => {
    expect(cloudfront.jsonLiteral({ a: ['\u2028', '\u2029', '"', 1] })).toBe(
      String.raw`{"a":["\u2028","\u2029","\"",1]}`,
    );
  });

  it('writes headers as its events have them', () => {
    expect(cloudfront.eventHeaders({ 'X-Frame-Options': 'DENY', Vary: 'Accept' })).toEqual({
      'x-frame-options': { value: 'DENY' },
      vary: { value: 'Accept' },
    });
  });

  it('takes comments and indents out of a function only where it is too large with them, and refuses what is still', () => {
    const code = (bytes: number): string => {
      const head = '// about\nfunction a() {\n    // why\n    return "// no";\n}\n';
      return `${head}// ${'x'.repeat(bytes - head.length - 4)}\n`;
    };
    expect(Buffer.byteLength(code(10_240))).toBe(10_240);
    expect(cloudfront.functionCode('viewer', '', code(10_240))).toBe(code(10_240));
    expect(cloudfront.functionCode('viewer', '', code(10_241))).toBe('function a() {\nreturn "// no";\n}\n');

    const full = (bytes: number): string => `  ${'x'.repeat(bytes)}`;
    expect(cloudfront.functionCode('viewer', '', full(10_240))).toBe('x'.repeat(10_240));
    expect(refusal(() => cloudfront.functionCode('viewer', '', full(10_241)))).toBe(
      'viewer has 10241 bytes, and CloudFront accepts functions of at most 10240: list fewer origins in `cors`',
    );
    // Operators of the code, not of the data.
    const data = `const a = '${'x'.repeat(10_200)} = x';\n`;
    expect(cloudfront.functionCode('viewer', data, 'if (a === 1 && b) c = d + 1;\n')).toBe(
      `${data}if (a===1&&b) c=d+1;\n`,
    );
    // Bytes, not characters.
    expect(refusal(() => cloudfront.functionCode('viewer', '', 'ü'.repeat(5121)))).toContain('viewer has 10242');
  });
});

it('a heading is one comment line of 120 characters', () => {
  expect(heading('Identity')).toMatch(/^# --- Identity -+$/);
  expect(heading('Identity')).toHaveLength(120);
});

describe('nginx', () => {
  it.each([
    ['a b', '"a b"'],
    ['', '""'],
    ['say "a"', `'say "a"'`],
    [`it's "a"`, String.raw`'it\'s "a"'`],
    [`it's`, `"it's"`],
    [String.raw`\d "a" \\`, String.raw`'\\d "a" \\\\'`],
    ['$uri', '"$uri"'],
  ])('quotes %j', (text, parameter) => {
    expect(nginx.quoteTemplate(text)).toBe(parameter);
  });

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

  it('names the variables of headers', () => {
    expect(nginx.headerVariable('http', 'X-Remote-User')).toBe('$http_x_remote_user');
  });

  it('writes blocks and headers', () => {
    expect(nginx.block('map $a $b', ['c;', '', 'd;'])).toEqual(['map $a $b {', '    c;', '', '    d;', '}']);
    expect(nginx.addHeaders({ A: 'b', Vary: '$v' })).toEqual([
      'add_header A "b" always;',
      'add_header Vary "$v" always;',
    ]);
  });

  it('matches text as it is', () => {
    expect(escapeRegExp(`${SPECIAL}a-/`)).toBe(`${ESCAPED}a-/`);
  });
});
