import { acceptedFormats, FORMATS } from '../image/format.ts';
import type { FieldRow } from '../theme/field-rows.ts';
import { type Field, type ImageSetField, meaningOf, OWN_FIELDS, RECORD_FIELDS, ROWS, LABELS } from '../theme/fields.ts';
import type { Site } from '../theme/site.ts';
import { SLUG } from '../theme/slug.ts';
import type { GitHost } from '../document/preview/git-host.ts';

/** The repository that the CMS reads and writes. */
export interface CmsTarget {
  host: GitHost;
  branch: string;
  /** Folder of the themes below the root of the repository, with `/`; empty for the root. */
  themesPath: string;
  /** For signing in by account: the URL of an OAuth client (GitHub) or the id of an application (GitLab). Default: by token */
  oauth: string | undefined;
}

/** A type of field that the page adds, because the colour picker of the CMS clears every colour not written as `#rrggbb`. */
export const COLOUR_FIELD = 'css-colour';

/** Options of the CMS, as in the JSON schema of its package. */
type Options = Record<string, unknown>;

/** The properties of the existing themes that the form depends on. */
export interface Authoring {
  /**
   * Fields that a theme sets to `{original: URL, thumbnail: URL}`. The form omits them: the CMS has no field for a path or a mapping,
   * and would drop the mapping on saving, but keeps fields outside the form.
   */
  byUrls: readonly ImageSetField[];
  /** The next free id, for a new theme. */
  nextId: number;
}

/** Roughly the syntax of CSS colours; the build validates them. */
const COLOUR_PATTERN = '^(?:#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})|[A-Za-z]+|[A-Za-z-]+\\(.+\\))$';

/** Returns `config.yml` of the CMS: a folder of themes, with a form for the fields of `theme.yaml`. */
export function cmsConfig(site: Site, target: CmsTarget, authoring: Authoring): Options {
  return {
    backend: backend(target),
    // Every change becomes a pull request or merge request, so that the checks of the repository run first.
    publish_mode: 'editorial_workflow',
    app_title: 'Themes',
    show_preview_links: false,
    media_folder: target.themesPath,
    media_libraries: {
      default: { config: { max_file_size: site.limits.picture_bytes } },
      // These are third-party image services.
      stock_assets: false,
    },
    slug: { encoding: 'ascii', clean_accents: true, maxlength: 64 },
    // An empty field is inherited or has its default; `logo: ""` would be an error.
    output: { omit_empty_optional_fields: true },
    collections: [
      {
        name: 'themes',
        label: 'Themes',
        label_singular: 'Theme',
        folder: target.themesPath,
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
        fields: fields(site, authoring).filter(({ name }) => !authoring.byUrls.some((field) => field === name)),
      },
    ],
  };
}

function backend({ host: { name, host, repository }, branch, oauth }: CmsTarget): Options {
  const repo = { repo: repository, branch };
  const signIn = oauth === undefined ? { auth_methods: ['token'] } : {};
  if (name === 'GitHub') {
    return { name: 'github', ...repo, ...signIn, ...(oauth === undefined ? {} : { base_url: oauth }) };
  }
  const roots = host === 'gitlab.com' ? {} : { base_url: `https://${host}`, api_root: `https://${host}/api/v4` };
  const account = oauth === undefined ? {} : { auth_type: 'pkce', app_id: oauth };
  return { name: 'gitlab', ...repo, ...roots, ...signIn, ...account };
}

function fields(site: Site, { nextId }: Authoring): Options[] {
  // The most important fields of a new theme come first.
  const order = new Set(['name', 'id', 'extends', ...RECORD_FIELDS] as const);
  return [...order].map((name) => ({
    name,
    label: LABELS[name],
    ...(name === 'extends' ? PARENT_FIELD : widget(name, ROWS[name], site)),
    // The remaining required fields may be inherited.
    required: name === 'id' || name === 'name',
    ...(name === 'id' && { default: nextId }),
    hint: name === 'extends' ? meaningOf(name) : hint(name),
  }));
}

/** The field `extends`: a list of themes by name. */
const PARENT_FIELD: Options = {
  widget: 'relation',
  collection: 'themes',
  value_field: '{{slug}}',
  display_fields: ['name'],
};

/** Explains the purpose of a field, without its YAML syntax. */
function hint(name: Field): string {
  const meaning = meaningOf(name);
  const row = ROWS[name];
  if (!('default' in row)) return meaning;
  return `${meaning} ${OWN_FIELDS.some((field) => field === name) ? 'Default' : 'Default if not inherited'}: ${row.default}.`;
}

function widget(name: Field, row: FieldRow, site: Site): Options {
  if (row.kind !== 'setting') {
    const formats = acceptedFormats(name).flatMap((format) => FORMATS[format].extensions);
    return {
      widget: 'image',
      accept: formats.map((extension) => `.${extension}`).join(','),
      choose_url: site.allowed_hosts.length > 0,
    };
  }
  switch (row.type) {
    case 'choice':
      return { widget: 'select', options: site[row.values] };
    case 'integer':
    case 'pixels':
      return { widget: 'number', value_type: 'int', min: row.min, max: row.max, step: 1 };
    case 'boolean':
      return { widget: 'boolean' };
    case 'colours': {
      const colour = {
        name: 'colour',
        label: 'Colour',
        widget: COLOUR_FIELD,
        pattern: [COLOUR_PATTERN, 'A CSS colour.'],
      };
      return { widget: 'list', min: row.count, max: row.count, field: colour };
    }
    default:
      return { widget: 'string', maxlength: row.maxLength };
  }
}
