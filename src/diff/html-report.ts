import { count } from '../diagnostics/quote.ts';
import { type Markup, markup, prose } from '../document/html.ts';
import { reportPage } from '../document/report-page.ts';
import { mockStyle, themePictures } from './html-theme.ts';
import { type DiffReport, hasChanges, headline, type Row, sectionsOf, usersAndNotes } from './report.ts';

/** Themes that are shown, and not only in words. */
const MAX_SHOWN = 30;

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
.both { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.25rem; }
`;

/**
 * The report in one file, without script: nothing in it is requested, and nothing runs.
 * @param images - `data:` URLs by SHA-256
 * @param communityStyle - the style sheet of pages with the mock community
 */
export function htmlReport(report: DiffReport, images: ReadonlyMap<string, string>, communityStyle: string): string {
  const { base, head, themes, after } = report;
  const shown = themes.slice(0, MAX_SHOWN);
  const sections = sectionsOf(report).map(({ code, title, about, rows, theme }) => {
    const heading = theme === undefined ? title : markup`${title} <small><code>${code}</code></small>`;
    const at = theme === undefined ? -1 : shown.indexOf(theme);
    return markup`<section><h2>${heading}</h2><p class="about">${prose(about)}</p>
${list(rows)}${theme === undefined || at === -1 ? '' : themePictures(theme, report, images, at)}</section>
`;
  });
  const more = `${count(themes.length - shown.length, 'more theme')} without images: the page would be too large.`;
  const texts = [...usersAndNotes(report), ...(themes.length > shown.length ? [more] : [])];
  const users = markup`<section>${texts.map((text) => markup`<p class="about">${prose(text)}</p>`)}</section>
`;
  return reportPage({
    title: hasChanges(report) ? headline(report) : 'No theme changes',
    about: markup`<code>${base.label}</code> → <code>${head.label}</code>, published at ${after.site.base_url}`,
    style: communityStyle + STYLE + shown.map(mockStyle).join(''),
    main: [...sections, users],
  });
}

function list(rows: readonly Row[]): Markup {
  const items = rows.map(
    ({ code, values, text }) =>
      markup`<li><code>${code}</code>: ${values?.join(' → ') ?? ''}${values === undefined || text === '' ? '' : '; '}${prose(text)}</li>`,
  );
  return items.length === 0 ? markup`` : markup`<ul>${items}</ul>`;
}
