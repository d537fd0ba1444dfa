import { FORMATS } from '../../../image/format.ts';
import type { EdgeRules } from '../../../mapping/edge-rules.ts';
import { credentialHeaders } from '../../../theme/identity.ts';
import { NEGOTIATION } from '../../varnish/requests.ts';
import { block, firstOf, matching, oneOf } from '../../varnish/text.ts';
import { everyAnswer, SIGNAL, synthetic } from './answers.ts';
import { identify } from './identity.ts';
import { literal, unset } from './text.ts';

/** `theme-service.vcl`: Fastly's boilerplate ("About Fastly VCL", "Custom VCL"), and the theme service in it. */
export function serviceVcl(rules: EdgeRules): string {
  const sections: readonly (readonly [comment: string, lines: string[]])[] = [
    ['', receive(rules)],
    [
      'What a request for the service asks for: the path of a file, or the number of an answer that no file holds.',
      route(rules),
    ],
    [
      'The theme of the requester; empty for the default theme. The first rule that knows them decides.',
      identify(rules),
    ],
    ['One object for each file, whoever asks for it.', hash()],
    ['', block('sub vcl_hit', ['#FASTLY hit', 'return(deliver);'])],
    ['', block('sub vcl_miss', ['#FASTLY miss', ...ifOurs(['call themecast_ask_origin;']), 'return(fetch);'])],
    ['', block('sub vcl_pass', ['#FASTLY pass', ...ifOurs(['call themecast_ask_origin;']), 'return(pass);'])],
    ['The origin is asked for the file, and told nothing of the requester.', askOrigin(rules)],
    ['', fetch()],
    ['', deliver()],
    ['The headers of every answer.', everyAnswer(rules)],
    ['', synthetic(rules)],
    ['', block('sub vcl_log', ['#FASTLY log'])],
  ];
  return `# themecast: the theme service, as the main custom VCL of a Fastly service. Generated from site.yaml: change that, not this.
# Fastly puts what its control panel says in the place of the lines that begin with #FASTLY: the backend among it.
include "tables.vcl";

${NEGOTIATION}
# --- The life of a request -------------------------------------------------------------------------------------------

${sections.map(([comment, lines]) => `${comment === '' ? '' : `# ${comment}\n`}${atMargin(lines).join('\n')}\n`).join('\n')}`;
}

/** Fastly looks for its macros at the beginning of a line. */
function atMargin(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/^\s+(?=#FASTLY )/, ''));
}

/** The headers in which a request keeps what the rules have made out; the first goes on to a shield. */
const STATE = ['', '-Theme', '-Format', '-Offered', '-JSON', '-HTML', '-Choice', '-Rendering'].map(
  (name) => `X-Themecast${name}`,
);

function ifOurs(lines: readonly string[]): string[] {
  return block('if (req.http.X-Themecast)', lines);
}

function receive({ basePath, endpoints }: EdgeRules): string[] {
  const ours = `^${matching(endpoints.list.path.slice(0, -1))}(?:[/?]|$)|^${matching(`${basePath}/media/`)}`;
  return block('sub vcl_recv', [
    '#FASTLY recv',
    '# Only where the request comes in: a shield, and a restart, are asked for the file.',
    ...block('if (fastly.ff.visits_this_service == 0 && req.restarts == 0)', [
      '# What these rules know of a request stands in headers of their own. Nobody else may set them.',
      ...unset('req', STATE),
      ...block(`if (req.method != "FASTLYPURGE" && req.url ~ ${literal(ours)})`, ['call themecast_receive;']),
    ]),
    ...ifOurs(['return(lookup);']),
    ...block('if (req.method != "HEAD" && req.method != "GET" && req.method != "FASTLYPURGE")', ['return(pass);']),
    'return(lookup);',
  ]);
}

function route({ basePath, endpoints }: EdgeRules): string[] {
  const { list, config } = endpoints;
  const path = (pattern: string) => `req.url ~ ${literal(`^${pattern}(?:\\?|$)`)}`;
  const extensions = Object.values(FORMATS).flatMap((format) => format.extensions);
  const picture = `(/media/(?!.*\\.\\.)[A-Za-z0-9._/-]+\\.(?:${extensions.map(inAnyCase).join('|')}))`;
  return block('sub themecast_receive', [
    'set req.http.X-Themecast = "nothing";',
    '# Files are kept and sent as they are.',
    ...unset('req', ['Accept-Encoding']),
    ...firstOf(
      [
        [path(matching(list.path)), 'set req.http.X-Themecast = "list";'],
        [path(matching(config.path)), 'set req.http.X-Themecast = "config";'],
        [path(oneOf([list, config].map((endpoint) => endpoint.path.slice(0, -1)))), signal('moved')],
        [path(matching(basePath) + picture), 'set req.http.X-Themecast = "picture";'],
      ],
      [signal('notFound')],
    ),
    '',
    ...firstOf(
      [
        [
          'req.http.X-Themecast == "picture"',
          ...firstOf([
            ['req.method != "GET" && req.method != "HEAD"', signal('notAllowed')],
            ['req.http.If-Match', signal('changed')],
          ]),
          `set req.url = regsub(req.url, ${literal(`^${matching(basePath)}([^?]*).*$`)}, "\\1");`,
        ],
      ],
      endpointLines({ list, config }),
    ),
  ]);
}

function endpointLines({ list, config }: EdgeRules['endpoints']): string[] {
  return [
    ...unset('req', ['Range', 'If-Range']),
    'call themecast_negotiate;',
    ...firstOf([
      ['req.method == "OPTIONS"', signal('options')],
      ['req.method == "POST" && req.http.X-Themecast == "list"', signal('forbidden')],
      ['req.method != "GET" && req.method != "HEAD"', signal('notAllowed')],
      ['req.http.X-Themecast-Rendering == "404"', signal('notFound')],
      ['req.http.X-Themecast-Rendering == "406"', signal('notAcceptable')],
    ]),
    ...firstOf(
      [['req.http.X-Themecast == "list"', ...fileOfRendering(list.folder)]],
      [
        '# By content or not at all: two themes may have the time of their files in common.',
        ...unset('req', ['If-Modified-Since']),
        'call themecast_identify;',
        ...firstOf(
          [['req.http.X-Themecast-Theme == ""', ...fileOfRendering(config.folder)]],
          [
            `set req.url = ${literal(config.folder)} + req.http.X-Themecast-Theme + "." + req.http.X-Themecast-Rendering;`,
          ],
        ),
      ],
    ),
  ];
}

function signal(answer: keyof typeof SIGNAL): string {
  return `error ${SIGNAL[answer]};`;
}

function fileOfRendering(folder: string): string[] {
  return firstOf(
    [['req.http.X-Themecast-Rendering == "html"', `set req.url = ${literal(`${folder}browse.html`)};`]],
    [`set req.url = ${literal(`${folder}index.json`)};`],
  );
}

function inAnyCase(extension: string): string {
  return extension.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function hash(): string[] {
  return block('sub vcl_hash', [
    '# Apart from the same path asked for by other rules.',
    ...ifOurs(['set req.hash += "themecast";']),
    'set req.hash += req.url;',
    'set req.hash += req.http.host;',
    '#FASTLY hash',
    'return(hash);',
  ]);
}

function askOrigin({ identity }: EdgeRules): string[] {
  const read = identity.flatMap(({ credential }) => [
    ...credentialHeaders(credential),
    ...('secret' in credential ? [credential.secret.header] : []),
  ]);
  return block(
    'sub themecast_ask_origin',
    unset('bereq', new Set([...STATE.slice(1), 'Accept', 'Authorization', 'Cookie', ...read])),
  );
}

/** Seconds for which Fastly keeps files, unless they are purged: those of the endpoints, and pictures, whose names are by content. */
const FILES_TTL = 60;
const PICTURES_TTL = 2_592_000;

function fetch(): string[] {
  return block('sub vcl_fetch', [
    '#FASTLY fetch',
    ...ifOurs([
      '# Of a file that there is not, a bucket that nobody may list says 403.',
      ...firstOf([
        ['beresp.status == 403 || beresp.status == 404', signal('notFound')],
        ['beresp.status != 200 && beresp.status != 304', signal('unavailable')],
      ]),
      ...unset('beresp', ['Set-Cookie', 'Vary']),
      ...block('if (req.http.X-Themecast == "config")', [
        '# Servers make validators from the time and the size of a file. Two themes may have both in common, and a browser would be',
        "# told that somebody else's theme is still its user's. An ETag that is a digest (128 bits or more, in hex) stays.",
        ...unset('beresp', ['Last-Modified']),
        ...block(`if (beresp.http.ETag !~ ${literal('^"[0-9a-f]{32,}"$')})`, unset('beresp', ['ETag'])),
      ]),
      ...firstOf(
        [['req.http.X-Themecast == "picture"', `set beresp.ttl = ${PICTURES_TTL}s;`]],
        [`set beresp.ttl = ${FILES_TTL}s;`],
      ),
      'set beresp.http.Surrogate-Key = "themecast";',
      'return(deliver);',
    ]),
    ...block('if (beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "(?:private|no-store)")', ['return(pass);']),
    'return(deliver);',
  ]);
}

function deliver(): string[] {
  return block('sub vcl_deliver', [
    '#FASTLY deliver',
    ...block('if (req.http.X-Themecast && fastly.ff.visits_this_service == 0)', ['call themecast_headers;']),
    'return(deliver);',
  ]);
}
