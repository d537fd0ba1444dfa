import { type Diagnostic, Diagnostics, type Location, type Report } from '../../../core/diagnostics/diagnostic.ts';
import { quote } from '../../../core/diagnostics/quote.ts';
import type { SourceDocument } from '../../../core/source/yaml.ts';
import { type Field, LABELS } from '../../../core/theme/fields/fields.ts';

/** The key of messages about no single field, as in Django REST Framework. */
export const NO_FIELD = 'non_field_errors';

/** Messages by field, or by {@link NO_FIELD}. */
export type FieldErrors = Map<string, string[]>;

/** Adds a message to a field, once. */
export function add(errors: FieldErrors, field: string, message: string): void {
  const before = errors.get(field) ?? [];
  if (!before.includes(message)) errors.set(field, [...before, message]);
}

/** Returns the field at a location in theme.yaml. */
export function fieldAt(document: SourceDocument, { start }: Location): string {
  if (start === undefined) return NO_FIELD;
  const above = Object.keys(document.data).filter((field) => (document.keyAt([field]).start?.line ?? 0) <= start.line);
  return above.at(-1) ?? NO_FIELD;
}

/** Returns a reporter that adds errors to a field, with the line if they have one. */
export function reportTo(errors: FieldErrors, field: string): Report {
  return (code, location, args) => {
    const diagnostics = new Diagnostics();
    diagnostics.report(code, location, args);
    const { file, start } = location;
    const place = start === undefined ? '' : `${file}, line ${start.line}: `;
    for (const diagnostic of diagnostics.sorted)
      if (diagnostic.severity === 'error') add(errors, field, place + sentence(diagnostic));
  };
}

export function notOpaque(colour: string): string {
  return `${quote(colour)} is not an opaque CSS colour. Write it like #0b5fff or navy.`;
}

/** Returns the message of a diagnostic as designers read it: with the labels of fields, not their names. */
export function sentence({ message, hint }: Diagnostic): string {
  return (hint === undefined ? message : `${message} ${hint}`).replaceAll(/`(\w+)`/g, (name, field: string) =>
    Object.hasOwn(LABELS, field) ? `“${LABELS[field as Field]}”` : name,
  );
}
