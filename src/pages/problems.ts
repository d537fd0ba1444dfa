import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatText, type TextOf } from '../diagnostics/format-text.ts';
import { count } from '../diagnostics/quote.ts';
import { type Markup, markup } from '../document/html.ts';

/** What is said above the diagnostics of a build that failed; the script says it too. */
export const PROBLEMS = {
  title: 'The last change is not shown',
  about: 'It has errors. You see the last good build until they are mended.',
  aboutNothing: 'There are errors, and no good build yet. Once they are mended, it is shown.',
} as const;

/** The diagnostics that keep the last change from being shown. @param build - number of the one that is shown; 0 for none */
export function problemsBox(text: string, build: number): Markup {
  return markup`<section class="problems" aria-labelledby="problems" data-problems>
<h2 id="problems">${PROBLEMS.title}</h2>
<p>${build === 0 ? PROBLEMS.aboutNothing : PROBLEMS.about}</p>
${diagnosticsText(text, 'Errors of the last change')}
</section>
`;
}

/** Diagnostics as the terminal has them. */
export function diagnosticsBox(diagnostics: readonly Diagnostic[], textOf: TextOf): Markup {
  return diagnosticsText(formatText(diagnostics, textOf, false), 'Diagnostics');
}

/** The box can be focused, because it scrolls. */
function diagnosticsText(text: string, label: string): Markup {
  return markup`<pre class="diagnostics" tabindex="0" role="region" aria-label="${label}">${text.trimEnd()}</pre>`;
}

/** How many diagnostics a theme has, linked to them; nothing for none. */
export function diagnosticsBadge(diagnostics: readonly Diagnostic[], path: string): Markup | string {
  if (diagnostics.length === 0) return '';
  const kind = diagnostics.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  return markup`<a class="badge ${kind}" href="${path}#diagnostics">${diagnosticsCount(diagnostics)}</a>\n`;
}

/** `1 error, 2 warnings`; nothing for none. */
export function diagnosticsCount(diagnostics: readonly Diagnostic[]): string {
  return (['error', 'warning'] as const)
    .map((severity) => ({ severity, n: diagnostics.filter((diagnostic) => diagnostic.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => count(n, severity))
    .join(', ');
}
