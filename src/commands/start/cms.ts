import { markup, pageStart } from '../../core/document/page/html.ts';
import type { GitHost } from '../../core/document/preview/git-host.ts';
import { acceptedFormats, FORMATS } from '../../core/image/format.ts';
import { writeYaml } from '../../core/source/write-yaml.ts';
import {
  type Field,
  type ImageSetField,
  LABELS,
  meaningOf,
  RECORD_FIELDS,
  ROWS,
} from '../../core/theme/fields/fields.ts';
import type { FieldRow } from '../../core/theme/fields/field-rows.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { SLUG } from '../../core/theme/slug.ts';

/** The tested version of Sveltia CMS. */
export const CMS_VERSION = '0.221.1';

/** What the CMS edits. */
export interface CmsSite {
  host: GitHost;
  /** The branch that changes are merged into. */
  branch: string;
  /** Folder of the themes below the root of the repository, with `/`; empty for the root. */
  themesPath: string;
  site: Site;
  /** Fields that a theme sets to `{original: URL, thumbnail: URL}`, which the CMS would drop on saving: they are not in the form. */
  byUrls: readonly ImageSetField[];
}

/** Options of the CMS, as in the JSON schema of its package. */
type Options = Record<string, unknown>;

/** Roughly the syntax of CSS colours; the build validates them. */
const COLOUR = ['^(?:#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})|[A-Za-z]+|[A-Za-z-]+\\(.+\\))$', 'A CSS colour.'];

/** Returns the files of the CMS by name. @param script - the CMS, as its package has it */
export function cmsFiles(cms: CmsSite, script: Uint8Array): Map<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    [
      'admin/config.yml',
      writeYaml(Object.entries(config(cms)), '# The form for themes: https://sveltiacms.app/en/docs'),
    ],
    ['admin/index.html', page(cms)],
    ['admin/sveltia-cms.js', script],
  ]);
}

/** Returns a folder of themes, with a form for the fields of `theme.yaml`. */
function config({ host, branch, themesPath, site, byUrls }: CmsSite): Options {
  const names = ['name', 'id', 'extends', ...RECORD_FIELDS, 'palette_dark'] as const;
  return {
    backend: backend(host, branch),
    // Every change becomes a pull request or merge request, so that the checks of the repository run first.
    publish_mode: 'editorial_workflow',
    app_title: 'Themes',
    show_preview_links: false,
    media_folder: themesPath,
    // The stock assets are third-party services.
    media_libraries: { default: { config: { max_file_size: site.limits.picture_bytes } }, stock_assets: false },
    slug: { encoding: 'ascii', clean_accents: true, maxlength: 64 },
    // An empty field is inherited or has its default; `logo: ""` would be an error.
    output: { omit_empty_optional_fields: true },
    collections: [
      {
        name: 'themes',
        label: 'Themes',
        label_singular: 'Theme',
        folder: themesPath,
        path: '{{slug}}/theme',
        extension: 'yaml',
        format: 'yaml',
        media_folder: '',
        public_folder: '',
        identifier_field: 'name',
        summary: '{{name}} ({{slug}})',
        slug: {
          template: '{{name}}',
          // Not editable later, because `extends` and users files refer to it.
          editable: ['create'],
          pattern: [SLUG.source, 'Lower-case letters, digits and hyphens, at most 64.'],
        },
        // A copy would have the same id, and no images.
        duplicate: false,
        // The preview of the CMS shows field values; `themecast dev` shows themes.
        editor: { preview: false },
        fields: [...new Set(names)]
          .filter((name) => !byUrls.some((field) => field === name))
          .map((name) => ({
            name,
            // The remaining required fields may be inherited.
            required: name === 'id' || name === 'name',
            hint: meaningOf(name),
            ...widget(name, site),
          })),
      },
    ],
  };
}

function backend({ name, host, repository }: GitHost, branch: string): Options {
  const roots =
    name === 'GitHub' || host === 'gitlab.com'
      ? {}
      : { base_url: `https://${host}`, api_root: `https://${host}/api/v4` };
  return { name: name.toLowerCase(), repo: repository, branch, ...roots, auth_methods: ['token'] };
}

function widget(name: Field | 'extends' | 'palette_dark', site: Site): Options {
  if (name === 'palette_dark') return { ...widget('palette_preview', site), label: 'Colours in dark mode' };
  const label = LABELS[name];
  if (name === 'extends')
    return { label, widget: 'relation', collection: 'themes', value_field: '{{slug}}', display_fields: ['name'] };
  const row: FieldRow = ROWS[name];
  if (row.kind !== 'setting') {
    const formats = acceptedFormats(name).flatMap((format) => FORMATS[format].extensions);
    const accept = formats.map((extension) => `.${extension}`).join(',');
    return { label, widget: 'image', accept, choose_url: site.allowed_hosts.length > 0 };
  }
  switch (row.type) {
    case 'choice':
      return { label, widget: 'select', options: site[row.values].map((value) => ({ label: plain(value), value })) };
    case 'integer':
    case 'pixels':
      return { label, widget: 'number', value_type: 'int', min: row.min, max: row.max, step: 1 };
    case 'boolean':
      return { label, widget: 'boolean' };
    case 'colours': {
      // Not the colour picker of the CMS, which clears every colour that is not written as `#rrggbb`.
      const field = { name: 'colour', label: 'Colour', widget: 'string', pattern: COLOUR };
      return { label, widget: 'list', min: row.count, max: row.count, field };
    }
    default:
      return { label, widget: 'string', maxlength: row.maxLength };
  }
}

/** Returns a value of a list as a label: `Inverse` for `INVERSE`. */
function plain(value: string): string {
  const words = value.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the page. Its policy lets it run the script beside it only, read fonts and translations, and talk to the Git host. */
function page({ host: { name, host }, site }: CmsSite): string {
  const api = name === 'GitHub' ? 'api.github.com' : host;
  const avatars = name === 'GitHub' ? ['avatars.githubusercontent.com'] : [host, 'secure.gravatar.com'];
  const images = [...avatars, ...site.allowed_hosts].map((from) => `https://${from}`);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Components of the CMS set inline styles. Its fonts and translations are not in its script; without translations, it hangs.
    "style-src 'self' 'unsafe-inline'",
    'font-src https://cdn.jsdelivr.net/fontsource/',
    ['img-src', "'self'", 'blob:', 'data:', ...new Set(images)].join(' '),
    `connect-src 'self' blob: data: https://${api} https://unpkg.com/@sveltia/`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return markup`${pageStart('Themes', policy)}<link rel="cms-config-url" type="application/yaml" href="config.yml">
</head>
<body>
<script src="sveltia-cms.js"></script>
</body>
</html>
`.text;
}
