import { z } from 'zod';
import { catalogue, type Code } from '../diagnostics/catalogue.ts';
import { distinct } from '../source/validate.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField } from './fields.ts';

/** The warnings about an image that a field names. */
const WARNINGS = (Object.keys(catalogue) as Code[]).filter(
  (code) => catalogue[code].severity === 'warning' && /^(?:image|svg)\//.test(code) && code !== 'image/unused',
);

const warning = z.enum(WARNINGS, {
  error: ({ input }) =>
    catalogue[input as Code]?.severity === 'error' ? 'Fix it: only warnings can be accepted.' : undefined,
});
const imageCodes = distinct(z.array(warning).min(1));
const imageFields = Object.fromEntries(ANY_IMAGE_FIELDS.map((field) => [field, imageCodes])) as Record<
  AnyImageField,
  typeof imageCodes
>;

/** `accept` of theme.yaml: codes of warnings by field. */
export const acceptSchema = z.strictObject(imageFields).partial();

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
