import type { z } from 'zod';
import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Path, SourceDocument } from './yaml.ts';

export interface Validated<S extends z.ZodRawShape> {
  /** The fields that are present and right. */
  values: { [K in keyof S]?: z.output<S[K]> & {} };
  /** Fields that are present but wrong, or probably meant by a misspelt name: no second finding says they are missing. */
  claimed: ReadonlySet<string>;
}

/** Checks each field of a document by itself, so that one wrong field hides nothing about the others. */
export function validateFields<S extends z.ZodRawShape>(
  shape: S,
  document: SourceDocument,
  report: Report,
): Validated<S> {
  const known = Object.keys(shape);
  const values: Record<string, unknown> = {};
  const claimed = new Set<string>();
  for (const field of Object.keys(document.data)) {
    const schema = Object.hasOwn(shape, field) ? (shape[field] as z.ZodType) : undefined;
    if (schema === undefined) {
      const suggestion = suggest(field, known);
      if (suggestion !== undefined) claimed.add(suggestion);
      report('field/unknown', document.keyAt([field]), { field, suggestion, known });
      continue;
    }
    const result = schema.safeParse(document.data[field]);
    if (result.success) {
      if (result.data !== undefined) values[field] = result.data;
      continue;
    }
    claimed.add(field);
    for (const issue of result.error.issues) reportIssue(issue, [field], { schema, document, report });
  }
  return { values: values as Validated<S>['values'], claimed };
}

type Issue = z.core.$ZodIssue;

/** Where the checks are: what is wrong is reported there, in our own words. */
interface Checking {
  schema: z.ZodType;
  document: SourceDocument;
  report: Report;
}

function reportIssue(issue: Issue, parent: Path, checking: Checking): void {
  const { document, report } = checking;
  const path = [...parent, ...issue.path];
  const field = fieldName(path);
  const value = path.reduce<unknown>(
    (data, step) => (data as Record<PropertyKey, unknown> | undefined)?.[step],
    document.data,
  );
  const place = document.valueAt(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      for (const key of issue.keys) {
        const known = knownKeys(checking.schema, path.slice(1));
        const keyPath = [...path, key];
        report('field/unknown', document.keyAt(keyPath), {
          field: fieldName(keyPath),
          suggestion: suggest(key, known),
          known,
        });
      }
      return;
    case 'invalid_union': {
      const branch = closestBranch(issue.errors);
      if (branch === undefined) report('field/type', place, { field, expected: issue.message, found: describe(value) });
      else for (const inner of branch) reportIssue(inner, path, checking);
      return;
    }
    case 'invalid_type':
      if (value === undefined)
        report('field/missing', document.keyAt(path), { field, action: `It must be ${typeName(issue.expected)}.` });
      else reportType(field, issue.expected, value, place, report);
      return;
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      if (typeof value !== 'string') report('field/type', place, { field, expected: 'a text', found: describe(value) });
      else
        report('field/value', place, {
          field,
          value,
          allowed,
          suggestion: suggest(value, allowed),
          listedAt: undefined,
        });
      return;
    }
    case 'too_small':
    case 'too_big':
      report('field/range', place, { field, value: measure(value), limit: limit(issue) });
      return;
    default:
      report('field/format', place, { field, value, expected: issue.message });
  }
}

/** A wrong type; the values that look right to people but are texts in YAML 1.2 have findings of their own. */
function reportType(field: string, wanted: string, value: unknown, place: Location, report: Report): void {
  const text = typeof value === 'string' ? value.trim() : '';
  const number = /^(-?\d+)(?:\.0+)?\s*(?:px|pt|em|rem|%)?$/i.exec(text)?.[1];
  if (wanted === 'boolean' && /^(?:yes|no|on|off|y|n|true|false)$/i.test(text)) {
    report('field/yes-no', place, { field, value: text, meant: /^(?:yes|on|y|true)$/i.test(text) });
  } else if ((wanted === 'number' || wanted === 'int') && number !== undefined) {
    report('field/unit', place, { field, value: text, meant: String(Number(number)) });
  } else {
    report('field/type', place, { field, expected: typeName(wanted), found: describe(value) });
  }
}

/** The branch of a union that was meant: the one whose complaint lies deepest. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((issues) => issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0));
}

/** The fields that an object nested in a field may have. */
function knownKeys(schema: z.ZodType, path: Path): string[] {
  const def = schema.def as {
    type: string;
    innerType?: z.ZodType;
    element?: z.ZodType;
    options?: z.ZodType[];
    shape?: z.ZodRawShape;
  };
  if (def.innerType !== undefined) return knownKeys(def.innerType, path);
  if (def.options !== undefined) return def.options.flatMap((option) => knownKeys(option, path));
  const [step, ...rest] = path;
  if (def.element !== undefined) return knownKeys(def.element, rest);
  if (def.shape === undefined) return [];
  return step === undefined ? Object.keys(def.shape) : knownKeys(def.shape[String(step)] as z.ZodType, rest);
}

/** `cors.allowed_origins[0]` */
function fieldName(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a group of `field: value` lines',
};

function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group of `field: value` lines';
  return `the ${typeof value === 'string' ? 'text' : 'value'} ${quote(value)}`;
}

function measure(value: unknown): string {
  if (typeof value === 'string') return `${value.length} characters long`;
  if (Array.isArray(value)) return `${value.length} entries long`;
  return String(value);
}

function limit(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const [word, bound] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' entries long' : '';
  return `${word} ${bound.toLocaleString('en')}${unit}`;
}
