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

/** The last push of each server. */
const results = new WeakMap<Context['session'], PushResult>();

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
    // Other changes wait for the commit, but not for the push, which may take a minute.
    const result = await session.edits.run(async () => {
      const proposal = await readProposal(session.options.themesDir);
      return typeof proposal === 'string' ? reject(409, proposal) : action(proposal, payload);
    });
    if (result instanceof Object && 'status' in result) return result;
    const { proposal, commit } = result;
    results.set(session, await push(proposal, commit));
    return DONE;
  };
}

interface CommitToPush {
  proposal: Proposal;
  commit: string;
}

async function propose(proposal: Proposal, payload: Payload): Promise<CommitToPush | Reply> {
  const { checkout, parent, files, digest, before } = proposal;
  if (textOf(payload, 'digest') !== digest)
    return reject(409, 'The files have changed meanwhile. Reload the page, and review them again.');
  const message = textOf(payload, 'message');
  if (message === '') return reject(400, 'Describe the changes in the message.');
  const names = files.map(({ name }) => name);
  try {
    const next = await commitFiles(checkout, parent, names, message);
    if (next === undefined) return reject(409, 'Nothing has changed after applying the Git filters.');
    await moveHead(checkout, { ...proposal, commit: next.commit }, next.entries, before);
    return { proposal, commit: next.commit };
  } catch (error) {
    if (error instanceof GitError) return reject(409, `Nothing was committed. ${error.message}`);
    throw error;
  }
}

async function pushAgain(proposal: Proposal): Promise<CommitToPush | Reply> {
  return proposal.isFollowUp ? { proposal, commit: proposal.parent } : reject(409, 'There is no proposal to push.');
}

/** Checks out the previous branch. Git refuses that if it would overwrite an uncommitted file. */
async function goBack({ checkout, files, back }: Proposal): Promise<Reply> {
  if (back === undefined || files.length > 0) return reject(409, 'Propose your changes first, or undo them.');
  // An untrusted repository must not choose the credential helper of Git LFS.
  const quiet = ['-c', 'credential.helper=', 'checkout', '--quiet', '--no-recurse-submodules'];
  const { ok, stderr } = await runGit(checkout, [...quiet, back, '--']);
  return ok ? { status: 200, json: { location: '/' } } : reject(409, stderr.trim());
}

async function push(proposal: Proposal, commit: string): Promise<PushResult> {
  const { checkout, remote, url, branch } = proposal;
  const lfs = await usesLfs(proposal, commit);
  const { ok, stderr } = await pushCommit(checkout, { remote: { name: remote, url }, branch, commit, lfs });
  // `git push` does this too.
  if (ok) await runGit(checkout, ['update-ref', `refs/remotes/${remote}/${branch}`, commit]);
  const output = visibleLines(stderr.replaceAll(url, proposal.shownUrl).trim());
  return { branch, ok, output, link: ok ? linkIn(stderr, url) : undefined };
}

/** Whether a commit has files in Git LFS. Their objects must be pushed too, because hooks do not run. */
async function usesLfs({ checkout }: Proposal, commit: string): Promise<boolean> {
  const input = [...((await listTree(checkout, commit)) ?? new Map()).keys()].map((name) => `${name}\0`).join('');
  const { stdout } = await runGit(checkout, ['check-attr', '-z', '--stdin', 'filter'], { input });
  return stdout.includes('\0filter\0lfs\0');
}

/** Returns the first link in the output of the server that leads to its own host: other links are not trusted. */
function linkIn(output: string, remote: string): string | undefined {
  const host = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)/i.exec(remote)?.[1]?.toLowerCase();
  const links = [...output.matchAll(/^remote:.*?(https:\/\/[^\s"'<>]+)/gm)].map(([, link = '']) => link);
  return links.find((link) => URL.canParse(link) && new URL(link).hostname === host);
}
