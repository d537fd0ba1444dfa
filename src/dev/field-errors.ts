import { type Diagnostic, Diagnostics, type Location, type Report } from '../diagnostics/diagnostic.ts';
import type { SourceDocument } from '../source/yaml.ts';
import { type FieldErrors, NO_FIELD } from './payload.ts';

/** The field at a location in theme.yaml. */
export function fieldAt(document: SourceDocument, { start }: Location): string {
  if (start === undefined) return NO_FIELD;
  const above = Object.keys(document.data).filter((field) => (document.keyAt([field]).start?.line ?? 0) <= start.line);
  return above.at(-1) ?? NO_FIELD;
}

/** Passes on each error as a diagnostic. */
export function reportErrors(onError: (diagnostic: Diagnostic) => void): Report {
  return (code, location, args) => {
    const diagnostics = new Diagnostics();
    diagnostics.report(code, location, args);
    for (const diagnostic of diagnostics.sorted) if (diagnostic.severity === 'error') onError(diagnostic);
  };
}

/** Message and hint as one text. */
export function sentence({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** The same of a file that was sent, with its name and the line, if it has one. */
export function placedSentence(diagnostic: Diagnostic): string {
  const { file, start } = diagnostic.location;
  return `${start === undefined ? '' : `${file}, line ${start.line}: `}${sentence(diagnostic)}`;
}

/** Adds a message to a field, once. */
export function add(errors: FieldErrors, field: string, message: string): void {
  const before = errors.get(field) ?? [];
  if (!before.includes(message)) errors.set(field, [...before, message]);
}
