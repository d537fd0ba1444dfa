import { GENERATED_COMMENT, heading } from '../config-file.ts';
import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { identityMaps } from './identity.ts';
import { block, quote, quoteMapKey, quoteTemplate } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import {
  acceptPatterns,
  FORMAT_PARAMETER,
  HTML_WINS,
  notAcceptable,
  OFFERED,
  PRECISION_COMMENT,
  type Rendering,
} from '../negotiation.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';

/** `maps.caddy`: negotiation, identity and responses. Caddy evaluates a map when its placeholder is read. */
export function mapsCaddy(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  return `# themecast: the maps of the theme service, for service.caddy. ${GENERATED_COMMENT}
# All placeholders begin with themecast_. They read the original request ({http.request.orig_…}), before any rewrite.

${heading('Paths and content negotiation')}

# The path, percent-decoded but not normalized, and case-sensitive. (The path matcher would ignore case and resolve dots.)
${map('{http.request.orig_uri.path}', ['{themecast_place}'], placeRows(rules))}

${NEGOTIATION}
${heading('Identity')}

${identityMaps(rules.identity, rules.themes)}
${heading('Responses')}

# The response of an endpoint to each method: a rendering, its metadata, or a status.
${responseMaps(list, rules, ['index', 'browse'])}

${responseMaps(config, rules, ['{themecast_config_json}', '{themecast_config_html}'])}

# An image: its path below media/, as published, and its type.
${map('{http.request.orig_uri.path}', ['{themecast_picture}', '{themecast_picture_type}'], imageRows(rules))}

${schemaMap(rules)}# The original query with its question mark. (Caddy would encode it again.)
${map(
  '{http.request.orig_uri}',
  ['{themecast_query}'],
  [
    [quoteTemplate('~^[^?]*(\\?.*)$'), quoteTemplate('${1}')],
    ['default', '""'],
  ],
)}
${corsMap(rules)}`;
}

type Row = readonly [input: string, ...outputs: string[]];

/** A `map`; each row consists of quoted tokens. */
function map(source: string, destinations: readonly string[], rows: readonly Row[]): string {
  const name = ['map', quoteTemplate(source), ...destinations].join(' ');
  return block(
    name,
    rows.map((row) => row.join(' ')),
  ).join('\n');
}

function placeRows({ endpoints }: EdgeRules): Row[] {
  const { list, config } = endpoints;
  return [
    ...[list, config].flatMap(({ kind, path }): Row[] => [
      [quoteMapKey(path), quoteTemplate(kind)],
      [quoteMapKey(path.slice(0, -1)), quoteTemplate(`${kind}_without_slash`)],
    ]),
    ['default', quoteTemplate('nowhere')],
  ];
}

/** A parameter other than `q`, as in `src/edge-runtime/negotiate.ts`; RE2 has no look-ahead. */
const PARAMETER = String.raw`\s*(?:|[^q\s,;=][^,;=]*|q\s*[^\s,;=][^,;=]*)=`;

/** Content negotiation as in `src/edge-runtime/negotiate.ts`; both renderings of the same shape. */
const NEGOTIATION = `# The first \`format\` parameter of the query, not decoded. ({query.format} would be decoded.)
map {http.request.orig_uri.query} {themecast_format} {
	"~${FORMAT_PARAMETER}([^&]*)" "\${1}"
	default ""
}
map {themecast_format} {themecast_offered} {
	"" both
	json json
	api html
	default neither
}

${PRECISION_COMMENT.join('\n')}
${acceptMap('json')}
${acceptMap('html')}
map "{themecast_offered}:{themecast_accepts_json}{themecast_accepts_html}" {themecast_rendering} {
	~^neither: 404
	~${notAcceptable(OFFERED)} 406
	~^both:${HTML_WINS}$ html
	~^(?:both|json): json
	default html
}
`;

function acceptMap(rendering: Rendering): string {
  const patterns = acceptPatterns(rendering, PARAMETER);
  const rows = patterns.map((pattern, precision): Row => [quoteTemplate(`~(?i)${pattern}`), String(precision)]);
  return map(
    '{http.request.header.Accept}',
    [`{themecast_accepts_${rendering}}`],
    [['""', '0'], ...rows.toReversed(), ['default', '"-"']],
  );
}

const RESPONSES: Readonly<Record<string, string>> = {
  GET: '{themecast_rendering}',
  HEAD: '{themecast_rendering}',
  OPTIONS: 'options',
  POST: '403',
};

/** The response of an endpoint to each method, and its file and headers. */
function responseMaps(
  { kind, methods, cacheControl }: EdgeEndpoint,
  { contentTypes, headers }: EdgeRules,
  [json, html]: readonly [json: string, html: string],
): string {
  const response = `{themecast_${kind}_answer}`;
  const jsonType = quote(contentTypes.json);
  const cacheable = quote(cacheControl);
  const noStore = quote(headers.error['Cache-Control'] ?? 'no-store');
  const columns = ['file', 'instead', 'type', 'cache_control'].map((column) => `{themecast_${kind}_${column}}`);
  return [
    map(
      '{http.request.orig_method}',
      [response],
      [
        ...methods.map((method): Row => [method, quoteTemplate(RESPONSES[method] ?? '405')]),
        ['default', quoteTemplate('405')],
      ],
    ),
    map(response, columns, [
      ['json', quoteTemplate(`${json}.json`), quoteTemplate('index.json'), jsonType, cacheable],
      ['html', quoteTemplate(`${html}.html`), quoteTemplate('browse.html'), quote(contentTypes.html), cacheable],
      ['options', quoteTemplate('options.json'), quoteTemplate('options.json'), jsonType, noStore],
      ['default', '""', '""', jsonType, noStore],
    ]),
  ].join('\n');
}

function imageRows({ basePath }: EdgeRules): Row[] {
  const folder = escapeRegExp(`${basePath}/media`);
  return [
    ...MEDIA_TYPES.map(({ mediaType, extensions }): Row => [
      quoteTemplate(`~^${folder}(/${mediaFilePattern(extensions)})$`),
      quoteTemplate('${1}'),
      quote(mediaType),
    ]),
    ['default', '""', '""'],
  ];
}

function schemaMap({ schemas }: EdgeRules): string {
  if (schemas.length === 0) return '';
  const rows = schemas.map(({ path, file }): Row => [quoteMapKey(path), quoteTemplate(file)]);
  return `# A schema: its file.
${map('{http.request.orig_uri.path}', ['{themecast_schema}'], [...rows, ['default', '""']])}

`;
}

function corsMap({ corsOrigins: origins }: EdgeRules): string {
  if (origins.length === 0) return '';
  const listed = origins.map((origin): Row => [quoteMapKey(origin), quote(origin)]);
  return `
# CORS: the origin, if site.yaml allows it.
${map('{http.request.header.Origin}', ['{themecast_cors_origin}'], [...listed, ['default', '""']])}
`;
}
