import { type Markup, markup } from '../../../core/document/page/html.ts';
import { NOTHING_MISSING } from '../../../core/document/page/missing.ts';
import type { ThemeRecord } from '../../../core/document/record.ts';
import { hexOf } from '../../../core/theme/colour/palette.ts';
import { mockPages } from '../../../core/document/preview/mock-page.ts';
import type { GalleryContent } from './content.ts';
import { strip } from './gallery-page.ts';
import { DEV_PATHS, layout } from './layout.ts';
import { options } from './editor.ts';
import { stage } from './stage.ts';

/**
 * Returns the page for creating a theme.
 * @param query - the input, and the view
 * @param record - the record of the new theme
 */
export function newThemePage(query: URLSearchParams, record: ThemeRecord, content: GalleryContent): string {
  const themes = content.themes.map(({ slug, record: { name } }) => [slug, name] as const);
  const parents = options([['', 'no other theme'], ...themes], query.get('extends') ?? '');
  return layout(
    {
      title: 'New theme',
      path: DEV_PATHS.newTheme,
      view: { style: `${DEV_PATHS.newStyle}?${query.toString()}`, query },
      main: markup`${stage(query, mockPages({ record, missing: NOTHING_MISSING }))}<section class="inspector" aria-label="Settings">
<div class="title"><h1>New theme</h1>
<p class="about">A name is enough. Everything else is a placeholder for now, or comes from the theme that it is based on.</p></div>
<form class="panel new" id="view" action="${DEV_PATHS.newTheme}" data-live data-send>
<noscript><p class="about">Changes need JavaScript.</p></noscript>
${field('name', 'Name', '', markup`<input id="name" name="name" value="${query.get('name') ?? ''}" required maxlength="100" autocomplete="off" aria-describedby="error-name error-slug"><span class="error" id="error-slug" data-error="slug"></span>`)}${field('logo', 'Logo', 'PNG, JPEG, WebP, AVIF, GIF or SVG', markup`<input id="logo" type="file" name="logo" accept="image/*" aria-describedby="error-logo"><input type="hidden" name="palette" value="${query.get('palette') ?? ''}">`)}<div id="logo-colours" data-part>${query.get('palette') && !query.get('colour') ? markup`<p>Colours of the logo</p>${strip({ record, missing: NOTHING_MISSING })}` : ''}</div>
${field('colour', 'Colour', 'for the nine colours; default: from the logo', markup`<span class="colour"><input id="colour" type="text" name="colour" value="${query.get('colour') ?? ''}" autocomplete="off" spellcheck="false" aria-describedby="error-colour"><input type="color" aria-label="Colour: pick" data-picks="colour" value="${hexOf(record.palette_preview[0] ?? '')}"></span>`)}${field('extends', 'Based on', '', markup`<select id="extends" name="extends" aria-describedby="error-extends">${parents}</select>`)}<button class="main">Create theme</button>
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
