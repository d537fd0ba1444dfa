import { count } from '../diagnostics/quote.ts';
import { type Markup, markup, prose } from '../document/html.ts';
import { reportPage } from '../document/report-page.ts';
import { MOCK_STYLE } from '../preview/mock-style.ts';
import { audienceText, defaultOf } from '../changes/site-state.ts';
import { mockStyle, themePictures } from './html-theme.ts';
import {
  type DiffReport,
  hasChanges,
  headline,
  isListed,
  joined,
  type Row,
  sectionsOf,
  usersAndNotes,
} from './report.ts';

/** Bytes of the page, at most, and of the themes in it: what comes after has only its changes. */
const MAX_BYTES = 9_000_000;

const STYLE = `
body { padding: 2rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem 1.25rem; margin-top: 1.25rem; }
section h2 { margin: 0 0 .5rem; }
section :is(h2, p, li) { overflow-wrap: anywhere; }
h2 small { font-weight: 400; font-size: .875rem; color: var(--soft); }
section h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
section ul { padding-left: 1.1rem; margin-top: .6rem; }
.ground img { max-height: 14rem; }
.swatches { display: flex; height: 3.5rem; forced-color-adjust: none; }
.swatches svg { flex: 1; min-width: 0; height: 100%; }
details { margin-top: 1rem; }
summary { color: var(--link); }
details .screens { grid-template-columns: minmax(0, 1fr); }
details .wide .screen { min-width: 0; }
.both { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.25rem; }
`;

/** The report in one file, without script: nothing in it is requested, and nothing runs. @param images - `data:` URLs by SHA-256 */
export function htmlReport(report: DiffReport, images: ReadonlyMap<string, string>): string {
  const { base, head, themes, after } = report;
  const title = hasChanges(report) ? headline(report) : 'No theme changes';
  const [sections, left] = withinSize(report, images);
  const more = `${count(left, 'more theme')} of ${themes.length} without images: the page would be too large.`;
  const texts = [...usersAndNotes(report), ...(left > 0 ? [more] : [])];
  const who = markup`<section><h2>Who sees something else</h2>${list(whoSees(report))}${texts.map((text) => markup`<p class="about">${prose(text)}</p>`)}</section>
`;
  return reportPage({
    title,
    about: markup`<code>${base.label}</code> → <code>${head.label}</code>, published at ${after.site.base_url}`,
    style: MOCK_STYLE + STYLE + themes.map(mockStyle).join(''),
    main: sections.toSpliced(report.breaking.length > 0 ? 1 : 0, 0, who),
  });
}

function list(rows: readonly Row[]): Markup {
  const items = rows.map(
    ({ code, values, text }) =>
      markup`<li><code>${code}</code>: ${values?.join(' → ') ?? ''}${values === undefined || text === '' ? '' : '; '}${prose(text)}</li>`,
  );
  return items.length === 0 ? markup`` : markup`<ul>${items}</ul>`;
}

/** Who sees something else; visitors do not see what only shows where themes are chosen. */
function whoSees({ before, after, themes }: DiffReport): Row[] {
  const visitors = 'visitors, and users without a theme';
  const [old, now] = [defaultOf(before), defaultOf(after)];
  const isMoved = old !== undefined && now !== undefined && old.slug !== now.slug;
  const rows = themes.filter(isListed).flatMap((theme): Row[] => {
    const isSeen = theme.changes.some(
      ({ what, kind }) => kind !== 'colour' && !['id', 'name', 'is_default'].includes(what),
    );
    const who = joined([theme.audience.isDefault && !isMoved && isSeen && visitors, audienceText(theme.audience)]);
    const what = theme.kind === 'removed' ? ['is removed'] : theme.changes.map((change) => change.what);
    return who === '' ? [] : [{ code: (theme.after ?? theme.before)?.name ?? '', text: `${who}: ${what.join(', ')}` }];
  });
  return isMoved ? [{ code: now.name, text: `${visitors}, instead of \`${old.name}\`` }, ...rows] : rows;
}

/** The sections, with mock pages and images as long as they fit. @returns how many themes are without */
function withinSize(report: DiffReport, images: ReadonlyMap<string, string>): [sections: Markup[], left: number] {
  let size = 0;
  let left = 0;
  const sections = sectionsOf(report).map(({ code, title, about, rows, theme }) => {
    const at = theme === undefined ? -1 : report.themes.indexOf(theme);
    const pictures = [true, false]
      .map((withMock) => theme && themePictures(theme, report, images, withMock, at))
      .find((made) => made !== undefined && size + made.text.length <= MAX_BYTES);
    size += pictures?.text.length ?? 0;
    if (theme !== undefined && pictures === undefined) left++;
    return markup`<section><h2>${theme === undefined ? title : markup`${title} <small><code>${code}</code></small>`}</h2><p class="about">${prose(about)}</p>
${list(rows)}${pictures ?? ''}</section>
`;
  });
  return [sections, left];
}
