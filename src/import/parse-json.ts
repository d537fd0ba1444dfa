import { quote } from '../diagnostics/quote.ts';
import { positions } from '../source/lines.ts';

/** Levels of arrays and objects: a list of themes has four. */
const MAX_DEPTH = 64;
const SPACE = /[ \t\r\n]*/y;
const CHARACTERS = /[^"\\]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What stands where a value should: enough of it to find it again. */
const WORD = /[^\s,:\]}]{1,20}/y;
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The JSON of a response or a file; or why it is none, as a sentence. */
export type ParsedJson = { json: unknown } | { problem: string };

/**
 * Parses JSON from outside. Unlike `JSON.parse`, it decodes the charset of the response, names the line and column of an error on
 * every release of Node.js, bounds the nesting, and returns integers that no number holds as bigints.
 */
export function parseJson(body: Uint8Array, contentType = ''): ParsedJson {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  let text: string;
  try {
    // A byte order mark is dropped.
    text = new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return { problem: `It cannot be decoded as ${quote(charset)}.` };
  }
  try {
    return { json: new Parser(text).parse() };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { line, column } = positions(text)(error.at);
    return { problem: `It is not valid JSON: line ${line}, column ${column}: ${error.message}.` };
  }
}

class JsonError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    const value = this.#value(0);
    if (this.#next() !== '') this.#fail();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new JsonError(this.#at, `there are more than ${MAX_DEPTH} levels`);
    const sign = this.#next();
    if (sign === '[') return this.#items(']', () => this.#value(depth + 1));
    if (sign === '"') return this.#string();
    if (sign !== '{') return this.#number() ?? this.#word();
    // Not by assignment: `__proto__` is a name like any other.
    return Object.fromEntries(
      this.#items('}', (): [string, unknown] => {
        if (this.#next() !== '"') this.#fail();
        const name = this.#string();
        this.#expect(':');
        return [name, this.#value(depth + 1)];
      }),
    );
  }

  #items<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    this.#at++;
    if (this.#next() !== end) {
      items.push(item());
      while (this.#next() === ',') {
        this.#at++;
        items.push(item());
      }
    }
    this.#expect(end);
    return items;
  }

  #string(): string {
    const start = this.#at++;
    for (this.#skip(CHARACTERS); this.#text[this.#at] === '\\'; this.#skip(CHARACTERS)) this.#at += 2;
    try {
      return JSON.parse(this.#text.slice(start, ++this.#at)) as string;
    } catch {
      throw new JsonError(start, 'this text has no end, or contains a control character or an invalid escape');
    }
  }

  #number(): number | bigint | undefined {
    const digits = this.#match(NUMBER);
    if (digits === undefined) return undefined;
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new JsonError(this.#at, `${quote(digits)} is larger than any number`);
    this.#at += digits.length;
    return /^-?\d+$/.test(digits) && !Number.isSafeInteger(value) ? BigInt(digits) : value;
  }

  #word(): unknown {
    const word = this.#match(WORD) ?? '';
    if (!WORDS.has(word)) this.#fail();
    this.#at += word.length;
    return WORDS.get(word);
  }

  #expect(sign: string): void {
    if (this.#next() !== sign) this.#fail();
    this.#at++;
  }

  /** The next character that is no white space; nothing at the end. */
  #next(): string {
    this.#skip(SPACE);
    return this.#text[this.#at] ?? '';
  }

  /** Goes on after a match, which may be empty. */
  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #fail(): never {
    const word = this.#match(WORD) ?? this.#next();
    throw new JsonError(this.#at, word === '' ? 'it ends here' : `${quote(word)} is unexpected`);
  }
}
