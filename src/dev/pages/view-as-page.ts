import { type Markup, markup, prose } from '../../document/html.ts';
import { type Description, describe, type WhoIs } from '../../hosts/format-explanation.ts';
import type { KeyKind } from '../../users/key.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { DEV_PATHS, layout, themePath, themeStylePath } from './layout.ts';
import { mockPages } from '../../preview/mock-page.ts';

/** The input of the page, and its result. */
export interface ViewAs {
  /** Keys as entered; empty for none. */
  keys: Readonly<Record<KeyKind, string>>;
  /** The hostname as entered; undefined if no rule of identity reads it. */
  hostname?: string | undefined;
  /** Why a key or the hostname is invalid: what follows "it". */
  problems: Readonly<Partial<Record<KeyKind | 'host', string>>>;
  /** Undefined for an anonymous user, or if a key is invalid. */
  who: WhoIs | undefined;
}

/** The theme of a user, and why: the same result as `themecast who`. */
export function viewAsPage(viewAs: ViewAs, content: GalleryContent): string {
  const hasProblem = Object.keys(viewAs.problems).length > 0;
  const theme = hasProblem ? undefined : themeOf(viewAs.who, content);
  return layout(
    {
      title: 'Preview as',
      path: DEV_PATHS.viewAs,
      mockStyle: theme && themeStylePath(theme.slug, content.build),
      head: markup`<h1>Preview as</h1>
<p class="about">The theme that a user or a member of a group sees, and why. Based on the current files.</p>
`,
      main: markup`${form(viewAs)}${hasProblem ? '' : response(viewAs.who, theme)}`,
    },
    content,
  );
}

/** The theme that is served; for an anonymous user the default theme. */
function themeOf(who: WhoIs | undefined, { themes }: GalleryContent): GalleryTheme | undefined {
  return themes.find(({ slug, record }) => (who === undefined ? record.is_default : slug === who.explanation.theme));
}

function form(viewAs: ViewAs): Markup {
  const field = (kind: KeyKind | 'host', label: string, value: string) => {
    const problem = viewAs.problems[kind];
    const invalid = problem === undefined ? '' : markup` aria-invalid="true" aria-describedby="${kind}-problem"`;
    return markup`<div class="field">
<label for="${kind}">${label}</label>
<input id="${kind}" name="${kind}" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false"${invalid}>
${problem === undefined ? '' : markup`<p class="error" id="${kind}-problem">Invalid ${kind === 'host' ? 'hostname' : `${kind} key`}: it ${problem}.</p>\n`}</div>
`;
  };
  return markup`<form class="panel row" action="${DEV_PATHS.viewAs}">
${field('user', 'User key', viewAs.keys.user)}${field('group', 'Group key', viewAs.keys.group)}${viewAs.hostname === undefined ? '' : field('host', 'Hostname', viewAs.hostname)}<button>View</button>
</form>
`;
}

function response(who: WhoIs | undefined, theme: GalleryTheme | undefined): Markup {
  const { sentence, rows } = who === undefined ? anonymous(theme) : describe(who);
  const filled = rows.filter(([, texts]) => texts.length > 0);
  const reasons = filled.map(
    ([name, texts]) => markup`<div><dt>${name}</dt>${texts.map((text) => markup`<dd>${prose(text)}</dd>`)}</div>\n`,
  );
  return markup`<section aria-labelledby="result">
<h2 id="result">${sentence}</h2>
<dl class="reasons">
${reasons}</dl>
${theme === undefined ? '' : markup`<p><a href="${themePath(theme.slug)}">More about <bdi>${theme.record.name}</bdi></a></p>\n`}</section>
${
  theme === undefined
    ? ''
    : markup`<section aria-labelledby="mock">
<h2 id="mock">In a community</h2>
${mockPages(theme)}</section>
`
}`;
}

function anonymous(theme: GalleryTheme | undefined): Description {
  const name =
    theme === undefined
      ? 'no theme, because there is no default theme'
      : `${theme.slug} (theme ${theme.record.id}), the default theme`;
  return { sentence: `Anonymous and unknown users get ${name}.`, rows: [] };
}
