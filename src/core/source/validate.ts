import { z } from 'zod';
import type { Report } from '../diagnostics/diagnostic.ts';
import { quoteList } from '../diagnostics/quote.ts';
import { suggest, suggestByWords } from '../diagnostics/suggest.ts';
import type { Path } from './places.ts';
import { isEntryOf, knownKeys } from './schema-parts.ts';
import { actionFor, actionForLimit, describe, hintOf, limit, measure, plainValue, typeName } from './wording.ts';
import type { SourceDocument } from './yaml.ts';

/** The message of a failed refinement: the rule, as it follows "must be", and a valid example. */
interface Expectation {
  expected: string;
  example: string;
}

/** Returns the second argument of `refine()`. */
export function expects(expected: string, example: string): { params: Expectation & Record<string, string> } {
  return { params: { expected, example } };
}

/** Returns the schema of a string that matches a regular expression. zod's own `regex()` cannot carry an expectation. */
export function pattern(regex: RegExp, expected: string, example: string): z.ZodString {
  return z
    .string()
    .refine((text) => regex.test(text), expects(expected, example))
    .meta({ pattern: regex.source });
}

/** Adds a check for duplicates to a list. */
export function distinct<T extends z.ZodArray>(list: T): T {
  return list
    .superRefine((entries, context) => {
      const seen = new Set<unknown>();
      entries.forEach((entry, index) => {
        if (seen.has(entry)) context.addIssue({ code: 'custom', path: [index], params: { repeated: true } });
        seen.add(entry);
      });
    })
    .meta({ uniqueItems: true });
}

export interface ValidFields<S extends z.ZodRawShape> {
  /** The fields that are present and valid. */
  values: { [K in keyof S]?: z.output<S[K]> & {} };
  /** Fields that are invalid, or probably present under a misspelt name: they are not reported as missing too. */
  invalid: ReadonlySet<string>;
}

/** Checks each field of a document separately, so that an invalid field does not hide errors in other fields. */
export function validateFields<S extends z.ZodRawShape>(
  shape: S,
  document: SourceDocument,
  report: Report,
): ValidFields<S> {
  const fields = Object.keys(shape);
  const values: Record<string, unknown> = {};
  const invalid = new Set<string>();
  const [only, ...others] = Object.entries(document.data);
  if (only !== undefined && others.length === 0 && isNestedFile(only, fields)) {
    report('yaml/nested', document.keyAt([only[0]]), { key: only[0] });
    return { values: {}, invalid: new Set(fields) };
  }
  for (const field of Object.keys(document.data)) {
    const schema = Object.hasOwn(shape, field) ? (shape[field] as z.ZodType) : undefined;
    if (schema === undefined) {
      const absent = fields.filter((name) => !Object.hasOwn(document.data, name) && !invalid.has(name));
      const meant = suggest(field, fields) ?? suggestByWords(field, absent);
      if (meant !== undefined) invalid.add(meant);
      if (!document.isReported([field])) reportUnknown([field], fields, meant, document, report);
      continue;
    }
    if (document.data[field] === undefined) {
      invalid.add(field); // the parser has reported it
      continue;
    }
    const result = schema.safeParse(document.data[field]);
    if (result.success) {
      if (result.data !== undefined) values[field] = result.data;
      continue;
    }
    invalid.add(field);
    reportIssues(result.error.issues, [field], { schema, document, report });
  }
  return { values: values as ValidFields<S>['values'], invalid };
}

/** Whether the only field of a file is unknown, and contains known ones. */
function isNestedFile([key, value]: [string, unknown], fields: readonly string[]): boolean {
  const inner = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return !fields.includes(key) && inner.filter((field) => fields.includes(field)).length > 1;
}

type Issue = z.core.$ZodIssue;

/** A schema, the document that it checks, and the function that reports issues. */
interface FieldCheck {
  schema: z.ZodType;
  document: SourceDocument;
  report: Report;
}

/** Reports the issues of a field, except issues that follow from others. */
function reportIssues(issues: readonly Issue[], parent: Path, checking: FieldCheck): void {
  const misspelt = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const path = [...parent, ...issue.path];
    for (const key of issue.keys)
      misspelt.add(fieldName([...path, suggest(key, knownKeys(checking.schema, path.slice(1))) ?? '']));
  }
  const reported = new Set<string>();
  for (const issue of issues) {
    const path = [...parent, ...issue.path];
    const name = fieldName(path);
    const isSecond = issue.code !== 'unrecognized_keys' && reported.has(name);
    if (isSecond || misspelt.has(name) || checking.document.isReported(path)) continue;
    reported.add(name);
    reportIssue(issue, path, checking);
  }
}

function reportIssue(issue: Issue, path: Path, checking: FieldCheck): void {
  const { document, report } = checking;
  const field = fieldName(path);
  const value = valueOf(document, path);
  const place = document.valueAt(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      for (const key of issue.keys) {
        const names = knownKeys(checking.schema, path.slice(1));
        reportUnknown([...path, key], names, suggest(key, names), document, report);
      }
      return;
    case 'invalid_union': {
      const branch = closestBranch(issue.errors);
      if (value === undefined) reportMissing(path, issue.message, checking);
      else if (branch === undefined) reportType(path, 'union', issue.message, value, checking);
      else reportIssues(branch, path, checking);
      return;
    }
    case 'invalid_type':
      if (value === undefined) reportMissing(path, typeName(issue.expected), checking);
      else reportType(path, issue.expected, typeName(issue.expected), value, checking, hintOf(issue));
      return;
    case 'invalid_value':
      reportValue(path, issue.values.map(String), value, checking);
      return;
    case 'too_small':
    case 'too_big': {
      const measured = measure(value, document.sourceAt(path));
      report('field/range', place, { field, value: measured, limit: limit(issue), action: actionForLimit(issue) });
      return;
    }
    case 'custom':
      if (issue.params?.['repeated'] === true) report('field/repeated', place, { value });
      else report('field/format', place, { field, value, ...(issue.params as unknown as Expectation) });
      return;
    default:
      throw new Error(`Bug: there is no diagnostic for the issue ${issue.code} of ${field}.`);
  }
}

/** Names under which people keep secrets. */
const SECRET_NAME =
  /(?:^|[_-])(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|private[_-]?key|credentials?)(?:$|[_-])/i;

function reportUnknown(
  path: Path,
  allowedFields: readonly string[],
  suggestion: string | undefined,
  document: SourceDocument,
  report: Report,
): void {
  if (SECRET_NAME.test(String(path.at(-1)))) {
    const { file, start } = document.keyAt(path);
    report('file/secret', { file }, { line: start?.line ?? 1, field: fieldName(path) });
    return;
  }
  const siblings = valueOf(document, path.slice(0, -1)) as object;
  const isTaken = suggestion !== undefined && Object.hasOwn(siblings, suggestion);
  report('field/unknown', document.keyAt(path), { field: fieldName(path), suggestion, isTaken, known: allowedFields });
}

/** Reports a value that is not in a list of values. */
function reportValue(path: Path, allowed: string[], value: unknown, checking: FieldCheck): void {
  if (value === undefined) reportMissing(path, quoteList(allowed, 'or'), checking);
  else if (typeof value !== 'string') reportType(path, 'string', 'text', value, checking);
  else {
    const { document, report } = checking;
    const args = { field: fieldName(path), value, allowed, suggestion: suggest(value, allowed), listedAt: undefined };
    report('field/value', document.valueAt(path), args);
  }
}

function reportMissing(path: Path, expected: string, { document, report }: FieldCheck): void {
  const action = `Add \`${String(path.at(-1))}: …\`; it must be ${expected}.`;
  report('field/missing', document.keyAt(path), { fields: [fieldName(path)], action });
}

function reportType(
  path: Path,
  type: string,
  expected: string,
  value: unknown,
  { schema, document, report }: FieldCheck,
  hint?: string,
): void {
  const source = document.sourceAt(path);
  const list = type === 'array' && isEntryOf(schema, value);
  const names = type === 'object' ? knownKeys(schema, path.slice(1)) : [];
  const fields =
    names.length > 0 ? `Write its fields (${names.join(', ')}) below it, each indented by two spaces.` : undefined;
  const action =
    (typeof value === 'string' ? plainValue(type, value.trim()) : undefined) ??
    (list ? `Write a list, even of one entry: \`[${source}]\`.` : undefined) ??
    hint ??
    fields ??
    actionFor(type, value, source, typeof path.at(-1) === 'number');
  report('field/type', document.valueAt(path), { field: fieldName(path), expected, found: describe(value), action });
}

/** Returns the branch of a union that was probably meant, with the fewest unknown keys and issues; undefined if every type is wrong. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const unknown = (issues: readonly Issue[]): number =>
    issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
  return branches
    .filter((issues) => issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0))
    .toSorted((a, b) => unknown(a) - unknown(b) || a.length - b.length)[0];
}

function valueOf({ data }: SourceDocument, path: Path): unknown {
  return path.reduce<unknown>((within, step) => (within as Record<PropertyKey, unknown> | undefined)?.[step], data);
}

/** Formats a path as in messages: `cors.allowed_origins[0]`. */
function fieldName(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
}
