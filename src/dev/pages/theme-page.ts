import { formatText } from '../../diagnostics/format-text.ts';
import { type Markup, markup } from '../../document/html.ts';
import type { Change } from '../../changes/differences.ts';
import { NOTHING_MISSING } from '../../document/missing.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { type Field, LABELS } from '../../theme/fields.ts';
import { image } from '../../document/theme-images.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { type EditorContent, editorCards } from './editor.ts';
import { layout, themePath } from './layout.ts';
import { mockPages } from '../../preview/mock-page.ts';
import { diagnosticsBadge, diagnosticsBox, diagnosticsCount } from './problems.ts';
import { badges, usersOf } from './gallery-page.ts';

/** A theme as it was in the last commit. */
export interface Before {
  record: ThemeRecord;
  /** The fields that differ. */
  changes: readonly Change[];
}

/** All about one theme: its diagnostics, a mock community page, and the editor. */
export function themePage(
  theme: GalleryTheme,
  content: GalleryContent,
  editor: EditorContent,
  before?: Before,
): string {
  const field = Object.keys(LABELS).find((name) => editor.messages.get(name)?.some(({ isError }) => isError));
  return layout(
    {
      title: theme.record.name,
      path: themePath(theme.slug),
      ownErrors: {
        count: theme.diagnostics.filter(({ severity }) => severity === 'error').length,
        path: field === undefined ? '#diagnostics' : `#row-${field}`,
      },
      mockStyle: `${themePath(theme.slug)}theme.css?${content.build}`,
      head: pageHead(theme, editor),
      main: pageMain(theme, content, editor, before),
    },
    content,
  );
}

function pageHead(theme: GalleryTheme, editor: EditorContent): Markup {
  const { record, diagnostics, missing } = theme;
  return markup`<div class="row">
<div class="row" id="title" data-part>
${missing.has('favicon') ? '' : markup`${image(record.favicon, '', 32, 32)}\n`}<h1><bdi>${record.name}</bdi></h1>
</div>
<div class="row actions">
${actions(theme, editor)}</div>
</div>
<p class="row" id="badges" data-part>
${badges(theme)}${diagnosticsBadge(diagnostics, '')}<span class="about">Used by ${usersOf(theme)}.</span></p>
`;
}

function pageMain(theme: GalleryTheme, content: GalleryContent, editor: EditorContent, before?: Before): Markup {
  const { diagnostics } = theme;
  return markup`<div class="split">
<section class="stage" aria-labelledby="mock">
<h2 id="mock" class="unseen">In a community</h2>
<fieldset class="tabs"><legend class="unseen">Preview</legend>${TABS.map(([id, text], at) => markup`<label><input type="radio" name="tab" id="tab-${id}"${at === 0 ? markup` checked` : ''}>${text}</label>`)}</fieldset>
<div id="before" data-part>${before === undefined || before.changes.length === 0 ? noChanges(theme, content) : changesSince(before)}</div>
<div id="preview" data-part>${mockPages(theme)}</div>
</section>
<section class="cards-column" aria-label="Editor" data-editor>
<span id="hash" data-part data-hash="${editor.hash}"></span>
${editorCards(theme, editor)}</section>
</div>
<div id="diagnostics-part" data-part>${
    diagnostics.length === 0
      ? ''
      : markup`<details class="panel" id="diagnostics">
<summary>Details: ${diagnosticsCount(diagnostics)}</summary>
${diagnosticsBox(formatText(diagnostics, content.textOf, false).trimEnd(), 'Diagnostics')}
</details>
`
  }</div>
`;
}

/** The parts of the preview. */
const TABS = [
  ['wide', 'Light and dark'],
  ['phone', 'Phone'],
  ['before', 'Before / now'],
] as const;

/** What is said in the place of a comparison. */
function noChanges({ change }: GalleryTheme, { lastCommit }: GalleryContent): Markup {
  if (lastCommit === undefined) return markup`<p>There is no commit to compare with.</p>`;
  if (change === 'new') return markup`<p>This theme is new: it is not in the last commit.</p>`;
  return change === undefined
    ? markup`<p>Nothing has changed since the last commit.</p>`
    : markup`<p>This theme can be compared with the last commit once its errors are fixed.</p>`;
}

/** What has changed since the last commit, in words, and a community as it was. */
function changesSince({ record, changes }: Before): Markup {
  const rows = changes.map(({ what, kind, before, after }) => {
    const [field = ''] = what.split(/,? /);
    const label = kind === 'colour' ? `Colour ${what.split(' ')[1]}` : (LABELS[field as Field] ?? what);
    const colour = (value: string) => (kind === 'colour' ? swatch(value) : markup`${value}`);
    return markup`<li><b>${label}</b> <small><code>${what}</code></small> ${colour(before)} → ${colour(after)}</li>`;
  });
  return markup`<h3>Changed since the last commit</h3>
<ul>${rows}</ul>
<h3>Before</h3>
<div class="before">${mockPages({ record, missing: NOTHING_MISSING }, 'Before: ')}</div>
<h3>Now</h3>
`;
}

function swatch(colour: string): Markup {
  return markup`<svg class="dot" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${colour}"/></svg> ${colour}`;
}

/** Undo, duplicate, delete. */
function actions({ slug, record }: GalleryTheme, { undoable }: EditorContent): Markup {
  const form = (action: string, done: string, button: Markup) =>
    markup`<form action="${themePath(slug)}${action}" data-send="${done}">${button}</form>\n`;
  const undo = markup`<button class="quiet" id="undo"${undoable === 0 ? markup` disabled` : ''}>Undo${undoable === 0 ? '' : ` (${undoable})`}</button>`;
  return markup`<span id="undo-part" data-part>${form('undo', 'Undone', undo)}</span>
<details class="menu-more"><summary>More</summary><div class="panel">
${
  record.is_default
    ? ''
    : form(
        'default',
        'Saved: default theme',
        markup`<p>As the default, this theme is what every visitor and all users without a theme of their own see. <code>themecast diff</code> reports that as a breaking change.</p><button class="quiet">Make this the default theme</button>`,
      )
}${form('duplicate', 'Duplicated', markup`<label>Name of the copy <input name="name" value="${record.name} copy" required></label> <button class="quiet">Duplicate</button>`)}${form('delete', 'Deleted', markup`<button class="quiet danger">Delete this theme</button>`)}</div></details>
`;
}
