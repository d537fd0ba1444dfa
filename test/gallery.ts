import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import type { ThemeRecord } from '../src/document/record.ts';
import { explain, type KnownKey } from '../src/hosts/explain.ts';
import type { WhoIs } from '../src/hosts/format-explanation.ts';
import type { GalleryContent, GalleryTheme } from '../src/dev/pages/content.ts';
import { edgeRules } from '../src/hosts/contract.ts';
import type { KeyKind } from '../src/users/key.ts';
import { isNeeded } from '../src/users/mapping.ts';
import type { Site } from '../src/theme/site.ts';
import { site, theme } from './sample-records.ts';

/** A theme of the gallery, by default without diagnostics and users; its slug is `theme-ID`. */
export function galleryTheme(record: ThemeRecord, changes: Partial<GalleryTheme> = {}): GalleryTheme {
  return {
    slug: `theme-${record.id}`,
    record,
    missing: new Map(),
    isEarlier: false,
    diagnostics: [],
    users: { user: 0, group: 0 },
    ...changes,
  };
}

/** The gallery: three themes. */
export function galleryContent(changes: Partial<GalleryContent> = {}): GalleryContent {
  return {
    build: 7,
    themes: [1, 2, 3].map((id) => galleryTheme(theme(id))),
    textOf: () => undefined,
    problems: undefined,
    token: 'the-token',
    deleted: [],
    ...changes,
  };
}

/** A warning and an error in a file of which there is a text. */
export function sampleDiagnostics(file: string): Pick<GalleryTheme, 'diagnostics'> & Pick<GalleryContent, 'textOf'> {
  const diagnostics = new Diagnostics();
  const location = { file, start: { line: 2, column: 1 }, end: { line: 2, column: 5 } };
  diagnostics.report('field/unknown', location, { field: 'lgoo', suggestion: 'logo', known: [] });
  diagnostics.report('image/unused', { file }, { path: 'old<b>.png' });
  return { diagnostics: diagnostics.sorted, textOf: (asked) => (asked === file ? 'id: 1\nlgoo: a.svg\n' : undefined) };
}

/** The view as a user whose keys are in users.csv, on line 2, with a theme. */
export async function whoIs(
  themes: readonly GalleryTheme[],
  given: Readonly<Partial<Record<KeyKind, { key: string; theme: string | undefined }>>>,
  settings: Site = site(),
): Promise<WhoIs> {
  const rules = edgeRules(
    settings,
    themes.map(({ slug, record }) => ({ slug, id: record.id })),
    'sha256-x',
  );
  const defaultTheme = themes.find(({ record }) => record.is_default)?.slug;
  const known = Object.entries(given).map(([kind, { key, theme: slug }]): [string, KnownKey] => {
    const isKnown = isNeeded(kind as KeyKind, slug === defaultTheme, settings.identity);
    const location = slug === undefined ? undefined : { file: 'themes/users.csv', start: { line: 2, column: 1 } };
    return [kind, { key, theme: slug, location, again: undefined, isNeeded: isKnown }];
  });
  const keys = Object.fromEntries(known);
  const decided = { keys, explanation: await explain(rules, keys, defaultTheme) };
  return {
    ...decided,
    ignoringCase: decided,
    rules,
    defaultTheme,
    hosts: settings.edge,
    ruleAt: (rule) => ({ file: 'themes/site.yaml', start: { line: rule + 3, column: 1 } }),
    edgeOut: 'edge',
  };
}
