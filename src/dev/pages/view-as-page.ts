import { type Markup, markup, prose } from '../../document/html.ts';
import { describe, type WhoIs } from '../../hosts/format-explanation.ts';
import { mockPages } from '../../preview/mock-page.ts';
import type { KeyKind } from '../../users/key.ts';
import type { GalleryContent } from './content.ts';
import { DEV_PATHS, layout, themePath } from './layout.ts';

/** The input of the page, and its result. */
export interface ViewAs {
  /** Keys as entered; empty for none. */
  keys: Readonly<Record<KeyKind, string>>;
  /** Why a key is invalid: what follows "it". */
  problems: Readonly<Partial<Record<KeyKind, string>>>;
  /** Undefined without a key, or if one is invalid. */
  who: WhoIs | undefined;
}

/** The theme of a user, and why: the same result as `themecast who`. */
export function viewAsPage({ keys, problems, who }: ViewAs, content: GalleryContent): string {
  const theme = content.themes.find(({ slug }) => slug === who?.explanation.theme);
  const field = (kind: KeyKind, label: string) => {
    const problem = problems[kind];
    const invalid = problem === undefined ? '' : markup` aria-invalid="true" aria-describedby="${kind}-problem"`;
    return markup`<div class="field">
<label for="${kind}">${label}</label>
<input id="${kind}" name="${kind}" value="${keys[kind]}" autocomplete="off" autocapitalize="none" spellcheck="false"${invalid}>
${problem === undefined ? '' : markup`<p class="error" id="${kind}-problem">Invalid ${kind} key: it ${problem}.</p>\n`}</div>
`;
  };
  return layout(
    {
      title: 'Preview as',
      path: DEV_PATHS.viewAs,
      mockStyle: theme && `${themePath(theme.slug)}theme.css?${content.build}`,
      head: markup`<h1>Preview as</h1>
<p class="about">The theme that a user or a member of a group sees, and why. Based on the current files.</p>
`,
      main: markup`<form class="panel row" action="${DEV_PATHS.viewAs}">
${field('user', 'User key')}${field('group', 'Group key')}<button>View</button>
</form>
${who === undefined ? '' : result(who)}${
        theme === undefined
          ? ''
          : markup`<p><a href="${themePath(theme.slug)}">More about <bdi>${theme.record.name}</bdi></a></p>
<section aria-labelledby="mock">
<h2 id="mock">In a community</h2>
${mockPages(theme)}</section>
`
      }`,
    },
    content,
  );
}

function result(who: WhoIs): Markup {
  const { sentence, rows } = describe(who);
  const reasons = rows
    .filter(([, texts]) => texts.length > 0)
    .map(
      ([name, texts]) => markup`<div><dt>${name}</dt>${texts.map((text) => markup`<dd>${prose(text)}</dd>`)}</div>\n`,
    );
  return markup`<section aria-labelledby="result">
<h2 id="result">${sentence}</h2>
<dl class="reasons">
${reasons}</dl>
</section>
`;
}
