import { count } from '../../core/diagnostics/quote.ts';
import { type Markup, markup, prose } from '../../core/document/page/html.ts';
import { reportPage } from '../../core/document/page/report-page.ts';
import { mocks, mockStyle, themePictures } from './html-theme.ts';
import { type DiffReport, hasChanges, headline, type ReportLine, sectionsOf, usersAndNotes } from './report.ts';

/** Limits the themes with pictures. */
const MAX_PICTURED = 30;

/**
 * Formats the report as an HTML file without scripts and requests.
 * @param images - `data:` URLs by SHA-256
 * @param style - the style sheets of the mock community and of this page
 */
export function htmlReport(report: DiffReport, images: ReadonlyMap<string, string>, style: string): string {
  const { base, head, themes, after } = report;
  const pictured = themes.slice(0, MAX_PICTURED);
  const sections = sectionsOf(report).map(({ code, title, about, rows, tone, theme }) => {
    const badge =
      theme === undefined
        ? ''
        : markup` <small><code>${code}</code></small> <span class="badge ${theme.kind}">${theme.kind}</span>`;
    const at = theme === undefined ? -1 : pictured.indexOf(theme);
    return markup`<section class="${tone ?? ''}"><h2>${title}${badge}</h2><p class="about">${prose(about)}</p>
${list(at === -1 ? rows : rows.filter((row) => row.images === undefined))}${theme === undefined || at === -1 ? '' : [themePictures(theme, rows, report, images), mocks(theme, report, images, at)]}</section>
`;
  });
  const more = `${count(themes.length - pictured.length, 'more theme')} without images: the page would be too large.`;
  const texts = [...usersAndNotes(report), ...(themes.length > pictured.length ? [more] : [])];
  const users = markup`<section>${texts.map((text) => markup`<p class="about">${prose(text)}</p>`)}</section>
`;
  return reportPage({
    title: hasChanges(report) ? headline(report) : 'No theme changes',
    about: markup`<code>${base}</code> → <code>${head}</code>, published at ${after.site.base_url}`,
    style: style + pictured.map((theme, at) => mockStyle(theme, report, at)).join(''),
    main: [...sections, users],
  });
}

function list(rows: readonly ReportLine[]): Markup {
  const items = rows.map(({ code, values, text }) => {
    const parts = [...(values === undefined ? [] : [values.join(' → ')]), ...(text === '' ? [] : [prose(text)])];
    return markup`<li><code>${code}</code><span>${parts.flatMap((part, at) => (at === 0 ? [part] : ['; ', part]))}</span></li>`;
  });
  return items.length === 0 ? markup`` : markup`<ul class="rows">${items}</ul>`;
}
