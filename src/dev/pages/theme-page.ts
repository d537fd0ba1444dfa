import { LIST } from '../../document/endpoint.ts';
import { count, visible } from '../../diagnostics/quote.ts';
import { type Markup, markup } from '../../document/html.ts';
import { missingBox } from '../../document/missing.ts';
import { jsonBox, prettyJson } from '../../document/pretty-json.ts';
import { image, themeImages, totalSize } from '../../document/theme-images.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { layout, themePath } from './layout.ts';
import { mockPages } from '../../preview/mock-page.ts';
import { diagnosticsBadge, diagnosticsBox, diagnosticsCount } from './problems.ts';
import { badges, editLinks, usersOf } from './theme-facts.ts';

/** Who gets a theme. */
export interface Assigned {
  /** The files that list its users. */
  files: readonly string[];
  /** A few of the keys. */
  sample: readonly { key: string }[];
}

/** All about one theme: its diagnostics, a mock community page, its images and its record. */
export function themePage(theme: GalleryTheme, content: GalleryContent, assigned?: Assigned): string {
  const { slug, record, sizes, diagnostics, missing } = theme;
  // The box above them has those of all themes.
  const found = content.problems === undefined ? diagnosticsCount(diagnostics) : '';
  const size = totalSize(record, sizes);
  return layout(
    {
      title: record.name,
      path: themePath(slug),
      mocked: slug,
      head: markup`<nav class="trail" aria-label="Breadcrumb">
<ol>
<li><a href="/">Themes</a></li>
<li><a href="${themePath(slug)}" aria-current="page"><bdi>${record.name}</bdi></a></li>
</ol>
</nav>
<div class="row">
${missing.has('favicon') ? '' : markup`${image(record.favicon, '', 32, 32)}\n`}<h1><bdi>${record.name}</bdi></h1>
</div>
<p class="row">
${badges(theme)}${diagnosticsBadge(diagnostics, '', content.problems === undefined ? 'diagnostics' : 'problems')}</p>
${incomplete(theme)}<p class="about">Used by ${usersOf(theme)}${assigned === undefined ? '' : whoGets(theme, assigned)}.${size === '' ? '' : ` ${size}.`}</p>
<p class="row links">
${editLinks(theme, content.links)}</p>
`,
      main: markup`${
        found === ''
          ? ''
          : markup`<section aria-labelledby="diagnostics">
<h2 id="diagnostics">${found}</h2>
${diagnosticsBox(diagnostics, content.textOf, content.token)}
</section>
`
      }<section aria-labelledby="mock">
<h2 id="mock">In a community</h2>
${mockPages(theme)}</section>
<section aria-labelledby="images">
<h2 id="images">Images and palette</h2>
<div class="panel">
${themeImages(record, sizes, 3, missing)}
</div>
</section>
${
  missing.size > 0
    ? ''
    : markup`<section aria-labelledby="record">
<h2 id="record">Record</h2>
<p class="about">As in the list at <code>${LIST.path}</code>.</p>
<div class="panel flush">
${jsonBox(prettyJson(record), 'Record of the theme')}
</div>
</section>
`
}`,
    },
    content,
  );
}

/** What a theme lacks that has no place on the page of its own. */
function incomplete({ missing, isEarlier }: GalleryTheme): Markup | string {
  if (isEarlier)
    return markup`<p class="about">The files of this theme have errors. This is the theme of the last successful build.</p>\n`;
  const facts = (['id', 'name', 'favicon'] as const).flatMap((field) => missingBox(field, missing) ?? []);
  return missing.size === 0
    ? ''
    : markup`<p class="about">This theme is not complete: ${count(missing.size, 'field')} of it ${missing.size === 1 ? 'is' : 'are'} missing or invalid.</p>\n${facts.length === 0 ? '' : markup`<p class="row">${facts}</p>\n`}`;
}

/** `: themes/users.csv (u-1001, u-1003 and 1 more)` */
function whoGets({ users }: GalleryTheme, { files, sample }: Assigned): Markup | string {
  if (files.length === 0) return '';
  const names = files.slice(0, MAX_FILES).map((file, at) => markup`${at === 0 ? '' : ', '}<code>${file}</code>`);
  const keys = sample.map(({ key }, at) => markup`${at === 0 ? '' : ', '}<bdi>${visible(key)}</bdi>`);
  const [moreFiles, moreKeys] = [files.length - names.length, users.user + users.group - sample.length];
  return markup`: ${names}${moreFiles > 0 ? ` and ${count(moreFiles, 'more file')}` : ''} (${keys}${moreKeys > 0 ? ` and ${count(moreKeys, 'more', 'more')}` : ''})`;
}

/** Files of users that are named. */
const MAX_FILES = 3;
