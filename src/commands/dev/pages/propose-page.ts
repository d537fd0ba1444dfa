import type { FileChange, Proposal, ProposalParts } from '../../changes/proposal.ts';
import { compact } from '../../../core/diagnostics/compact.ts';
import { count } from '../../../core/diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../../core/document/page/html.ts';
import { logoOf } from '../../../core/document/logo-choice.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { DEV_PATHS, layout } from './layout.ts';

/** How a proposal ended. */
export interface ProposalResult {
  state: 'refused' | 'committed' | 'pushed';
  branch: string;
  /** What Git, its hooks and the server printed. */
  output: string;
  /** The message of a refused commit. */
  message?: string;
  /** The last commit of the branch. */
  commit?: string | undefined;
  /** The page of the Git host for opening the pull request. */
  link?: string | undefined;
}

/** What can be proposed. */
interface Choice {
  parts: ProposalParts | undefined;
  /** The theme that each changed theme is based on. */
  bases: ReadonlyMap<string, string | undefined>;
  /** The themes that have changed since the server started; they are chosen. */
  touched: ReadonlySet<string>;
}

/** Returns the page for proposing the changes. @param proposal - the proposal, or the reason if it is not possible */
export function proposePage(
  proposal: Proposal | string,
  choice: Choice,
  result: ProposalResult | undefined,
  content: GalleryContent,
): string {
  return layout(
    {
      title: 'Propose changes',
      path: DEV_PATHS.propose,
      main: markup`<div class="title"><h1>Propose changes</h1>
<p class="about">Commits themes to a branch, and pushes it by your Git. You then open the pull request on your Git host.</p></div>
<div id="propose" data-part>
${result === undefined ? '' : resultBox(result)}${typeof proposal === 'string' ? markup`<p class="notice">${prose(proposal)}</p>\n` : sections(proposal, choice, result, content)}</div>
`,
    },
    content,
  );
}

function sections(
  proposal: Proposal,
  choice: Choice,
  result: ProposalResult | undefined,
  content: GalleryContent,
): Markup {
  const { branch, isFollowUp, hasCommit, back, pushed, parent } = proposal;
  const hasParts = choice.parts !== undefined && choice.parts.themes.size + choice.parts.site.length > 0;
  const isPushed = pushed === parent || (result?.state === 'pushed' && result.commit === parent);
  const unpushed = markup`<form action="${DEV_PATHS.propose}/push" data-send>The last commit on <code>${branch}</code> is not pushed, as far as this repository knows. <button>Push again</button></form>\n`;
  const empty = markup`<p class="notice"><code>${branch}</code> has no commit that <code>${back ?? ''}</code> lacks.</p>\n`;
  const unchanged = markup`<p class="notice">Nothing has changed since the last commit${isFollowUp ? markup` on <code>${branch}</code>` : ''}.</p>\n`;
  return markup`${isFollowUp && !hasCommit ? empty : ''}${hasParts ? '' : unchanged}${hasCommit && !isPushed ? unpushed : ''}${back === undefined ? '' : backForm(back, hasCommit)}${hasParts ? form({ ...proposal, message: result?.message ?? proposal.message }, choice, content) : ''}`;
}

function backForm(back: string, hasCommit: boolean): Markup {
  const effect = hasCommit
    ? 'your folder then has the themes of that branch, and what you have not proposed'
    : 'your changes stay uncommitted';
  return markup`<form action="${DEV_PATHS.propose}/back" data-send><input type="hidden" name="back" value="${back}">Start the next proposal from <code>${back}</code>: ${effect}. <button class="quiet">Back to ${back}</button></form>\n`;
}

function form(proposal: Proposal, { parts, bases, touched }: Choice, { themes }: GalleryContent): Markup {
  const { branch, isFollowUp, hasCommit, message, author, remote, shownUrl, digest } = proposal;
  const { themes: changed, site, leftOut } = parts ?? { themes: new Map(), site: [], leftOut: [] };
  const rows = [...changed].map(([slug, files]) => {
    const base = bases.get(slug);
    const theme = themes.find((candidate) => candidate.slug === slug);
    return themeRow(slug, theme, files, touched.has(slug), base !== undefined && changed.has(base) ? base : undefined);
  });
  return markup`<form class="proposal" action="${DEV_PATHS.propose}" data-send>
<input type="hidden" name="digest" value="${digest}">
<ul class="choices">
${rows}${site.length === 0 ? '' : siteRow(site)}</ul>
${leftOut.length === 0 ? '' : markup`<p class="about">Left out, because no build reads ${leftOut.length === 1 ? 'it' : 'them'}: ${leftOut.map(({ name }) => markup`<code>${name}</code> `)}</p>\n`}<div class="entry"><label for="message">Message</label><input id="message" name="message" value="${message}" required maxlength="200" autocomplete="off"></div>
<dl>
<dt>Branch</dt><dd><code>${branch}</code>${isFollowUp ? (hasCommit ? ', which has your proposal' : '') : ', a new one'}</dd>
<dt>Author</dt><dd>${author}</dd>
<dt>Pushed to</dt><dd><code>${remote}</code>, ${shownUrl}</dd>
</dl>
<button class="main">${hasCommit ? 'Add to the proposal' : 'Propose'}</button>
</form>
`;
}

/** Returns a row with a theme's logo, name and problems. A theme with errors cannot be chosen. */
function themeRow(
  slug: string,
  theme: GalleryTheme | undefined,
  files: readonly FileChange[],
  isTouched: boolean,
  base: string | undefined,
): Markup {
  const hasErrors = theme?.diagnostics.some(({ severity }) => severity === 'error') === true;
  const warnings = theme?.diagnostics.length ?? 0;
  const note = hasErrors
    ? 'has errors: fix them first'
    : compact([
        files.every(({ kind }) => kind === 'removed') && 'deleted',
        count(files.length, 'file'),
        warnings > 0 && count(warnings, 'warning'),
        base !== undefined && `with ${base}, which it is based on`,
      ]).join(', ');
  const logo = (mode: 'light' | 'dark') =>
    theme === undefined || theme.missing.size > 0
      ? markup`<i class="${mode}"></i>`
      : markup`<i class="${mode}"><img src="${theme.record[logoOf(theme.record, mode, 'logo')]}" alt="" width="64" height="36"></i>`;
  return markup`<li><label><input type="checkbox" name="theme-${slug}" value="on"${isTouched && !hasErrors ? markup` checked` : ''}${hasErrors ? markup` disabled` : ''}> <span class="sw">${logo('light')}${logo('dark')}</span> <span><b>${theme?.record.name ?? slug}</b> <small${hasErrors ? markup` class="error"` : ''}>${note}</small></span></label>${fileList(files)}</li>
`;
}

function siteRow(files: readonly FileChange[]): Markup {
  return markup`<li><label><input type="checkbox" name="site" value="on"> <span><b>Settings of the site, and users</b> <small>${count(files.length, 'file')}</small></span></label>${fileList(files)}</li>
`;
}

function fileList(files: readonly FileChange[]): Markup {
  return markup`<details><summary>Files</summary><ul>${files.map(({ name, kind }) => markup`<li><code>${name}</code> ${kind}</li>`)}</ul></details>`;
}

function resultBox({ state, branch, output, link }: ProposalResult): Markup {
  const next =
    link === undefined
      ? markup`Open the pull request on your Git host.`
      : markup`<a class="button" href="${link}" target="_blank" rel="noreferrer">Open the pull request</a>`;
  const lines = {
    refused: markup`Nothing was committed:`,
    committed: markup`<code>${branch}</code> is committed, but could not be pushed:`,
    pushed: markup`<code>${branch}</code> is pushed. ${next}`,
  };
  const printed = markup`<pre class="diagnostics" tabindex="0" role="region" aria-label="Output of Git">${output}</pre>`;
  return markup`<div class="notice"><p>${lines[state]}</p>
${state === 'pushed' ? markup`<details><summary>How it was pushed</summary>${printed}</details>` : printed}</div>
`;
}
