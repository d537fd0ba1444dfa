import { markup } from '../document/html.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { editPath, layout, themePath } from './layout.ts';
import { editForm, type GivenForm, type PostForms } from './post-forms.ts';

/** The form that edits a theme. @param hash - of theme.yaml as it is shown */
export function editPage(
  theme: GalleryTheme,
  content: GalleryContent,
  site: PostForms['site'],
  shown: GivenForm,
  hash: string,
): string {
  const { slug, record } = theme;
  const slugs = content.themes.map((other) => other.slug).filter((other) => other !== slug);
  const forms = { action: editPath(slug), token: content.token ?? '', site, slugs };
  return layout(
    {
      title: `Edit ${record.name}`,
      path: editPath(slug),
      head: markup`<nav class="trail" aria-label="Breadcrumb">
<ol>
<li><a href="/">Themes</a></li>
<li><a href="${themePath(slug)}"><bdi>${record.name}</bdi></a></li>
<li><a href="${editPath(slug)}" aria-current="page">Edit</a></li>
</ol>
</nav>
<h1>Edit <bdi>${record.name}</bdi></h1>
<p class="about">The fields as <code>${slug}/theme.yaml</code> has them. Only the values that you change are written; an empty field is removed from the file, and so inherited or missing.</p>
`,
      main: markup`${editForm(forms, shown, hash)}`,
    },
    content,
  );
}
