import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup } from '../../document/html.ts';

/** Why the last change is not built. */
export interface Problems {
  /** The diagnostics, as the terminal prints them. */
  text: string;
  errors: number;
  /** Whether there is an earlier build. */
  isServed: boolean;
}

/** Shows the errors that prevent a build, above the page. @param isBrief - whether they are counted, and listed on another page */
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

/** The box is focusable because it scrolls. */
export function diagnosticsBox(text: string, label: string): Markup {
  return markup`<pre class="diagnostics" tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

/** The number of diagnostics of a theme, with a link to them; empty for none. */
export function diagnosticsBadge(diagnostics: readonly Diagnostic[], path: string): Markup | string {
  if (diagnostics.length === 0) return '';
  const kind = diagnostics.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  return markup`<a class="badge ${kind}" href="${path}#diagnostics">${diagnosticsCount(diagnostics)}</a>\n`;
}

/** `1 error, 2 warnings`; empty for none. */
export function diagnosticsCount(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning'] as const).map((severity) => {
    const n = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return n === 0 ? [] : count(n, severity);
  });
  return counts.flat().join(', ');
}
