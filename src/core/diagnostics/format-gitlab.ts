import { createHash } from 'node:crypto';
import type { Diagnostic } from './diagnostic.ts';
import { visible } from './quote.ts';

/**
 * Formats diagnostics as a Code Quality report of GitLab, which recognises earlier ones by their fingerprints.
 * @param folder - the working directory, below the root of the repository
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function formatGitlab(diagnostics: readonly Diagnostic[], folder: string): string {
  const seen = new Map<string, number>();
  const entries = diagnostics.map(({ severity, code, message, hint, location: { file, start } }) => {
    const key = JSON.stringify([code, file, message]);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return {
      description: hint === undefined ? message : `${message} ${hint}`,
      check_name: code,
      fingerprint: createHash('sha256').update(`${key} ${nth}`).digest('hex'),
      severity: severity === 'error' ? 'major' : 'minor',
      location: { path: visible(folder === '' ? file : `${folder}/${file}`), lines: { begin: start?.line ?? 1 } },
    };
  });
  return `${JSON.stringify(entries)}\n`;
}
