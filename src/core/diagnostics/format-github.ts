import type { Diagnostic } from './diagnostic.ts';
import { visible } from './quote.ts';

/**
 * Formats diagnostics as workflow commands of GitHub Actions, errors first: GitHub shows the first ten of each severity.
 * @see https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export function formatGithub(diagnostics: readonly Diagnostic[]): string {
  const [errors, warnings] = (['error', 'warning'] as const).map((severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity),
  );
  return [...(errors ?? []), ...(warnings ?? [])].map((diagnostic) => `${command(diagnostic)}\n`).join('');
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
