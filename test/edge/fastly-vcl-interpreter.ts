import { type Expression, parse, type Program, type Statement } from './fastly-vcl-language.ts';

// No Fastly: runs the VCL that themecast writes as the vendor's reference describes it.

type Value = string | number | boolean | undefined;

/** `req`, `bereq`, `beresp`, `resp` or `obj`. */
export interface Message {
  /** By name in lower case: a name reads the first value. */
  http: Map<string, string[]>;
  values: Map<string, Value>;
}

export interface Transaction {
  program: Program;
  messages: Map<string, Message>;
  locals: Map<string, Value>;
  groups: readonly string[];
  synthetic: string;
}

/** How a sub ended: `return(…)` or `error …`; nothing if it went on to its end. */
export type Ending = { state: string } | { error: number } | undefined;

/** Reads the VCL as it would be uploaded, with the secrets of the site in a dictionary of the administrator. */
export function program(files: ReadonlyMap<string, string>, secrets: Readonly<Record<string, string>>): Program {
  const main = parse(files.get('vcl/theme-service.vcl') ?? '');
  const included = main.includes.map((file) => parse(files.get(`vcl/${file}`) ?? ''));
  const tables = included.flatMap((one) => [...one.tables]);
  return { ...main, tables: new Map([...tables, ['themecast_secrets', new Map(Object.entries(secrets))]]) };
}

export function transaction(
  of: Program,
  method: string,
  url: string,
  headers: Iterable<[string, string[]]>,
): Transaction {
  const req = message({ method, url, restarts: 0, hash: '' });
  for (const [name, values] of headers) req.http.set(name.toLowerCase(), values);
  const ff = message({ visits_this_service: 0 });
  return {
    program: of,
    messages: new Map([
      ['req', req],
      ['fastly.ff', ff],
    ]),
    locals: new Map(),
    groups: [],
    synthetic: '',
  };
}

export function message(values: Readonly<Record<string, Value>>): Message {
  return { http: new Map(), values: new Map(Object.entries(values)) };
}

/** Runs a sub, and those that it calls. */
export function run(sub: string, at: Transaction): Ending {
  const statements = at.program.subs.get(sub);
  if (statements === undefined) throw new Error(`There is no sub ${sub}.`);
  return runBlock(statements, at);
}

function runBlock(statements: readonly Statement[], at: Transaction): Ending {
  for (const one of statements) {
    const ending = execute(one, at);
    if (ending !== undefined) return ending;
  }
  return undefined;
}

function execute(one: Statement, at: Transaction): Ending {
  switch (one.is) {
    case 'set': {
      const value = evaluate(one.value, at);
      assign(one.name, one.operator === '+=' ? text(read(one.name, at)) + text(value) : value, at);
      return undefined;
    }
    case 'unset':
      assign(one.name, undefined, at);
      return undefined;
    case 'if': {
      const hit = one.cases.find(({ condition }) => condition === undefined || isTrue(evaluate(condition, at)));
      return hit === undefined ? undefined : runBlock(hit.block, at);
    }
    case 'call':
      return run(one.name, at);
    case 'return':
      return { state: one.name };
    case 'error':
      return { error: Number(one.name) };
    case 'synthetic':
      at.synthetic = text(evaluate(one.value, at));
      return undefined;
    case 'do':
      evaluate(one.value, at);
      return undefined;
    case 'declare':
      at.locals.set(one.name.split(' ')[0] ?? '', undefined);
      return undefined;
    case 'include':
      throw new Error('include inside a sub');
  }
}

function evaluate(of: Expression, at: Transaction): Value {
  if (!('operands' in of)) {
    if (of.is === 'name') return read(of.text, at);
    return of.is === 'number' ? Number(of.text) : of.text;
  }
  const { operands } = of;
  if (of.is === 'call') {
    const called = FUNCTIONS[of.text];
    if (called === undefined) throw new Error(`There is no function ${of.text}.`);
    return called(at, operands);
  }
  const operand = (index: number): Value => evaluate(operands[index]!, at);
  switch (of.text) {
    case '!':
      return !isTrue(operand(0));
    case '&&':
      return isTrue(operand(0)) && isTrue(operand(1));
    case '||':
      return isTrue(operand(0)) || isTrue(operand(1));
    case '==':
      return operand(0) === operand(1);
    case '!=':
      return operand(0) !== operand(1);
    case '>=':
      return Number(operand(0)) >= Number(operand(1));
    case '~':
    case '!~': {
      const match = expressionOf(operands[1]).exec(text(operand(0)));
      if (match !== null) at.groups = [...match].map((group) => group ?? '');
      return (match !== null) === (of.text === '~');
    }
    case '+':
      return text(operand(0)) + text(operand(1));
    default:
      throw new Error(`There is no operator ${of.text}.`);
  }
}

const FUNCTIONS: Readonly<Record<string, (at: Transaction, operands: readonly Expression[]) => Value>> = {
  'digest.secure_is_equal': (at, [first, second]) => text(evaluate(first!, at)) === text(evaluate(second!, at)),
  'json.escape': (at, [escaped]) => JSON.stringify(text(evaluate(escaped!, at))).slice(1, -1),
  regsub: (at, [input, pattern, replacement]) =>
    text(evaluate(input!, at)).replace(expressionOf(pattern), (...match: string[]) =>
      text(evaluate(replacement!, at)).replace(/\\(\d)/g, (_, group: string) => match[Number(group)] ?? ''),
    ),
  'std.collect': (at, [header, separator]) => {
    const values = header?.text === undefined ? undefined : headerOf(header.text, at);
    if (values !== undefined && values.length > 0)
      assign(header!.text, values.join(separator === undefined ? ', ' : text(evaluate(separator, at))), at);
    return undefined;
  },
  'std.strlen': (at, [measured]) => text(evaluate(measured!, at)).length,
  'table.lookup': (at, [table, key, otherwise]) => {
    const items = at.program.tables.get(table!.text);
    if (items === undefined) throw new Error(`There is no table ${table!.text}.`);
    return items.get(text(evaluate(key!, at))) ?? evaluate(otherwise!, at);
  },
};

/** PCRE as themecast writes it is that of JavaScript, but for `(?i)`; and it must be a literal. */
function expressionOf(pattern: Expression | undefined): RegExp {
  if (pattern?.is !== 'string') throw new Error('A regular expression must be a literal.');
  return new RegExp(pattern.text.replace(/^\(\?i\)/, ''), pattern.text.startsWith('(?i)') ? 'i' : '');
}

function isTrue(value: Value): boolean {
  return value !== undefined && value !== false;
}

export function text(value: Value): string {
  return value === undefined ? '' : String(value);
}

function headerOf(name: string, at: Transaction): string[] | undefined {
  const [, of = '', header = ''] = /^(\w+)\.http\.(.+)$/.exec(name) ?? [];
  return at.messages.get(of)?.http.get(header.toLowerCase());
}

export function read(name: string, at: Transaction): Value {
  if (name.startsWith('var.')) return declared(name, at).get(name);
  if (name.startsWith('re.group.')) return at.groups[Number(name.slice('re.group.'.length))];
  if (name.includes('.http.')) return headerOf(name, at)?.[0];
  const [, of = '', variable = ''] = /^(.+)\.(\w+)$/.exec(name) ?? [];
  const values = at.messages.get(of)?.values;
  if (values?.has(variable) !== true) throw new Error(`There is no ${name} here.`);
  return values.get(variable);
}

function assign(name: string, value: Value, at: Transaction): void {
  if (name.startsWith('var.')) declared(name, at).set(name, value);
  else {
    const [, of = '', variable = '', header] = /^(\w+)\.(\w+)(?:\.(.+))?$/.exec(name) ?? [];
    const into = at.messages.get(of);
    if (into === undefined) throw new Error(`There is no ${of} here.`);
    if (header === undefined) into.values.set(variable, value);
    else if (value === undefined) into.http.delete(header.toLowerCase());
    else into.http.set(header.toLowerCase(), [text(value)]);
  }
}

function declared(name: string, { locals }: Transaction): Map<string, Value> {
  if (!locals.has(name)) throw new Error(`${name} is not declared.`);
  return locals;
}
