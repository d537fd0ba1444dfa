import path from 'node:path';
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts';
import { formatText } from '../../core/diagnostics/format-text.ts';
import { visible } from '../../core/diagnostics/quote.ts';
import { sentenceOf, whoIs } from '../../hosts/explain/explain.ts';
import { sourceText } from '../../compiler/source-text.ts';
import { displayPath } from '../../system/disk/files.ts';
import { linksStylesheet } from '../../core/document/preview/team-page.ts';
import type { GalleryContent, GalleryTheme, ViewedAs } from './pages/content.ts';
import type { Problems } from './pages/problems.ts';
import { keyProblem } from '../../core/users/key.ts';
import type { Context } from './request.ts';
import type { Session, View } from './session/session.ts';

/** Formats the problems that prevent a build. */
export function problemsOf({ problems, goodBuild, options }: Session): Problems | undefined {
  if (problems === undefined) return undefined;
  const isServed = goodBuild !== undefined;
  if (problems instanceof Error)
    return { text: `The themes cannot be read: ${visible(problems.message)}`, errors: 1, isServed };
  const { diagnostics } = problems;
  // Errors first, because they prevent a build.
  const sorted = diagnostics.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return { text: formatText(sorted, sourceText(options.themesDir, options.cwd), false).trimEnd(), errors, isServed };
}

export function galleryContent({ session, token }: Pick<Context, 'session' | 'token'>): GalleryContent {
  const { view, build, history, options } = session;
  const themes = view === undefined ? [] : galleryThemes(view, displayPath(options.themesDir, options.cwd));
  return {
    build,
    isReading: view === undefined && session.problems === undefined,
    themes,
    textOf: sourceText(options.themesDir, options.cwd),
    problems: problemsOf(session),
    token,
    teamPage: view?.linked.walk.preview && { isThemed: linksStylesheet(view.linked.walk.preview.text) },
    undo: history.steps.undo.at(-1),
    redo: history.steps.redo.at(-1),
  };
}

function galleryThemes({ themes, slugs, countsByTheme, checkResult }: View, themesDir: string): GalleryTheme[] {
  const indexes = new Map(slugs.map((slug, at) => [slug, at]));
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const diagnostic of checkResult.diagnostics) {
    const [slug = ''] = path.posix.relative(themesDir, diagnostic.location.file).split('/');
    diagnostics.set(slug, [...(diagnostics.get(slug) ?? []), diagnostic]);
  }
  return themes.map((theme) => {
    const at = indexes.get(theme.slug) ?? -1;
    return {
      ...theme,
      diagnostics: diagnostics.get(theme.slug) ?? [],
      users: { user: countsByTheme.user[at] ?? 0, group: countsByTheme.group[at] ?? 0 },
    };
  });
}

/** Returns the content of the pages, with the changes since the last commit. */
export async function comparedContent(context: Pick<Context, 'session' | 'token'>): Promise<GalleryContent> {
  const { session } = context;
  const content = galleryContent(context);
  const comparison = session.view && (await session.commit.compare(session.view.state));
  const added = new Set(comparison?.themes.flatMap(({ kind, after }) => (kind === 'new' ? [after?.slug] : [])));
  const themes = content.themes.map((theme): GalleryTheme => {
    const { slug } = theme;
    const change = comparison?.changed.has(slug) ? (added.has(slug) ? 'new' : 'changed') : undefined;
    return { ...theme, change };
  });
  const removed = comparison?.themes.filter(
    ({ kind, before }) => kind === 'removed' && !themes.some(({ slug }) => slug === before?.slug),
  );
  return { ...content, themes, removed: removed?.length ?? 0 };
}

/** Determines the theme of the user or group with a key, as `themecast who` does. */
export async function viewAs({ session }: Context, key: string): Promise<ViewedAs | undefined> {
  // Before the first successful build, the valid files decide.
  const preview = session.goodBuild ?? session.view;
  if (key === '' || preview === undefined) return undefined;
  const problem = keyProblem(key);
  if (problem !== undefined) return { sentence: `This is no key: it ${problem}.`, theme: undefined };
  const { site, rules, ruleAt, themes } = preview;
  const assignments = await preview.find([
    { kind: 'user', key },
    { kind: 'group', key },
  ]);
  const { kind } = assignments.find(({ isCaseIgnored }) => !isCaseIgnored) ?? { kind: 'user' };
  const ofKind = assignments.filter((assignment) => assignment.kind === kind);
  const defaultTheme = themes.find(({ record }) => record.is_default)?.slug;
  const who = await whoIs([{ kind, key }], ofKind, { rules, defaultTheme, hosts: site.edge, ruleAt });
  return { sentence: sentenceOf(who), theme: who.theme };
}
