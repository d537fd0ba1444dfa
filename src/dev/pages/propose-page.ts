import { count } from '../../diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../document/html.ts';
import type { GalleryContent } from './content.ts';
import type { Proposal } from '../../changes/proposal.ts';
import { DEV_PATHS, layout } from './layout.ts';

/** How the last push ended. */
export interface PushResult {
  branch: string;
  ok: boolean;
  /** The text of Git and of the server. */
  output: string;
  /** The page of the Git host that opens the pull request. */
  link: string | undefined;
}

/** The page that proposes the changes of the themes. @param proposal - or why there can be none */
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
<p class="about">Commits the changes of the themes to a branch, and pushes it. Then you open the pull request on your Git host. No file of your folder is written.</p></div>
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
  const leave = markup`<form action="${DEV_PATHS.propose}/back" data-send>Start the next proposal from <code>${back ?? ''}</code>: your folder then shows the themes as they are there. <button class="quiet">Back to ${back ?? ''}</button></form>\n`;
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
<p class="about">Hooks, signing programs, credential helpers and the <code>core.sshCommand</code> of this repository do not run. It only says who the author is, what the remote is, and which filters apply. You are signed in to the remote by your own settings of Git and ssh.</p>
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
