import { z } from 'zod';
import { catalogue, type Code } from '../diagnostics/catalogue.ts';
import { distinct } from '../source/validate.ts';
import { ANY_IMAGE_FIELDS, type AnyImageField } from './fields/fields.ts';

/** The codes of warnings about images. */
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

/** The schema of `accept` in theme.yaml: codes of warnings, by field. */
export const acceptSchema = z.strictObject(imageFields).partial();

/** Checks whether a theme can accept a warning about one of its fields. */
export function isAcceptable(field: string, code: string): boolean {
  return acceptSchema.safeParse({ [field]: [code] }).success;
}

/** Returns `accept` with another entry. @param before - the value in theme.yaml */
export function withAccepted(before: unknown, field: string, code: string): Readonly<Record<string, unknown>> {
  const entries = typeof before === 'object' && before !== null ? (before as Record<string, unknown>) : {};
  const codes: unknown[] = Array.isArray(entries[field]) ? entries[field] : [];
  return { ...entries, [field]: [...new Set([...codes, code])] };
}
