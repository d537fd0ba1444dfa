import { count } from '../../diagnostics/quote.ts';
import { markup } from '../../document/html.ts';
import { NOTHING_MISSING } from '../../document/missing.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { hexOf } from '../../theme/palette.ts';
import { mockPages } from '../../preview/mock-page.ts';
import type { GalleryContent } from './content.ts';
import { DEV_PATHS, layout } from './layout.ts';

/** What a new theme is made from, as typed. */
export interface NewThemeInput {
  name: string;
  colour: string;
  extends: string;
}

/** The page that makes a theme. @param record - of the theme as it would be */
export function newThemePage(
  input: NewThemeInput,
  errors: ReadonlyMap<string, readonly string[]>,
  record: ThemeRecord,
  content: GalleryContent,
): string {
  const query = new URLSearchParams({ ...input }).toString();
  const error = (field: string) =>
    markup`<span class="error" id="error-${field}">${(errors.get(field) ?? []).join(' ')}</span>`;
  const describe = (field: string) =>
    errors.has(field)
      ? markup` aria-invalid="true" aria-describedby="error-${field}"`
      : markup` aria-describedby="error-${field}"`;
  const parents = content.themes.map(
    ({ slug, record: { name } }) =>
      markup`<option value="${slug}"${slug === input.extends ? markup` selected` : ''}>${name}</option>`,
  );
  return layout(
    {
      title: 'New theme',
      path: DEV_PATHS.newTheme,
      mockStyle: `/themes/new.css?${query}`,
      isStudio: true,
      head: markup`<h1>New theme</h1>
<p class="about">A name is enough. What you do not give now is a placeholder, or comes from the theme that it is based on; you replace it on the next page.</p>
`,
      main: markup`<div class="split">
<section class="stage" aria-labelledby="mock">
<h2 id="mock" class="unseen">In a community</h2>
<div id="preview" data-part>${mockPages({ record, missing: NOTHING_MISSING })}</div>
</section>
<form class="panel new" method="post" action="${DEV_PATHS.newTheme}" enctype="multipart/form-data" data-live>
<input type="hidden" name="token" value="${content.token ?? ''}">
${errors.size === 0 ? '' : markup`<p class="error" role="alert">Not created: ${count(errors.size, 'field')} to correct.</p>`}
${error('non_field_errors')}
<div class="field"><label for="name">Name</label><input id="name" name="name" value="${input.name}" required maxlength="100" autocomplete="off"${describe('name')}>${error('name')}${error('slug')}</div>
<div class="field"><label for="logo">Logo <small>PNG, JPEG, WebP, AVIF, GIF or SVG</small></label><input id="logo" type="file" name="logo" accept="image/*"${describe('logo')}>${error('logo')}</div>
<div class="field"><label for="colour">Colour <small>nine colours are made from it, or from the logo</small></label><span class="colour"><input id="colour" type="text" name="colour" value="${input.colour}" autocomplete="off" spellcheck="false"${describe('colour')}><input type="color" aria-label="Colour: pick" data-picks="colour" value="${hexOf(record.palette_preview[0] ?? '')}"></span>${error('colour')}</div>
<div class="field"><label for="extends">Based on</label><select id="extends" name="extends"${describe('extends')}><option value="">no other theme</option>${parents}</select>${error('extends')}</div>
<button>Create theme</button>
</form>
</div>
`,
    },
    content,
  );
}
