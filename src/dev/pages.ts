import path from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatText } from '../diagnostics/format-text.ts';
import { listRecord } from '../document/record.ts';
import { decideWho } from '../who/explain.ts';
import type { WhoIs } from '../who/format.ts';
import type { GalleryContent, GalleryTheme } from '../pages/content.ts';
import type { GitLinks } from '../pages/git-links.ts';
import { viewAsPage } from '../pages/view-as-page.ts';
import { displayPath } from '../io/files.ts';
import { keyProblem } from '../users/key.ts';
import type { Wanted } from '../users/mapping.ts';
import type { Preview } from './preview.ts';
import type { Session, Shown } from './session.ts';

/** The problems that prevent a build, as the terminal prints them. */
export function problemsText({ problems }: Session): string | undefined {
  if (problems === undefined) return undefined;
  if (problems instanceof Error) return `The themes cannot be read: ${problems.message}`;
  return formatText(problems.diagnostics, (file) => problems.texts.get(file), false);
}

/** The content of all gallery pages. */
export function galleryContent(
  session: Session,
  site: GalleryContent['site'],
  links: GitLinks | undefined,
  sampleUsers: GalleryContent['sampleUsers'] = [],
): GalleryContent {
  const { shown } = session;
  return {
    site,
    build: shown?.build ?? 0,
    themes:
      shown === undefined ? [] : galleryThemes(shown, displayPath(session.options.themesDir, session.options.cwd)),
    textOf: (file) => shown?.found.texts.get(file),
    links,
    problems: problemsText(session),
    sampleUsers,
  };
}

function galleryThemes({ preview, found }: Shown, themesDir: string): GalleryTheme[] {
  const { media, slugs, countsByTheme } = preview;
  const places = new Map(slugs.map((slug, at) => [slug, at]));
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const diagnostic of found.diagnostics) {
    const [slug = ''] = path.posix.relative(themesDir, diagnostic.location.file).split('/');
    diagnostics.set(slug, [...(diagnostics.get(slug) ?? []), diagnostic]);
  }
  return media.themes.map(({ theme, urls }) => {
    const { slug } = theme;
    const at = places.get(slug) ?? -1;
    return {
      slug,
      record: listRecord(theme, urls),
      sizes: media.sizes,
      diagnostics: diagnostics.get(slug) ?? [],
      users: { user: countsByTheme.user[at] ?? 0, group: countsByTheme.group[at] ?? 0 },
    };
  });
}

/** The page that shows the theme of a user, from the two keys of a query. */
export async function viewAs(
  session: Session,
  site: GalleryContent['site'],
  links: GitLinks | undefined,
  query: URLSearchParams,
): Promise<string> {
  const content = galleryContent(session, site, links, await session.shown?.preview.sample());
  const keys = { user: query.get('user')?.trim() ?? '', group: query.get('group')?.trim() ?? '' };
  const wanted = (['user', 'group'] as const).flatMap((kind) => (keys[kind] === '' ? [] : [{ kind, key: keys[kind] }]));
  const problems = Object.fromEntries(
    wanted.flatMap(({ kind, key }) => {
      const problem = keyProblem(key);
      return problem === undefined ? [] : [[kind, problem]];
    }),
  );
  const isValid = wanted.length > 0 && Object.keys(problems).length === 0 && session.shown !== undefined;
  const who = isValid ? await whoIs(session.shown.preview, wanted) : undefined;
  return viewAsPage({ keys, problems, who }, content);
}

async function whoIs({ site, themes, rules, locations, find }: Preview, wanted: readonly Wanted[]): Promise<WhoIs> {
  const defaultTheme = themes.find(({ is_default: isDefault }) => isDefault)?.slug;
  const decided = await decideWho(wanted, await find(wanted), rules, defaultTheme);
  return { ...decided, rules, defaultTheme, hosts: site.edge, ruleAt: locations.ruleAt, edgeOut: 'edge' };
}
