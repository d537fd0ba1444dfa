// The part of Fastly's VCL that themecast writes, read as the vendor's reference describes it. Not Fastly's compiler.

export type Expression =
  | { is: 'string' | 'number' | 'name'; text: string }
  | { is: 'call' | 'operator'; text: string; operands: Expression[] };

export type Statement =
  | { is: 'set'; name: string; operator: string; value: Expression }
  | { is: 'unset' | 'call' | 'declare' | 'return' | 'error' | 'include'; name: string }
  | { is: 'synthetic' | 'do'; value: Expression }
  | { is: 'if'; cases: { condition: Expression | undefined; block: Statement[] }[] };

/** What VCL files declare. */
export interface Program {
  includes: string[];
  tables: Map<string, Map<string, string>>;
  subs: Map<string, Statement[]>;
}

interface Token {
  is: 'string' | 'number' | 'name' | 'mark';
  text: string;
}

/** A string in each of its three forms, a comment, a name, a number or a mark; or what begins a string that nothing closes. */
const TOKEN =
  /\s+|#.*|\{(?<delimiter>[A-Za-z]*)"(?<long>[^]*?)"\k<delimiter>\}|"(?<short>[^"\n]*)"|(?<number>\d+)s?(?![\w.])|(?<name>[A-Za-z_][\w.-]*)|(?<mark>&&|\|\||[=!<>]=|!~|\+=|[~!=+(){},:;<>])/y;

/** @throws on a string that is not closed, or anything else that VCL does not know */
export function tokens(vcl: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < vcl.length; at = TOKEN.lastIndex) {
    // Sticky: a `{` that begins a long string without an end would else pass for a block.
    const opened = /\{[A-Za-z]*"/y;
    opened.lastIndex = at;
    const match = TOKEN.exec(vcl);
    if (match === null || (match.groups?.['mark'] === '{' && opened.test(vcl))) {
      throw new Error(`No VCL: ${JSON.stringify(vcl.slice(at, at + 60))}`);
    }
    const { long, short, number, name, mark } = match.groups ?? {};
    if (long !== undefined) found.push({ is: 'string', text: long });
    else if (short !== undefined) found.push({ is: 'string', text: percentDecoded(short) });
    else if (number !== undefined) found.push({ is: 'number', text: number });
    else if (name !== undefined) found.push({ is: 'name', text: name });
    else if (mark !== undefined) found.push({ is: 'mark', text: mark });
  }
  return found;
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** @throws on what is not VCL, braces without a counterpart among it */
export function parse(vcl: string): Program {
  const rest = tokens(vcl);
  const program: Program = { includes: [], tables: new Map(), subs: new Map() };
  while (rest.length > 0) {
    const keyword = name(rest);
    if (keyword === 'include') {
      program.includes.push(expect(rest, 'string'));
      mark(rest, ';');
    } else if (keyword === 'table') program.tables.set(name(rest), table(rest));
    else if (keyword === 'sub') program.subs.set(name(rest), block(rest));
    else throw new Error(`No declaration: ${keyword}`);
  }
  return program;
}

function table(rest: Token[]): Map<string, string> {
  const items = new Map<string, string>();
  mark(rest, '{');
  while (!taken(rest, '}')) {
    const key = expect(rest, 'string');
    mark(rest, ':');
    if (items.has(key)) throw new Error(`Twice in a table: ${key}`);
    items.set(key, expect(rest, 'string'));
    mark(rest, ',');
  }
  return items;
}

function block(rest: Token[]): Statement[] {
  const statements: Statement[] = [];
  mark(rest, '{');
  while (!taken(rest, '}')) statements.push(statement(rest));
  return statements;
}

function statement(rest: Token[]): Statement {
  const keyword = name(rest);
  if (keyword === 'if') return conditional(rest);
  const read = simpleStatement(keyword, rest);
  mark(rest, ';');
  return read;
}

function simpleStatement(keyword: string, rest: Token[]): Statement {
  switch (keyword) {
    case 'set':
      return { is: 'set', name: name(rest), operator: mark(rest, '=', '+='), value: expression(rest) };
    case 'unset':
    case 'call':
      return { is: keyword, name: name(rest) };
    case 'declare':
      if (name(rest) !== 'local') throw new Error('declare without local');
      return { is: 'declare', name: `${name(rest)} ${name(rest)}` };
    case 'error':
      return { is: 'error', name: expect(rest, 'number') };
    case 'return': {
      mark(rest, '(');
      const state = name(rest);
      mark(rest, ')');
      return { is: 'return', name: state };
    }
    case 'synthetic':
      return { is: 'synthetic', value: expression(rest) };
    default:
      return { is: 'do', value: call(keyword, rest) };
  }
}

function conditional(rest: Token[]): Statement {
  const condition = (): Expression => {
    mark(rest, '(');
    const read = expression(rest);
    mark(rest, ')');
    return read;
  };
  const cases: { condition: Expression | undefined; block: Statement[] }[] = [
    { condition: condition(), block: block(rest) },
  ];
  while (taken(rest, 'elsif')) cases.push({ condition: condition(), block: block(rest) });
  if (taken(rest, 'else')) cases.push({ condition: undefined, block: block(rest) });
  return { is: 'if', cases };
}

/** From the loosest to the tightest. */
const OPERATORS = [['||'], ['&&'], ['==', '!=', '~', '!~', '>=', '<=', '>', '<'], ['+']];

function expression(rest: Token[], level = 0): Expression {
  const operators = OPERATORS[level];
  if (operators === undefined) return primary(rest);
  let left = expression(rest, level + 1);
  for (let next = rest[0]; next?.is === 'mark' && operators.includes(next.text); next = rest[0]) {
    rest.shift();
    left = { is: 'operator', text: next.text, operands: [left, expression(rest, level + 1)] };
  }
  return left;
}

function primary(rest: Token[]): Expression {
  if (taken(rest, '!')) return { is: 'operator', text: '!', operands: [primary(rest)] };
  if (taken(rest, '(')) {
    const inner = expression(rest);
    mark(rest, ')');
    return inner;
  }
  const token = rest.shift();
  if (token === undefined || token.is === 'mark') throw new Error(`No expression: ${token?.text}`);
  return token.is === 'name' && rest[0]?.text === '(' && rest[0].is === 'mark'
    ? call(token.text, rest)
    : { is: token.is, text: token.text };
}

function call(text: string, rest: Token[]): Expression {
  const operands: Expression[] = [];
  mark(rest, '(');
  while (!taken(rest, ')')) {
    operands.push(expression(rest));
    if (rest[0]?.text !== ')') mark(rest, ',');
  }
  return { is: 'call', text, operands };
}

function expect(rest: Token[], is: Token['is']): string {
  const token = rest.shift();
  if (token?.is !== is) throw new Error(`No ${is}: ${token?.text}`);
  return token.text;
}

function name(rest: Token[]): string {
  return expect(rest, 'name');
}

function mark(rest: Token[], ...allowed: readonly string[]): string {
  const found = expect(rest, 'mark');
  if (!allowed.includes(found)) throw new Error(`No ${allowed.join(' or ')}: ${found}`);
  return found;
}

/** Takes the next token if it is this mark or word. */
function taken(rest: Token[], text: string): boolean {
  if (rest[0]?.text !== text || rest[0].is === 'string') return false;
  rest.shift();
  return true;
}
