import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts';
import { count } from '../../../core/diagnostics/quote.ts';
import { type Markup, markup } from '../../../core/document/page/html.ts';

/** The problems that prevent a build. */
export interface Problems {
  /** The diagnostics, formatted as in the terminal. */
  text: string;
  errors: number;
  /** Whether an earlier build is served. */
  isServed: boolean;
}

/** Returns a box with the errors that prevent a build. @param isBrief - whether to show only their number, and a link */
export function problemsBox(problems: Problems | undefined, isBrief = false): Markup {
  if (problems === undefined) return markup`<div id="problems-part" data-part></div>`;
  const { text, errors, isServed } = problems;
  const title = markup`<h2 id="problems-title">The themes have errors</h2>`;
  const state = isServed
    ? 'Until they are fixed, the last version that built is served.'
    : 'Nothing is served until they are fixed.';
  return markup`<section class="problems" id="problems-part" data-part aria-labelledby="problems-title">
${isBrief ? markup`${title} <p><a href="/">Show ${count(errors, 'error')}</a>. ${state}</p>` : markup`<details open><summary>${title} ${state}</summary>${diagnosticsBox(text, 'Errors')}</details>`}
</section>`;
}

/** Returns a box with diagnostics; it is focusable because it scrolls. */
export function diagnosticsBox(text: string, label: string): Markup {
  return markup`<pre class="diagnostics" tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

/** Returns the reason why a theme cannot be shown at all. */
export function unreadText(diagnostics: readonly Diagnostic[]): string {
  const line = diagnostics.find(({ severity }) => severity === 'error')?.location.start?.line;
  return `Cannot be shown: ${line === undefined ? '`theme.yaml`' : `line ${line}`} has an error`;
}

/** Returns the number of diagnostics of a theme, with a link to them; empty for none. */
export function diagnosticsBadge(diagnostics: readonly Diagnostic[], path: string): Markup | string {
  if (diagnostics.length === 0) return '';
  const kind = diagnostics.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  return markup`<a class="badge ${kind}" href="${path}#diagnostics">${diagnosticsCount(diagnostics)}</a>\n`;
}

/** Returns `1 error, 2 warnings`; empty for none. */
export function diagnosticsCount(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning'] as const).map((severity) => {
    const n = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return n === 0 ? [] : count(n, severity);
  });
  return counts.flat().join(', ');
}
