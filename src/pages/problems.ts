import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatText, type TextOf } from '../diagnostics/format-text.ts';
import { count } from '../diagnostics/quote.ts';
import { type Markup, markup } from '../document/html.ts';

/** What is said above the findings of a build that failed; the script says it too. */
export const PROBLEMS = {
  title: 'The last change is not shown',
  about: 'It has errors. You see the last good build until they are mended.',
  aboutNothing: 'There are errors, and no good build yet. Once they are mended, it is shown.',
} as const;

/** The findings that keep the last change from being shown. @param build - number of the one that is shown; 0 for none */
export function problemsBox(text: string, build: number): Markup {
  return markup`<section class="problems" aria-labelledby="problems" data-problems>
<h2 id="problems">${PROBLEMS.title}</h2>
<p>${build === 0 ? PROBLEMS.aboutNothing : PROBLEMS.about}</p>
${findingsText(text, 'Errors of the last change')}
</section>
`;
}

/** Findings as the terminal has them. */
export function findingsBox(findings: readonly Diagnostic[], textOf: TextOf): Markup {
  return findingsText(formatText(findings, textOf, false), 'Findings');
}

/** The box can be focused, because it scrolls. */
function findingsText(text: string, label: string): Markup {
  return markup`<pre class="findings" tabindex="0" role="region" aria-label="${label}">${text.trimEnd()}</pre>`;
}

/** How many findings a theme has, linked to them; nothing for none. */
export function findingsBadge(findings: readonly Diagnostic[], path: string): Markup | string {
  if (findings.length === 0) return '';
  const kind = findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn';
  return markup`<a class="badge ${kind}" href="${path}#findings">${findingsCount(findings)}</a>\n`;
}

/** `1 error, 2 warnings`; nothing for none. */
export function findingsCount(findings: readonly Diagnostic[]): string {
  return (['error', 'warning'] as const)
    .map((severity) => ({ severity, n: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => count(n, severity))
    .join(', ');
}
