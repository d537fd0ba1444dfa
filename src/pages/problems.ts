import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatText, type TextOf } from '../diagnostics/format-text.ts';
import { count } from '../diagnostics/quote.ts';
import { type Markup, markup } from '../document/html.ts';

/** The heading of the diagnostics of a failed build, on the page and in the script. */
export const PROBLEMS = {
  title: 'The last change is not shown',
  about: 'It has errors. Until they are fixed, you see the last successful build.',
  aboutNothing: 'It has errors, and there is no successful build yet. Fix them to see the themes.',
} as const;

/** The diagnostics that prevent a build of the last change. @param build - number of the build that is shown; 0 for none */
export function problemsBox(text: string, build: number): Markup {
  return markup`<section class="problems" aria-labelledby="problems" data-problems>
<h2 id="problems">${PROBLEMS.title}</h2>
<p>${build === 0 ? PROBLEMS.aboutNothing : PROBLEMS.about}</p>
${diagnosticsText(text, 'Errors of the last change')}
</section>
`;
}

/** Diagnostics as the terminal prints them. */
export function diagnosticsBox(diagnostics: readonly Diagnostic[], textOf: TextOf): Markup {
  return diagnosticsText(formatText(diagnostics, textOf, false), 'Diagnostics');
}

/** The box is focusable because it scrolls. */
function diagnosticsText(text: string, label: string): Markup {
  return markup`<pre class="diagnostics" tabindex="0" role="region" aria-label="${label}">${text.trimEnd()}</pre>`;
}

/** The number of diagnostics of a theme, with a link to them; empty for none. */
export function diagnosticsBadge(diagnostics: readonly Diagnostic[], path: string): Markup | string {
  if (diagnostics.length === 0) return '';
  const kind = diagnostics.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  return markup`<a class="badge ${kind}" href="${path}#diagnostics">${diagnosticsCount(diagnostics)}</a>\n`;
}

/** `1 error, 2 warnings`; empty for none. */
export function diagnosticsCount(diagnostics: readonly Diagnostic[]): string {
  return (['error', 'warning'] as const)
    .map((severity) => ({ severity, n: diagnostics.filter((diagnostic) => diagnostic.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => count(n, severity))
    .join(', ');
}
