import { visibleLines } from '../diagnostics/quote.ts';
import { listTree } from '../git/git.ts';
import { commitFiles, GitError, moveHead, pushCommit, runGit } from '../git/write.ts';
import { isLoopback } from './guard.ts';
import { galleryContent } from './gallery-content.ts';
import { DEV_PATHS } from './pages/layout.ts';
import { proposePage, type PushResult } from './pages/propose-page.ts';
import { type Payload, reject, type Reply, textOf } from './payload.ts';
import type { Context } from './request.ts';
import { readProposal } from '../changes/io/read-proposal.ts';
import type { Proposal } from '../changes/proposal.ts';

/** How the last push of each server ended. */
const results = new WeakMap<Context['session'], PushResult>();

const DONE: Reply = { status: 200, json: { location: DEV_PATHS.propose } };

/** A server that others can reach must not commit and push in the name of its user. */
const OTHERS =
  'Changes are proposed only while `themecast dev` listens on this machine alone. Start it without --listen.';

/** The page at `/propose`. */
export async function proposeContent(context: Context): Promise<string> {
  const { session, host } = context;
  const isOpen = host !== undefined && !isLoopback(host);
  const proposal = isOpen ? OTHERS : await readProposal(session.options.themesDir);
  return proposePage(proposal, results.get(session), galleryContent(context));
}

/** Carries out a POST to `/propose` and below. @returns nothing for another path */
export function proposeAt(pathname: string): ((payload: Payload, context: Context) => Promise<Reply>) | undefined {
  const action = { '': propose, '/push': pushAgain, '/back': goBack }[pathname.slice(DEV_PATHS.propose.length)];
  if (!pathname.startsWith(DEV_PATHS.propose) || action === undefined) return undefined;
  return async (payload, context) => {
    const { session, host } = context;
    if (host !== undefined && !isLoopback(host)) return reject(403, OTHERS);
    // A push may take a minute: only the commit keeps other changes waiting.
    const done = await session.edits.run(async () => {
      const proposal = await readProposal(session.options.themesDir);
      return typeof proposal === 'string' ? reject(409, proposal) : action(proposal, payload);
    });
    if (done instanceof Object && 'status' in done) return done;
    const { proposal, commit } = done;
    results.set(session, await push(proposal, commit));
    return DONE;
  };
}

/** A commit to push. */
interface Committed {
  proposal: Proposal;
  commit: string;
}

async function propose(proposal: Proposal, payload: Payload): Promise<Committed | Reply> {
  const { checkout, parent, files, digest, before } = proposal;
  if (textOf(payload, 'digest') !== digest)
    return reject(409, 'The files have changed meanwhile. Reload the page, and look at them again.');
  const message = textOf(payload, 'message');
  if (message === '') return reject(400, 'Write a message that says what has changed.');
  const names = files.map(({ name }) => name);
  try {
    const next = await commitFiles(checkout, parent, names, message);
    if (next === undefined) return reject(409, 'Nothing has changed, once the filters of Git are applied.');
    await moveHead(checkout, { ...proposal, commit: next.commit }, next.entries, before);
    return { proposal, commit: next.commit };
  } catch (error) {
    if (error instanceof GitError) return reject(409, `Nothing was committed. ${error.message}`);
    throw error;
  }
}

async function pushAgain(proposal: Proposal): Promise<Committed | Reply> {
  return proposal.isFollowUp ? { proposal, commit: proposal.parent } : reject(409, 'There is no proposal to push.');
}

/** Checks out the branch that was checked out before, which Git does only if it overwrites no file that is not committed. */
async function goBack({ checkout, files, back }: Proposal): Promise<Reply> {
  if (back === undefined || files.length > 0) return reject(409, 'Propose your changes first, or undo them.');
  // Git LFS must not ask a credential helper that the repository names.
  const quiet = ['-c', 'credential.helper=', 'checkout', '--quiet', '--no-recurse-submodules'];
  const { ok, stderr } = await runGit(checkout, [...quiet, back, '--']);
  return ok ? { status: 200, json: { location: '/' } } : reject(409, stderr.trim());
}

async function push(proposal: Proposal, commit: string): Promise<PushResult> {
  const { checkout, remote, url, branch } = proposal;
  const lfs = await usesLfs(proposal, commit);
  const { ok, stderr } = await pushCommit(checkout, { remote: { name: remote, url }, branch, commit, lfs });
  // As after a push by hand.
  if (ok) await runGit(checkout, ['update-ref', `refs/remotes/${remote}/${branch}`, commit]);
  const output = visibleLines(stderr.replaceAll(url, proposal.shownUrl).trim());
  return { branch, ok, output, link: ok ? linkIn(stderr, url) : undefined };
}

/** Whether a file of a commit is in Git LFS: the hook that uploads its objects does not run. */
async function usesLfs({ checkout }: Proposal, commit: string): Promise<boolean> {
  const input = [...((await listTree(checkout, commit)) ?? new Map()).keys()].map((name) => `${name}\0`).join('');
  const { stdout } = await runGit(checkout, ['check-attr', '-z', '--stdin', 'filter'], { input });
  return stdout.includes('\0filter\0lfs\0');
}

/** The first link that the server prints to a page of the host of the remote. A server may print any other. */
function linkIn(output: string, remote: string): string | undefined {
  const host = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)/i.exec(remote)?.[1]?.toLowerCase();
  const links = [...output.matchAll(/^remote:.*?(https:\/\/[^\s"'<>]+)/gm)].map(([, link = '']) => link);
  return links.find((link) => URL.canParse(link) && new URL(link).hostname === host);
}
