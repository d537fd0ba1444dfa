import type { z } from 'zod';
import { count, inQuotes, quote } from '../diagnostics/quote.ts';

type LimitIssue = Extract<z.core.$ZodIssue, { code: 'too_small' | 'too_big' }>;

/** Returns the hint (`error`) of a schema for a value of the wrong type; undefined if there is only zod's own message. */
export function hintOf({ message }: z.core.$ZodIssue): string | undefined {
  return /^Invalid (?:input|option)/.test(message) ? undefined : message;
}

/** Returns what to write for a text that only looks right, such as `yes` in YAML 1.2, or `40px`. */
export function plainValue(type: string, text: string): string | undefined {
  if (type === 'boolean' && /^(?:yes|no|on|off|y|n|true|false)$/i.test(text))
    return `Write \`${/^(?:yes|on|y|true)$/i.test(text)}\`, without quotes.`;
  const [, number, unit = ''] = /^(-?\d+)(?:\.\d+)?\s*([a-z]{1,7}|%)?$/i.exec(text) ?? [];
  if (number === undefined || (type !== 'number' && type !== 'int')) return undefined;
  const isExact = /^(?:px|s|sec|seconds?)?$/i.test(unit) && !/^-|\.\d*[1-9]/.test(text);
  return isExact ? `Write \`${Number(number)}\`, without a unit or quotes.` : 'Write a whole number without a unit.';
}

/** Returns a sentence about how to correct a value of the wrong type. */
export function actionFor(type: string, value: unknown, source: string, isEntry: boolean): string {
  if (value === null || value === undefined)
    return /^(?:null|~)$/i.test(source) && type === 'string'
      ? `Write a value; if that is the value, put it in quotes: ${inQuotes(source)}`
      : 'Write a value after the colon or dash, or delete the line.';
  if (type === 'array') {
    return 'Write a list: each entry on a line of its own, after two spaces and `- `.';
  }
  if (type === 'object' || type === 'record') return 'Write its fields below it, each indented by two spaces.';
  if (type === 'boolean') return 'Write `true` or `false`.';
  if (type === 'number' || type === 'int') return 'Write digits only, like `40`.';
  const isColour =
    isEntry && Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'number');
  if (isColour) return `Write it as a colour: "rgb(${value.join(' ')})"`;
  if (typeof value === 'object')
    return /^[[{]/.test(source)
      ? 'Write one value; put it in quotes if it starts with a bracket.'
      : 'Write one value, on the same line.';
  if (isEntry && /^(?:\d{3}){1,2}$/.test(source))
    return `Write a colour with \`#\` and in quotes: ${inQuotes(`#${source}`)}`;
  return `Put it in quotes: ${inQuotes(source)}`;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a group of `field: value` lines',
  record: 'a group of `name: value` lines',
};

export function typeName(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

export function describe(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group of `field: value` lines';
  return typeof value === 'boolean'
    ? quote(value)
    : `the ${typeof value === 'string' ? 'text' : 'number'} ${quote(value)}`;
}

export function measure(value: unknown, source: string): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty';
  if (typeof value === 'string') return `${count(value.length, 'character')} long`;
  if (Array.isArray(value)) return `${count(value.length, 'entry', 'entries')} long`;
  return quote(source);
}

/** Returns a sentence about how to bring a value within its limits. */
export function actionForLimit({ code, origin, ...issue }: LimitIssue): string {
  const bound = Number('minimum' in issue ? issue.minimum : issue.maximum);
  const isShort = code === 'too_small'; // texts and lists may be of any length, but not empty
  if (origin === 'string')
    return isShort ? 'Write a value, or delete the line.' : `Shorten it to ${count(bound, 'character')}.`;
  if (origin === 'array') return isShort ? 'Write an entry, or delete the line.' : `Keep ${bound} of them.`;
  return `Write a number of ${bound} or ${isShort ? 'more' : 'less'}.`;
}

/** Returns the end of a sentence about a limit, after `must`. */
export function limit(issue: LimitIssue): string {
  const [word, bound] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum];
  if (issue.origin === 'string') return `have ${word} ${count(Number(bound), 'character')}`;
  if (issue.origin === 'array') return `have ${word} ${count(Number(bound), 'entry', 'entries')}`;
  return `be ${word} ${bound}`;
}
