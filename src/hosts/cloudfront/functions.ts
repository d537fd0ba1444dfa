import type { OutputFile } from '../../core/document/files/output-file.ts';
import { preflightHeaders } from '../../core/edge-runtime/cors.ts';
import { FILE_ALLOW, REDIRECT_HEADERS } from '../../core/edge-runtime/handler.ts';
import { MEDIA_TYPES } from '../../core/edge-runtime/media.ts';
import { THEME_ID } from '../../core/edge-runtime/theme-id.ts';
import { MIN_SECRET_BYTES } from '../../core/edge-runtime/token.ts';
import type { EdgeInput } from '../adapter/adapter.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { GENERATED, jsonParse, moduleFile } from '../adapter/handler-modules.ts';
import { rulesFrom } from '../contract/identity-rules.ts';
import { Inexpressible } from '../contract/inexpressible.ts';
import { MEDIA_FILE } from '../contract/media.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { fillFile } from '../adapter/template.ts';

/** Maximum size of a function, in bytes (AWS, "Quotas on CloudFront Functions"). */
const MAX_FUNCTION_BYTES = 10_240;

/**
 * Makes a function from its template. AWS lists ES 5.1 with const and let, arrow functions, template literals, async and await for
 * cloudfront-js-2.0 ("JavaScript runtime 2.0 features for CloudFront Functions"). So the handler of src/core/edge-runtime does not run there:
 * destructuring, spread, for-of, default parameters, `?.`, `??`, Map and `Response` are missing. AWS does not support `await` in an
 * argument, and njs 0.7.9, a similar engine, crashes there; so `await` always follows `=` or `return`, or begins a statement.
 * @throws if the function is too large, because of many origins or rules
 */
export function viewerFunction(kind: 'request' | 'response', { rules, templates }: EdgeInput): OutputFile {
  const name = `viewer-${kind}.js`;
  const common = { rules: jsonParse(rulesOf(rules)[kind]), origins: rules.corsOrigins };
  const text = fillFile(templates, `cloudfront/${name}.mustache`, {
    common: fillFile(templates, 'cloudfront/common.js.mustache', common),
    tokens: rulesFrom(rules.identity, 'jwt').length > 0,
    hosts: rulesFrom(rules.identity, 'host').length > 0,
    redirects: redirectPairs(rules).length > 0,
    min_secret: String(MIN_SECRET_BYTES),
    redirect_cache: REDIRECT_HEADERS['Cache-Control'],
    file_allow: FILE_ALLOW,
    theme_id: THEME_ID,
    media_file: MEDIA_FILE.replace('/', '\\/'),
  });
  // Removes comments, indentation, empty lines, and line ends inside of blocks and lists; no string spans several lines.
  const code = GENERATED + text.replace(/^ *\/\/.*\n|^ +|^\n/gm, '').replace(/(?<=[{(,])\n|\n(?=[})])/g, '');
  if (Buffer.byteLength(code) <= MAX_FUNCTION_BYTES) return moduleFile(name, code);
  throw new Inexpressible(
    `${name} has ${Buffer.byteLength(code)} bytes, and CloudFront accepts functions of at most ${MAX_FUNCTION_BYTES}: list fewer origins in \`cors\`, or fewer rules in \`identity\``,
  );
}

function detailOf(body: string): string {
  return (JSON.parse(body) as { detail: string }).detail;
}

/** Returns the rules that each function reads. */
function rulesOf(rules: EdgeRules): Readonly<Record<'request' | 'response', object>> {
  const { basePath, endpoints, refusals, corsOrigins, headers, contentTypes, schemas, records } = rules;
  // Renderings without a media type are chosen by `format` alone.
  const renderings = endpoints.config.renderings.map(({ name, format, mediaType, isExplicit, file }) => ({
    name,
    format,
    ...(isExplicit === true ? {} : { mediaType }),
    ...(file.startsWith('index.') ? {} : { page: file.slice(0, -name.length - 1) }),
  }));
  const preflight = preflightHeaders(rules);
  const shared = { corsOrigins, all: headers.all, error: headers.error };
  const all = [endpoints.config, endpoints.list, endpoints.theme].map(
    ({ kind, path, allow, vary, renderings: offered }) => ({
      kind,
      path,
      allow,
      vary,
      renderings: offered.map(({ name }) => name).join(' '),
    }),
  );
  // The store maps hostnames to themes.
  const identity = rules.identity.map(({ names, credential }) => ({
    names,
    credential:
      credential.from === 'host' && credential.themes
        ? { from: 'host', themes: {} }
        : 'key' in credential
          ? { ...credential, key: { ...credential.key, algorithm: undefined } }
          : credential,
  }));
  const files = [...records, ...schemas].map(({ file }) => file);
  return {
    request: {
      ...shared,
      preflight,
      endpoints: all,
      common: headers.endpoint,
      basePath,
      files,
      refusals: {
        403: detailOf(refusals.post),
        404: detailOf(refusals.notFound),
        406: detailOf(refusals.notAcceptable),
      },
      identity,
      renderings,
    },
    response: { ...shared, endpoints, records, schemas, headers, contentTypes, mediaTypes: MEDIA_TYPES },
  };
}
