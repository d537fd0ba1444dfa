import { LIST } from '../document/endpoint.ts';
import { markup } from '../document/html.ts';
import { jsonBox, prettyJson } from '../document/pretty-json.ts';
import { image, themeImages, totalSize } from '../document/theme-images.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { layout, themePath } from './layout.ts';
import { mockPages } from './mock-page.ts';
import { diagnosticsBadge, diagnosticsBox, diagnosticsCount } from './problems.ts';
import { badges, editLinks, usersOf } from './theme-facts.ts';

/** All about one theme: its diagnostics, a mock community page, its images and its record. */
export function themePage(theme: GalleryTheme, content: GalleryContent): string {
  const { slug, record, sizes, diagnostics } = theme;
  const found = diagnosticsCount(diagnostics);
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
${image(record.favicon, '', 32, 32)}
<h1><bdi>${record.name}</bdi></h1>
</div>
<p class="row">
${badges(theme)}${diagnosticsBadge(diagnostics, '')}</p>
<p class="about">Used by ${usersOf(theme)}.${size === '' ? '' : ` ${size}.`}</p>
<p class="row links">
${editLinks(theme, content.links)}</p>
`,
      main: markup`${
        found === ''
          ? ''
          : markup`<section aria-labelledby="diagnostics">
<h2 id="diagnostics">${found}</h2>
${diagnosticsBox(diagnostics, content.textOf)}
</section>
`
      }<section aria-labelledby="mock">
<h2 id="mock">In a community</h2>
${mockPages(record)}</section>
<section aria-labelledby="images">
<h2 id="images">Images and palette</h2>
<div class="panel">
${themeImages(record, sizes, 3)}
</div>
</section>
<section aria-labelledby="record">
<h2 id="record">Record</h2>
<p class="about">As in the list at <code>${LIST.path}</code>.</p>
<div class="panel flush">
${jsonBox(prettyJson(record), 'Record of the theme')}
</div>
</section>
`,
    },
    content,
  );
}
