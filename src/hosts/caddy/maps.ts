import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import type { EdgeRules } from '../contract.ts';
import { identityMaps } from './identity.ts';
import { block, quote, quoteMapKey, quoteTemplate } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';
import { acceptPatterns, FORMAT_PARAMETER, HTML_WINS, notAcceptable, OFFERED, type Rendering } from '../negotiation.ts';
import { MEDIA_TYPES, mediaFilePattern } from '../media.ts';

/** `maps.caddy`: what a request asks for, who asks, and what is sent. Caddy fills in a map when its placeholder is read, not before. */
export function mapsCaddy(rules: EdgeRules): string {
  const { list, config } = rules.endpoints;
  return `# themecast: the maps of the theme service, for service.caddy. Generated from site.yaml: change that, not this.
# All placeholders are called {themecast_…}. They read the request as it came ({http.request.orig_…}), whatever is rewritten.

# --- What is asked for -----------------------------------------------------------------------------------------------

# The path, percent-decoded but not cleaned, in its own case. (The path matcher minds neither case nor dots.)
${map('{http.request.orig_uri.path}', ['{themecast_place}'], placeRows(rules))}

${NEGOTIATION}
# --- Who asks --------------------------------------------------------------------------------------------------------

${identityMaps(rules.identity, rules.themes)}
# --- What is sent ----------------------------------------------------------------------------------------------------

# How an endpoint answers to a method: a rendering, its metadata, or a status.
${answerMaps(list, rules, ['index', 'browse'])}

${answerMaps(config, rules, ['{themecast_config_json}', '{themecast_config_html}'])}

# A picture: its path below media/, in the characters that are published, and its type.
${map('{http.request.orig_uri.path}', ['{themecast_picture}', '{themecast_picture_type}'], pictureRows(rules))}

# The query as it came, with its question mark. (Caddy would encode it anew.)
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

/** A `map`; each row is tokens as they are written. */
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

/** A parameter other than `q`, as `src/edge-runtime/negotiate.ts` has it; RE2 knows no look-ahead. */
const PARAMETER = String.raw`\s*(?:|[^q\s,;=][^,;=]*|q\s*[^\s,;=][^,;=]*)=`;

/** Content negotiation as in `src/edge-runtime/negotiate.ts`; both renderings of the same shape. */
const NEGOTIATION = `# The first \`format\` of the query, undecoded. ({query.format} would be decoded.)
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

# How precisely Accept names each rendering: 3 with a parameter, 2 type/subtype, 1 type/*, 0 */* or no Accept, - not at all.
# As in Django REST Framework the most precise entry wins, ties go to JSON, and q is not looked at (nor does it count as a parameter).
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

const ANSWERS: Readonly<Record<string, string>> = {
  GET: '{themecast_rendering}',
  HEAD: '{themecast_rendering}',
  OPTIONS: 'options',
  POST: '403',
};

/** What an endpoint answers to a method; and which file, with which headers, that is. */
function answerMaps(
  { kind, methods, cacheControl }: EdgeEndpoint,
  { contentTypes, headers }: EdgeRules,
  [json, html]: readonly [json: string, html: string],
): string {
  const answer = `{themecast_${kind}_answer}`;
  const jsonType = quote(contentTypes.json);
  const kept = quote(cacheControl);
  const notKept = quote(headers.error['Cache-Control'] ?? 'no-store');
  const columns = ['file', 'instead', 'type', 'cache_control'].map((column) => `{themecast_${kind}_${column}}`);
  return [
    map(
      '{http.request.orig_method}',
      [answer],
      [
        ...methods.map((method): Row => [method, quoteTemplate(ANSWERS[method] ?? '405')]),
        ['default', quoteTemplate('405')],
      ],
    ),
    map(answer, columns, [
      ['json', quoteTemplate(`${json}.json`), quoteTemplate('index.json'), jsonType, kept],
      ['html', quoteTemplate(`${html}.html`), quoteTemplate('browse.html'), quote(contentTypes.html), kept],
      ['options', quoteTemplate('options.json'), quoteTemplate('options.json'), jsonType, notKept],
      ['default', '""', '""', jsonType, notKept],
    ]),
  ].join('\n');
}

function pictureRows({ basePath }: EdgeRules): Row[] {
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

function corsMap({ corsOrigins: origins }: EdgeRules): string {
  if (origins.length === 0) return '';
  const listed = origins.map((origin): Row => [quoteMapKey(origin), quote(origin)]);
  return `
# CORS: the origin, if site.yaml lists it.
${map('{http.request.header.Origin}', ['{themecast_cors_origin}'], [...listed, ['default', '""']])}
`;
}
