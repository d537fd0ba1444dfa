import { type Markup, markup } from '../../document/html.ts';
import type { GalleryContent, GalleryTheme } from './content.ts';
import { editPath, layout, themePath } from './layout.ts';
import { type GivenForm, GROUPS, type PostForm, themeInputs } from './post-form.ts';

/** The form that edits a theme. @param hash - of theme.yaml as it is shown */
export function editPage(
  theme: GalleryTheme,
  content: GalleryContent,
  site: PostForm['site'],
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

/** The fields of an existing theme; its folder stays. */
const EDIT_GROUPS = GROUPS.map(([legend, fields]) => [legend, fields.filter((field) => field !== 'slug')] as const);
export const EDIT_FIELDS: readonly string[] = [...EDIT_GROUPS.flatMap(([, fields]) => fields), 'palette_preview'];

/** The form that edits an existing theme. @param shown - its fields as theme.yaml has them, or as they were typed */
function editForm(forms: PostForm, shown: GivenForm, hash: string): Markup {
  const { errors, fields } = themeInputs({ ...forms, isEdit: true }, EDIT_GROUPS, shown);
  return markup`${errors}<form method="post" action="${forms.action}" enctype="multipart/form-data"${shown.errors.size > 0 ? markup` data-given` : ''}>
<input type="hidden" name="token" value="${forms.token}">
<input type="hidden" name="hash" value="${hash}">
${fields}<button>Save</button>
</form>
`;
}
