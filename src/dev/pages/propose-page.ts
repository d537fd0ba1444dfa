import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../document/html.ts';
import type { GalleryContent } from './content.ts';
import type { Proposal } from '../../changes/proposal.ts';
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

/** Returns the page for proposing the changes. @param proposal - the proposal, or the reason if it is not possible */
export function proposePage(
  proposal: Proposal | string,
  result: ProposalResult | undefined,
  content: GalleryContent,
): string {
  return layout(
    {
      title: 'Propose changes',
      path: DEV_PATHS.propose,
      main: markup`<div class="title"><h1>Propose changes</h1>
<p class="about">Commits the changes of the themes to a branch, and pushes it: by your Git, with its hooks, signing, Git LFS and sign-in. You then open the pull request on your Git host.</p></div>
<div id="propose" data-part>
${result === undefined ? '' : resultBox(result)}${typeof proposal === 'string' ? markup`<p class="notice">${prose(proposal)}</p>\n` : parts(proposal, result)}</div>
`,
    },
    content,
  );
}

function parts(proposal: Proposal, result: ProposalResult | undefined): Markup {
  const { files, branch, isFollowUp, hasCommit, back, pushed, parent } = proposal;
  const isPushed = pushed === parent || (result?.state === 'pushed' && result.commit === parent);
  const unpushed = markup`<form action="${DEV_PATHS.propose}/push" data-send>The last commit on <code>${branch}</code> is not pushed, as far as this repository knows. <button>Push again</button></form>\n`;
  const empty = markup`<p class="notice"><code>${branch}</code> has no commit that <code>${back ?? ''}</code> lacks.</p>\n`;
  const unchanged = markup`<p class="notice">Nothing has changed since the last commit on <code>${isFollowUp ? branch : 'this branch'}</code>.</p>\n`;
  return markup`${isFollowUp && !hasCommit ? empty : ''}${files.length === 0 ? unchanged : ''}${hasCommit && !isPushed ? unpushed : ''}${back !== undefined && (files.length === 0 || !hasCommit) ? backForm(back, hasCommit) : ''}${files.length > 0 ? form({ ...proposal, message: result?.message ?? proposal.message }) : ''}`;
}

function backForm(back: string, hasCommit: boolean): Markup {
  const effect = hasCommit ? 'your folder then has the themes of that branch' : 'your changes stay uncommitted';
  return markup`<form action="${DEV_PATHS.propose}/back" data-send><input type="hidden" name="back" value="${back}">Start the next proposal from <code>${back}</code>: ${effect}. <button class="quiet">Back to ${back}</button></form>\n`;
}

function form({ files, branch, isFollowUp, hasCommit, message, author, remote, shownUrl, digest }: Proposal): Markup {
  return markup`<form class="proposal" action="${DEV_PATHS.propose}" data-send>
<input type="hidden" name="digest" value="${digest}">
<h2>${count(files.length, 'file')}</h2>
<ul>
${files.map(({ name, kind }) => markup`<li><code>${name}</code> ${kind}</li>\n`)}</ul>
<div class="entry"><label for="message">Message</label><input id="message" name="message" value="${message}" required maxlength="200" autocomplete="off"></div>
<ul>
<li>Branch: <code>${branch}</code>${isFollowUp ? (hasCommit ? ', which has your proposal' : '') : ', a new one'}</li>
<li>Author: ${author}</li>
<li>Pushed to: <code>${remote}</code>, ${shownUrl}</li>
</ul>
<button class="main">${hasCommit ? 'Add to the proposal' : 'Propose'}</button>
</form>
`;
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
  return markup`<div class="notice"><p>${lines[state]}</p>
<pre class="diagnostics" tabindex="0" role="region" aria-label="Output of Git">${output}</pre></div>
`;
}
