import path from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { visible } from '../diagnostics/quote.ts';
import { readsHostGroups } from '../hosts/hostnames.ts';
import { hostnameProblem } from '../theme/hostnames.ts';
import { decideWho, keysAt } from '../hosts/explain.ts';
import type { WhoIs } from '../hosts/format-explanation.ts';
import type { GalleryContent, GalleryTheme } from './pages/content.ts';
import { linkedText, type Problems } from './pages/problems.ts';
import { viewAsPage } from './pages/view-as-page.ts';
import { keyProblem } from '../users/key.ts';
import type { Wanted } from '../users/mapping.ts';
import type { Context } from './context.ts';
import type { Session, View } from './session.ts';

/** What prevents a build comes before advice. */
function errorsFirst(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

/** The problems that prevent a build. @param token - not for pages that others may read */
export function problemsOf({ problems, shown }: Session, token: string | undefined): Problems | undefined {
  if (problems === undefined) return undefined;
  const text =
    problems instanceof Error
      ? `The themes cannot be read: ${visible(problems.message)}`
      : linkedText(errorsFirst(problems.diagnostics), (file) => problems.texts.get(file), token);
  return { text, isServed: shown !== undefined, token };
}

/** The content of all gallery pages. */
export function galleryContent({ session, token }: Pick<Context, 'session' | 'token'>): GalleryContent {
  const { view } = session;
  return {
    build: session.build,
    themes: view === undefined ? [] : galleryThemes(view, session.displayed(session.options.themesDir)),
    textOf: (file) => view?.found.texts.get(file),
    problems: problemsOf(session, token),
    token,
    deleted: session.deleted,
  };
}

/** The same with what differs from the last commit. */
export async function comparedContent(context: Pick<Context, 'session' | 'token'>) {
  const content = galleryContent(context);
  const comparison = await context.session.comparison();
  const added = new Set(comparison?.themes.flatMap(({ kind, after }) => (kind === 'new' ? [after?.slug] : [])));
  const changeOf = (slug: string) =>
    comparison?.changed.has(slug) ? (added.has(slug) ? 'new' : 'changed') : undefined;
  const themes = content.themes.map((theme): GalleryTheme => {
    const { slug } = theme;
    return { ...theme, change: changeOf(slug), changedAt: context.session.changedAt(slug) };
  });
  const removed = comparison?.themes.filter(
    ({ kind, before }) => kind === 'removed' && !themes.some(({ slug }) => slug === before?.slug),
  );
  const lastCommit = comparison && { commit: comparison.commit, removed: removed?.length ?? 0 };
  return { content: { ...content, themes, lastCommit }, comparison };
}

function galleryThemes({ themes, slugs, countsByTheme, found }: View, themesDir: string): GalleryTheme[] {
  const places = new Map(slugs.map((slug, at) => [slug, at]));
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const diagnostic of found.diagnostics) {
    const [slug = ''] = path.posix.relative(themesDir, diagnostic.location.file).split('/');
    diagnostics.set(slug, [...(diagnostics.get(slug) ?? []), diagnostic]);
  }
  return themes.map((theme) => {
    const at = places.get(theme.slug) ?? -1;
    return {
      ...theme,
      diagnostics: diagnostics.get(theme.slug) ?? [],
      users: { user: countsByTheme.user[at] ?? 0, group: countsByTheme.group[at] ?? 0 },
    };
  });
}

/** A hostname as browsers send it, or why there is none. */
function hostnameNamed(text: string): { name: string } | { name: undefined; problem: string } {
  const problem = hostnameProblem(text);
  const name = problem === undefined ? text : problem.meant;
  return name === undefined ? { name, problem: problem?.reason ?? '' } : { name };
}

/** The page that shows the theme of a user, from the keys and the hostname of a query. */
export async function viewAs(context: Context, query: URLSearchParams): Promise<string> {
  const { shown, view } = context.session;
  // Until the first build succeeds, as far as the files are valid.
  const preview = shown ?? view;
  const content = galleryContent(context);
  const keys = { user: query.get('user')?.trim() ?? '', group: query.get('group')?.trim() ?? '' };
  const wanted = (['user', 'group'] as const).flatMap((kind) => (keys[kind] === '' ? [] : [{ kind, key: keys[kind] }]));
  const problems = Object.fromEntries(
    wanted.flatMap(({ kind, key }) => {
      const problem = keyProblem(key);
      return problem === undefined ? [] : [[kind, problem]];
    }),
  );
  const identity = preview?.rules.identity ?? [];
  const readsHost = identity.some(({ credential }) => credential.from === 'host');
  const hostname = readsHost ? (query.get('host')?.trim() ?? '') : undefined;
  const named = hostname === undefined || hostname === '' ? undefined : hostnameNamed(hostname);
  if (named !== undefined && named.name === undefined) problems['host'] = named.problem;
  else if (named !== undefined && keys.group !== '' && readsHostGroups(identity))
    problems['host'] = 'is the group itself: leave one of the two empty';
  const isValid = (wanted.length > 0 || named !== undefined) && Object.keys(problems).length === 0;
  const defaultTheme = content.themes.find(({ record }) => record.is_default)?.slug;
  const asked = { wanted, hostname: named?.name };
  const who = isValid && preview !== undefined ? await whoIs(preview, asked, defaultTheme) : undefined;
  return viewAsPage({ keys, hostname, problems, who }, content);
}

async function whoIs(
  { site, rules, locations, find }: Pick<View, 'site' | 'rules' | 'locations' | 'find'>,
  asked: { wanted: readonly Wanted[]; hostname: string | undefined },
  defaultTheme: string | undefined,
): Promise<WhoIs> {
  const wanted = keysAt(asked.wanted, rules, asked.hostname);
  const decided = await decideWho(wanted, await find(wanted), rules, defaultTheme, asked.hostname);
  return { ...decided, rules, defaultTheme, hosts: site.edge, ruleAt: locations.ruleAt, edgeOut: 'edge' };
}
