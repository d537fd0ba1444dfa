import { z } from 'zod';
import { catalogue, type Code } from '../diagnostics/catalogue.ts';
import { distinct } from '../source/validate.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField } from './fields.ts';

/** The codes of the warnings about the values of fields. */
function warningsAbout(prefix: RegExp): Code[] {
  const codes = Object.keys(catalogue) as Code[];
  return codes.filter(
    // That one is about a file that no field names.
    (code) => catalogue[code].severity === 'warning' && prefix.test(code) && code !== 'image/unused',
  );
}

function codesSchema(prefix: RegExp): z.ZodType<string[]> {
  const isError = (code: unknown): boolean => catalogue[code as Code]?.severity === 'error';
  const code = z.enum(warningsAbout(prefix), {
    error: ({ input }) => (isError(input) ? 'Fix it: only warnings can be accepted.' : undefined),
  });
  return distinct(z.array(code).min(1));
}

const imageCodes = codesSchema(/^(?:image|svg)\//);
const imageFields = Object.fromEntries(ANY_IMAGE_FIELDS.map((field) => [field, imageCodes])) as Record<
  AnyImageField,
  typeof imageCodes
>;

/** `accept` of theme.yaml: codes of warnings by field. */
export const acceptSchema = z.strictObject({ ...imageFields, palette_preview: codesSchema(/^palette\//) }).partial();

/** Whether a theme can accept a warning about one of its fields. */
export function isAcceptable(field: string, code: string): boolean {
  return acceptSchema.safeParse({ [field]: [code] }).success;
}

/** `accept` with one entry more. @param before - as it is written */
export function withAccepted(before: unknown, field: string, code: string): Readonly<Record<string, unknown>> {
  const entries = typeof before === 'object' && before !== null ? (before as Record<string, unknown>) : {};
  const codes: unknown[] = Array.isArray(entries[field]) ? entries[field] : [];
  return { ...entries, [field]: [...new Set([...codes, code])] };
}
