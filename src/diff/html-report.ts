import { createHash } from 'node:crypto';
import { place } from '../diagnostics/diagnostic.ts';
import { compact } from '../diagnostics/compact.ts';
import { count } from '../diagnostics/quote.ts';
import { BASE_STYLE } from '../document/base-style.ts';
import { type Markup, markup, Markup as Safe, prose } from '../document/html.ts';
import { MOCK_STYLE } from '../preview/mock-style.ts';
import type { Change, ThemeChange } from '../changes/differences.ts';
import { usersText, verdict } from './format-text.ts';
import { mockStyles, themeSection } from './html-theme.ts';
import { type DiffReport, hasChanges, headline } from './report.ts';
import { audienceText, defaultOf } from '../changes/site-state.ts';

/** Bytes of the page, at most, and of the themes in it: what comes after has only its changes. */
const MAX_BYTES = 9_000_000;

const STYLE = `
body { padding: 2rem 0; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.chips li { border: 1px solid var(--line); border-radius: 1rem; background: var(--card); padding: .15rem .75rem; font-size: .875rem; }
.bad, .chips .bad { color: light-dark(#a01818, #ffa79b); border-color: currentColor; font-weight: 600; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem 1.25rem; margin-top: 1.25rem; }
section h2 { margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 small { font-weight: 400; font-size: .875rem; color: var(--soft); }
h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
section p, section li { overflow-wrap: anywhere; }
section ul { padding-left: 1.1rem; }
.sides + ul { margin-top: .6rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; padding: .4rem .6rem; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
thead th { border-top: 0; font-weight: 600; color: var(--soft); font-size: .8125rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: .9rem; }
.sides > figure { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.sides figcaption { display: flex; gap: .6rem; flex-wrap: wrap; padding: .35rem .7rem; font-size: .8125rem; color: var(--soft); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.sides figcaption b { color: var(--text); }
.ground { min-height: 6rem; padding: 1rem; }
.ground img { max-height: 14rem; }
.swatches { display: flex; height: 3.5rem; forced-color-adjust: none; }
.swatches svg { flex: 1; min-width: 0; width: 100%; height: 100%; display: block; }
details { margin-top: 1rem; }
summary { color: var(--link); }
details .screens { grid-template-columns: minmax(0, 1fr); }
details .wide .screen { min-width: 0; }
.sides > figure { display: flex; flex-direction: column; }
.both { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.25rem; }
`;

/** The report in one file, without script: nothing in it is requested, and nothing runs. @param images - `data:` URLs by SHA-256 */
export function htmlReport(report: DiffReport, images: ReadonlyMap<string, string>): string {
  const { base, head, themes, breaking, isAccepted, warnings, site, notes } = report;
  const shown = withinSize(report, images);
  const style = BASE_STYLE + MOCK_STYLE + STYLE + shown.style;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const title = hasChanges(report) ? headline(report) : 'No theme changes';
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Safe(style)}</style>
</head>
<body>
<header><h1>${title}</h1>
<p class="about"><code>${base.label}</code> → <code>${head.label}</code>, published at ${report.after.site.base_url}</p>
<ul class="chips">${chips(report)}</ul></header>
<main>
${list(
  count(breaking.length, 'breaking change'),
  breaking.map(({ what, reason, remedy }) => markup`<b class="bad">${what}</b> ${prose(reason)} ${prose(remedy)}`),
  verdict(breaking.length, isAccepted),
)}
${audience(report)}
${shown.sections}
${list(
  'Settings of the site',
  site.map(({ what, before, after }) => markup`<code>${what}</code>: ${before} → ${after}`),
)}
${list(
  'New warnings',
  warnings.map((warning) => markup`<code>${place(warning.location)}</code> ${prose(warning.message)}`),
)}
${list(
  'Notes',
  [
    ...notes,
    ...(shown.left > 0
      ? [`${count(shown.left, 'more theme')} of ${themes.length} without images: the page would be too large.`]
      : []),
  ].map(prose),
)}
</main>
</body>
</html>
`;
  return page.text;
}

function list(title: string, items: readonly Markup[], last = ''): Markup | string {
  if (items.length === 0) return '';
  return markup`<section><h2>${prose(title)}</h2><ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>${last === '' ? '' : markup`<p class="about">${prose(last)}</p>`}</section>`;
}

function chips({ themes, breaking, warnings, moves }: DiffReport): Markup[] {
  const changes = themes.flatMap((theme) => theme.changes);
  const of = (kind: Change['kind']): number => changes.filter((change) => change.kind === kind).length;
  const kinds = (kind: ThemeChange['kind']): number => themes.filter((theme) => theme.kind === kind).length;
  const chip = (n: number, text: string): Markup | string => (n === 0 ? '' : markup`<li>${text}</li>`);
  return [
    breaking.length === 0
      ? markup`<li>nothing breaks</li>`
      : markup`<li class="bad">${count(breaking.length, 'breaking change')}</li>`,
    chip(kinds('new'), `${kinds('new')} new`),
    chip(kinds('removed'), `${kinds('removed')} removed`),
    chip(of('image'), count(of('image'), 'image')),
    chip(of('colour'), count(of('colour'), 'colour')),
    chip(of('setting'), count(of('setting'), 'setting')),
    chip(moves?.moved ?? 0, `${count(moves?.moved ?? 0, 'user')} moved`),
    markup`<li>${count(warnings.length, 'new warning')}</li>`,
  ].flatMap((one) => (typeof one === 'string' ? [] : [one]));
}

/** Who sees something else. */
function audience(report: DiffReport): Markup | string {
  if (!hasChanges(report)) return '';
  const [old, now] = [defaultOf(report.before), defaultOf(report.after)];
  const isMoved = old !== undefined && now !== undefined && old.slug !== now.slug;
  const row = (...[name, who, what]: [string, string, string]): Markup =>
    markup`<tr><th scope="row">${name}</th><td>${who}</td><td>${what}</td></tr>`;
  const rows = report.themes.flatMap((theme) => {
    const isSeen = theme.changes.some(({ what, kind }) => kind !== 'colour' && !UNSEEN.has(what));
    const who = compact([
      theme.audience.isDefault && !isMoved && isSeen && VISITORS,
      audienceText(theme.audience) !== '' && audienceText(theme.audience),
    ]).join('; ');
    const what = theme.kind === 'removed' ? 'is removed' : theme.changes.map((change) => change.what).join(', ');
    return who === '' ? [] : [row((theme.after ?? theme.before)?.name ?? '', who, what)];
  });
  const all = isMoved ? [row(now.name, VISITORS, `instead of ${old.name}`), ...rows] : rows;
  const table = markup`<table><thead><tr><th scope="col">theme</th><th scope="col">who</th><th scope="col">what changes</th></tr></thead><tbody>${all}</tbody></table>`;
  return markup`<section><h2>Who sees something else</h2>
${all.length === 0 ? '' : table}
<p class="about">${usersText(report)}</p></section>`;
}

const VISITORS = 'visitors, and users without a theme';
/** What is only shown where themes are chosen, as colours are. */
const UNSEEN: ReadonlySet<string> = new Set(['id', 'name', 'is_default']);

/** The sections of themes, with mock pages and images as long as they fit. */
function withinSize(
  report: DiffReport,
  images: ReadonlyMap<string, string>,
): { sections: Markup[]; style: string; left: number } {
  const sections: Markup[] = [];
  const styles: string[] = [];
  let size = 0;
  let left = 0;
  for (const [at, theme] of report.themes.entries()) {
    const none = new Map<string, string>();
    let made = themeSection(theme, report, images, true, at);
    if (size + made.text.length > MAX_BYTES) made = themeSection(theme, report, images, false, at);
    if (size + made.text.length > MAX_BYTES) {
      made = themeSection(theme, report, none, false, at);
      left++;
    }
    size += made.text.length;
    sections.push(made);
    styles.push(...mockStyles(theme, at));
  }
  return { sections, style: styles.join('\n'), left };
}
