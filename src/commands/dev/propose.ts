import { readProposal } from '../changes/io/read-proposal.ts';
import { type FileChange, partsOf, type Proposal, type ProposalParts, withBases } from '../changes/proposal.ts';
import { quoteList, visibleLines } from '../../core/diagnostics/quote.ts';
import { revParse } from '../../system/git/git.ts';
import { THEME_FILE } from '../../core/theme/themes-folder.ts';
import { commitFiles, runSteps, undo } from './commit.ts';
import { comparedContent } from './gallery-content.ts';
import { isLoopback } from './guard.ts';
import { DEV_PATHS } from './pages/layout.ts';
import { proposePage, type ProposalResult } from './pages/propose-page.ts';
import { type Payload, reject, type Reply, textOf } from './edits/payload.ts';
import type { Context } from './request.ts';

type Session = Context['session'];

/** The last proposal of each server. */
const results = new WeakMap<Session, ProposalResult>();

const DONE: Reply = { status: 200, json: { location: DEV_PATHS.propose } };

/** Anyone who can reach the server could commit and push in the name of its user. */
const NOT_LOCAL =
  'Changes can be proposed only if `themecast dev` listens on this machine alone. Start it without --listen.';

export async function proposeContent(context: Context): Promise<string> {
  const { session, host } = context;
  const isOpen = host !== undefined && !isLoopback(host);
  const proposal = isOpen ? NOT_LOCAL : await readProposal(session.options.themesDir);
  const content = await comparedContent(context);
  const parts = typeof proposal === 'string' ? undefined : proposalParts(proposal, session);
  const bases = new Map([...(parts?.themes.keys() ?? [])].map((slug) => [slug, baseOf(slug, session)] as const));
  return proposePage(proposal, { parts, bases, touched: session.touched }, results.get(session), content);
}

type Action = (
  proposal: Proposal,
  payload: Payload,
  session: Session,
) => Promise<CommitToPush | ProposalResult | Reply>;

/** The actions by their paths below `/propose`. */
const ACTIONS = new Map<string, Action>([
  ['', propose],
  ['/push', pushAgain],
  ['/back', goBack],
]);

/** Returns the handler of a POST to `/propose` and below; undefined for another path. */
export function proposeAt(pathname: string): ((payload: Payload, context: Context) => Promise<Reply>) | undefined {
  const action = pathname.startsWith(DEV_PATHS.propose)
    ? ACTIONS.get(pathname.slice(DEV_PATHS.propose.length))
    : undefined;
  if (action === undefined) return undefined;
  return async (payload, context) => {
    const { session, host } = context;
    if (host !== undefined && !isLoopback(host)) return reject(403, NOT_LOCAL);
    // Other changes wait for the commit, but not for the push.
    const result = await session.edits.run(async () => {
      const proposal = await readProposal(session.options.themesDir);
      return typeof proposal === 'string' ? reject(409, proposal) : action(proposal, payload, session);
    });
    if (result instanceof Object && 'status' in result) return result;
    results.set(session, 'root' in result ? await push(result) : result);
    return DONE;
  };
}

/** Divides the changed files; a build reads `theme.yaml` and the images that it names. */
function proposalParts(proposal: Proposal, { view }: Session): ProposalParts {
  const images = new Map(
    [...(view?.compiled.themes ?? [])].map(([slug, theme]) => [slug, new Set(theme.images.map(({ path }) => path))]),
  );
  return partsOf(proposal, (slug, file) => file === THEME_FILE || images.get(slug)?.has(file) === true);
}

function baseOf(slug: string, { view }: Session): string | undefined {
  return view?.compiled.themes.get(slug)?.source?.fields.extends;
}

/** A commit that is not pushed yet, and what Git has printed. */
type CommitToPush = Pick<Proposal, 'root' | 'branch' | 'remote'> & { output: string };

async function propose(proposal: Proposal, payload: Payload, session: Session): ReturnType<Action> {
  if (textOf(payload, 'digest') !== proposal.digest)
    return reject(409, 'The files have changed meanwhile. Reload the page, and review them again.');
  const message = textOf(payload, 'message').trim();
  if (message === '') return reject(400, 'Describe the changes in the message.');
  const parts = proposalParts(proposal, session);
  const checked = [...parts.themes.keys()].filter((slug) => textOf(payload, `theme-${slug}`) !== '');
  const chosen = withBases(checked, new Set(parts.themes.keys()), (slug) => baseOf(slug, session));
  const broken = [...chosen].filter((slug) => hasErrors(slug, session));
  if (broken.length > 0) return reject(409, `Fix the errors of ${quoteList(broken, 'and')} first.`);
  const files: FileChange[] = [
    ...[...chosen].flatMap((slug) => parts.themes.get(slug) ?? []),
    ...(textOf(payload, 'site') === '' ? [] : parts.site),
  ];
  if (files.length === 0) return reject(400, 'Choose what to propose.');
  const { ok, output } = await commitFiles(proposal, files, message);
  if (!ok) return { state: 'refused', branch: proposal.branch, output: visibleLines(output), message };
  for (const slug of chosen) session.touched.delete(slug);
  return { ...proposal, output };
}

function hasErrors(slug: string, { view }: Session): boolean {
  return (
    view?.checkResult.diagnostics.some(
      ({ severity, location }) => severity === 'error' && location.file.split('/').includes(slug),
    ) === true
  );
}

async function pushAgain(proposal: Proposal): Promise<CommitToPush | Reply> {
  return proposal.hasCommit ? { ...proposal, output: '' } : reject(409, 'There is no proposal to push.');
}

/** Returns to the branch that the page named. Git refuses that if it would overwrite an uncommitted file. */
async function goBack(proposal: Proposal, payload: Payload, session: Session): Promise<Reply> {
  const { root, branch, back, hasCommit, files } = proposal;
  if (back === undefined || textOf(payload, 'back') !== back)
    return reject(409, 'Another branch is checked out now. Reload the page.');
  const { ok, output } = hasCommit
    ? await runSteps(root, [{ args: ['switch', back] }])
    : await undo({ root, from: back, branch }, files);
  if (ok) results.delete(session);
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
