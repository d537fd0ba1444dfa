import { type Markup, markup } from '../../document/html.ts';
import { NOTHING_MISSING } from '../../document/missing.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { hexOf } from '../../theme/palette.ts';
import { mockPages } from '../../preview/mock-page.ts';
import type { GalleryContent } from './content.ts';
import { DEV_PATHS, layout } from './layout.ts';
import { strip } from './gallery-page.ts';
import { stage } from './stage.ts';

/** What a new theme is made from, as typed. */
export interface NewThemeInput {
  name: string;
  colour: string;
  /** The colours of the logo, between spaces. */
  palette: string;
  extends: string;
}

/** The page that makes a theme. @param record - of the theme as it would be */
export function newThemePage(
  input: NewThemeInput,
  record: ThemeRecord,
  content: GalleryContent,
  query: URLSearchParams,
): string {
  const parents = content.themes.map(
    ({ slug, record: { name } }) =>
      markup`<option value="${slug}"${slug === input.extends ? markup` selected` : ''}>${name}</option>`,
  );
  return layout(
    {
      title: 'New theme',
      path: DEV_PATHS.newTheme,
      view: { style: `${DEV_PATHS.newStyle}?${new URLSearchParams({ ...input }).toString()}`, query },
      main: markup`${stage(query, mockPages({ record, missing: NOTHING_MISSING }))}<section class="inspector" aria-label="Settings">
<div class="title"><h1>New theme</h1>
<p class="about">A name is enough. Everything else is a placeholder for now, or comes from the theme that it is based on.</p></div>
<form class="panel new" id="view" action="${DEV_PATHS.newTheme}" data-live data-send>
<noscript><p class="about">Changes need JavaScript.</p></noscript>
${field('name', 'Name', '', markup`<input id="name" name="name" value="${input.name}" required maxlength="100" autocomplete="off" aria-describedby="error-name error-slug"><span class="error" id="error-slug" data-error="slug"></span>`)}${field('logo', 'Logo', 'PNG, JPEG, WebP, AVIF, GIF or SVG', markup`<input id="logo" type="file" name="logo" accept="image/*" aria-describedby="error-logo"><input type="hidden" name="palette" value="${input.palette}">`)}<div id="logo-colours" data-part>${input.palette === '' || input.colour !== '' ? '' : markup`<p>Colours of the logo</p>${strip({ record, missing: NOTHING_MISSING })}`}</div>
${field('colour', 'Colour', 'the nine colours are made from it, or from the logo', markup`<span class="colour"><input id="colour" type="text" name="colour" value="${input.colour}" autocomplete="off" spellcheck="false" aria-describedby="error-colour"><input type="color" aria-label="Colour: pick" data-picks="colour" value="${hexOf(record.palette_preview[0] ?? '')}"></span>`)}${field('extends', 'Based on', '', markup`<select id="extends" name="extends" aria-describedby="error-extends"><option value="">no other theme</option>${parents}</select>`)}<button class="main">Create theme</button>
</form>
</section>
`,
    },
    content,
  );
}

function field(name: string, label: string, hint: string, control: Markup): Markup {
  return markup`<div class="entry"><label for="${name}">${label}${hint === '' ? '' : markup` <small>${hint}</small>`}</label>${control}<span class="error" id="error-${name}" data-error="${name}"></span></div>
`;
}
