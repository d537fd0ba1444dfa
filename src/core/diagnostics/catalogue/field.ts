import { didYouMean } from '../suggest.ts';
import { quote, quoteList } from '../quote.ts';
import { error } from './entry.ts';

/** Maximum number of field names in a hint: enough for site.yaml, but not for theme.yaml. */
const MAX_LISTED = 15;

/** Maximum number of accepted values in a message; a hint lists more. */
const MAX_VALUES = 10;

/** Diagnostics about a single field of `theme.yaml` or `site.yaml`. */
export const fieldCatalogue = {
  'field/unknown': error('a field that does not exist', {
    message: ({ field }: UnknownField) => `Unknown field ${quote(field)}.`,
    hint: ({ suggestion, known, isTaken }) =>
      (isTaken ? `Delete it: ${quote(suggestion)} is there already.` : didYouMean(suggestion)) ??
      (known.length > MAX_LISTED
        ? 'Delete it, or look up its name in theme.schema.json.'
        : `The fields here are ${quoteList(known, 'and')}.`),
  }),
  'field/missing': error('a required field that neither the file nor the theme it extends has', {
    message: ({ fields }: { fields: readonly string[]; action: string }) =>
      fields.length === 1
        ? `The field ${quoteList(fields)} is missing.`
        : `The fields ${quoteList(fields, 'and')} are missing.`,
    hint: ({ action }) => action,
  }),
  'field/type': error('a value of the wrong type', {
    message: ({ field, expected, found }: { field: string; expected: string; found: string; action: string }) =>
      `The field ${quote(field)} must be ${expected}, but it is ${found}.`,
    hint: ({ action }) => action,
  }),
  'field/range': error('a number or length that is out of range', {
    message: ({ field, value, limit }: { field: string; value: string; limit: string; action: string }) =>
      `The field ${quote(field)} is ${value}, but it must ${limit}.`,
    hint: ({ action }) => action,
  }),
  'field/value': error('a value that is not one of the accepted values', {
    message: ({ field, value, allowed }: ValueArguments) =>
      `The field ${quote(field)} is ${quote(value)}, ${allowed.length > MAX_VALUES ? 'which is not an accepted value' : `but it must be ${quoteList(allowed)}`}.`,
    hint: ({ suggestion, listedAt, allowed }) => {
      const more =
        listedAt === undefined
          ? undefined
          : `Use one of these; to accept more values, list them under \`${listedAt}\` in site.yaml.`;
      return (
        didYouMean(suggestion) ??
        more ??
        (allowed.length > MAX_VALUES ? `Use ${quoteList(allowed)}.` : 'Use one of these.')
      );
    },
  }),
  'field/format': error('a value in the wrong format', {
    message: ({ field, value, expected }: { field: string; value: unknown; expected: string; example: string }) =>
      `The field ${quote(field)} is ${value === '' ? 'empty' : quote(value)}, but it must be ${expected}.`,
    hint: ({ example }) => `Write it like ${quote(example)}.`,
  }),
  'field/repeated': error('a duplicate entry in a list', {
    message: ({ value }: { value: unknown }) => `This list already contains ${quote(value)}.`,
    hint: () => 'Delete one of the two.',
  }),
};

export interface UnknownField {
  field: string;
  suggestion: string | undefined;
  /** Whether the file already has the suggested field. */
  isTaken?: boolean;
  known: readonly string[];
}

export interface ValueArguments {
  field: string;
  value: string;
  allowed: readonly string[];
  suggestion: string | undefined;
  listedAt: string | undefined;
}
