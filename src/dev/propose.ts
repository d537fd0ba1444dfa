import { readProposal } from '../changes/io/read-proposal.ts';
import type { Proposal } from '../changes/proposal.ts';
import { visibleLines } from '../diagnostics/quote.ts';
import { revParse } from '../git/git.ts';
import { commitFiles, runSteps, undo } from './commit.ts';
import { galleryContent } from './gallery-content.ts';
import { isLoopback } from './guard.ts';
import { DEV_PATHS } from './pages/layout.ts';
import { proposePage, type ProposalResult } from './pages/propose-page.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Context } from './request.ts';

/** The last proposal of each server. */
const results = new WeakMap<Context['session'], ProposalResult>();

const DONE: Reply = { status: 200, json: { location: DEV_PATHS.propose } };

/** Anyone who can reach the server could commit and push in the name of its user. */
const NOT_LOCAL =
  'Changes can be proposed only if `themecast dev` listens on this machine alone. Start it without --listen.';

export async function proposeContent(context: Context): Promise<string> {
  const { session, host } = context;
  const isOpen = host !== undefined && !isLoopback(host);
  const proposal = isOpen ? NOT_LOCAL : await readProposal(session.options.themesDir);
  return proposePage(proposal, results.get(session), galleryContent(context));
}

/** Returns the handler of a POST to `/propose` and below; undefined for another path. */
export function proposeAt(pathname: string): ((payload: Payload, context: Context) => Promise<Reply>) | undefined {
  const action = { '': propose, '/push': pushAgain, '/back': goBack }[pathname.slice(DEV_PATHS.propose.length)];
  if (!pathname.startsWith(DEV_PATHS.propose) || action === undefined) return undefined;
  return async (payload, context) => {
    const { session, host } = context;
    if (host !== undefined && !isLoopback(host)) return reject(403, NOT_LOCAL);
    // Other changes wait for the commit, but not for the push.
    const result = await session.edits.run(async () => {
      const proposal = await readProposal(session.options.themesDir);
      return typeof proposal === 'string' ? reject(409, proposal) : action(proposal, payload);
    });
    if (result instanceof Object && 'status' in result) return result;
    results.set(session, 'root' in result ? await push(result) : result);
    return DONE;
  };
}

/** A commit that is not pushed yet, and what Git has printed. */
type CommitToPush = Pick<Proposal, 'root' | 'branch' | 'remote'> & { output: string };

async function propose(proposal: Proposal, payload: Payload): Promise<CommitToPush | ProposalResult | Reply> {
  if (textOf(payload, 'digest') !== proposal.digest)
    return reject(409, 'The files have changed meanwhile. Reload the page, and review them again.');
  const message = textOf(payload, 'message');
  if (message === '') return reject(400, 'Describe the changes in the message.');
  const { ok, output } = await commitFiles(proposal, proposal.files, message);
  if (ok) return { ...proposal, output };
  return { state: 'refused', branch: proposal.branch, output: visibleLines(output), message };
}

async function pushAgain(proposal: Proposal): Promise<CommitToPush | Reply> {
  return proposal.hasCommit ? { ...proposal, output: '' } : reject(409, 'There is no proposal to push.');
}

/** Returns to the branch that the page named. Git refuses that if it would overwrite an uncommitted file. */
async function goBack(proposal: Proposal, payload: Payload): Promise<Reply> {
  const { root, branch, back, hasCommit, files } = proposal;
  if (back === undefined || textOf(payload, 'back') !== back)
    return reject(409, 'Another branch is checked out now. Reload the page.');
  if (hasCommit && files.length > 0) return reject(409, 'Propose your changes first, or undo them.');
  const { ok, output } = hasCommit
    ? await runSteps(root, [{ args: ['switch', back] }])
    : await undo({ root, from: back, branch }, files);
  return ok ? { status: 200, json: { location: '/' } } : reject(409, output);
}

async function push({ root, branch, remote, output: printed }: CommitToPush): Promise<ProposalResult> {
  const commit = await revParse(root, `refs/heads/${branch}`);
  const { ok, output } = await runSteps(root, [{ args: ['push', '--set-upstream', remote, branch] }]);
  const state = ok ? 'pushed' : 'committed';
  return { state, branch, commit, output: visibleLines(printed + output), link: ok ? linkIn(output) : undefined };
}

/** Returns the page for opening the pull request, which Git hosts print. */
function linkIn(output: string): string | undefined {
  return /^remote:.*?(https?:\/\/\S*(?:pull|merge|compare)\S*)/m.exec(output)?.[1];
}
