import type { Diagnostic } from './diagnostic.ts';
import { count, visible } from './quote.ts';

/** Maximum number of annotations of each severity that GitHub shows for a step. */
const MAX_ANNOTATIONS = 10;

/**
 * Formats diagnostics as workflow commands of GitHub Actions, errors first; a last notice has the number that GitHub will not show.
 * @see https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  const of = (severity: Diagnostic['severity']): Diagnostic[] =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity);
  const [errors, warnings] = [of('error'), of('warning')];
  const hidden = Math.max(0, errors.length - MAX_ANNOTATIONS) + Math.max(0, warnings.length - MAX_ANNOTATIONS);
  const lines = [...errors, ...warnings].map(command);
  if (hidden > 0)
    lines.push(`::notice::${count(hidden, 'more diagnostic')} ${hidden === 1 ? 'is' : 'are'} in the log of this step`);
  return lines.map((line) => `${line}\n`).join('');
}

function command({ severity, code, message, hint, location: { file, start, end } }: Diagnostic): string {
  const place = {
    file: visible(file),
    ...(start === undefined ? {} : { line: start.line, col: start.column }),
    ...(end === undefined || end.line !== start?.line ? {} : { endColumn: end.column }),
    title: code,
  };
  const properties = Object.entries(place).map(
    ([key, value]) => `${key}=${escape(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${severity} ${properties.join(',')}::${escape(hint === undefined ? message : `${message}\n${hint}`)}`;
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
