import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../document/html.ts';
import type { GalleryContent } from './content.ts';
import type { Proposal } from '../../changes/proposal.ts';
import { DEV_PATHS, layout } from './layout.ts';

export interface PushResult {
  branch: string;
  ok: boolean;
  /** The output of Git and of the server. */
  output: string;
  /** The page of the Git host for opening the pull request. */
  link: string | undefined;
}

/** Returns the page for proposing the changes. @param proposal - the proposal, or the reason if it is not possible */
export function proposePage(
  proposal: Proposal | string,
  result: PushResult | undefined,
  content: GalleryContent,
): string {
  return layout(
    {
      title: 'Propose changes',
      path: DEV_PATHS.propose,
      main: markup`<div class="title"><h1>Propose changes</h1>
<p class="about">Commits the changes of the themes to a branch, and pushes it. You then open the pull request on your Git host. No file in your folder is changed.</p></div>
<div id="propose" data-part>
${result === undefined ? '' : resultBox(result)}${typeof proposal === 'string' ? markup`<p class="notice">${prose(proposal)}</p>\n` : parts(proposal)}</div>
`,
    },
    content,
  );
}

function parts(proposal: Proposal): Markup {
  const { files, branch, isFollowUp, back, pushed, parent } = proposal;
  if (files.length > 0) return form(proposal);
  const push = markup`<form action="${DEV_PATHS.propose}/push" data-send>The commits on <code>${branch}</code> are not pushed yet. <button>Push</button></form>\n`;
  const leave = markup`<form action="${DEV_PATHS.propose}/back" data-send>Start the next proposal from <code>${back ?? ''}</code>: your folder then has the themes of that branch. <button class="quiet">Back to ${back ?? ''}</button></form>\n`;
  return markup`<p class="notice">Nothing has changed since the last commit on <code>${isFollowUp ? branch : 'this branch'}</code>.</p>
${isFollowUp && pushed !== parent ? push : ''}${isFollowUp && back !== undefined ? leave : ''}`;
}

function form({ files, branch, isFollowUp, message, author, remote, shownUrl, filters, digest }: Proposal) {
  const programs = filters.map(
    ({ name, command, files: filtered }) =>
      markup`<li>The filter <code>${name}</code> runs <code>${command}</code> on ${count(filtered.length, 'file')}.</li>\n`,
  );
  return markup`<form class="proposal" action="${DEV_PATHS.propose}" data-send>
<input type="hidden" name="digest" value="${digest}">
<h2>${count(files.length, 'file')}</h2>
<ul>
${files.map(({ name, kind }) => markup`<li><code>${name}</code> ${kind}</li>\n`)}</ul>
<div class="entry"><label for="message">Message</label><input id="message" name="message" value="${message}" required maxlength="200" autocomplete="off"></div>
<ul>
<li>Branch: <code>${branch}</code>${isFollowUp ? ', which has your proposal' : ', a new one'}</li>
<li>Author: ${author}</li>
<li>Pushed to: <code>${remote}</code>, ${shownUrl}</li>
${programs}</ul>
<p class="about">Hooks, signing programs, credential helpers and the <code>core.sshCommand</code> of this repository do not run. Only the author, the remote and the filters come from it. You sign in to the remote with your own settings of Git and ssh.</p>
<button class="main">${isFollowUp ? 'Add to the proposal' : 'Propose'}</button>
</form>
`;
}

function resultBox({ branch, ok, output, link }: PushResult): Markup {
  const next =
    link === undefined
      ? markup`Open the pull request on your Git host.`
      : markup`<a class="button" href="${link}" target="_blank" rel="noreferrer">Open the pull request</a>`;
  return markup`<div class="notice"><p>${ok ? markup`<code>${branch}</code> is pushed. ${next}` : markup`<code>${branch}</code> is committed, but could not be pushed:`}</p>
${ok && link !== undefined ? '' : markup`<pre class="diagnostics" tabindex="0" role="region" aria-label="Output of Git">${output}</pre>`}</div>
`;
}
