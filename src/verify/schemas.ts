import { count } from '../diagnostics/quote.ts';
import type { Build, Deployment, LiveList } from './build.ts';
import { ALLOW_ORIGIN } from './cors.ts';
import { type Exchange, type HttpResponse, type Request, requestTo, statusOf, urlOf } from './exchange.ts';
import { headerResults, shown } from './headers.ts';
import { type Result, judged } from './result.ts';

/** The OpenAPI description and the JSON Schema, as a page of an allowed origin requests them. */
export function schemaExchanges({ url, build }: Deployment, { isCurrent }: LiveList): Exchange[] {
  const [origin] = build.rules.corsOrigins;
  return build.rules.schemas.map(({ file }) => {
    const request = requestTo(url, file, origin === undefined ? {} : { headers: { Origin: origin } });
    const judge = (response: HttpResponse): Result[] => schemaResults(build, file, request, response, isCurrent);
    return { id: 'schema/document', request, judge };
  });
}

/** POST on the schemas, without a body: they are files. Only where both endpoints and the schemas are proved to be of this build. */
export function refusedSchemaExchanges({ url, build }: Deployment): Exchange[] {
  return build.rules.schemas.map(({ file }) => {
    const request = requestTo(url, file, { method: 'POST', headers: { 'Content-Length': '0' } });
    const judge = (response: HttpResponse): Result[] => [
      judged('method/not-allowed', response.status === 405, 'POST on a schema is not rejected.', {
        expected: '405',
        found: statusOf(response),
        hint: `A client would assume that its change succeeded: see ${build.rulesAt}.`,
        url: urlOf(request),
      }),
    ];
    return { id: 'method/not-allowed', request, judge };
  });
}

function schemaResults(
  build: Build,
  path: string,
  request: Request,
  response: HttpResponse,
  isCurrent: boolean,
): Result[] {
  const { rules, rulesAt } = build;
  const url = urlOf(request);
  const status = judged('schema/document', response.status === 200, 'A schema is missing.', {
    expected: '200',
    found: statusOf(response),
    hint: `Upload schema/ with phase 2 of manifest.json, and load the rules of this build: see ${rulesAt}. \`schema: false\` in site.yaml turns it off.`,
    url,
  });
  if (!status.ok) return [status];
  return [
    status,
    ...(isCurrent ? [documentResult(build, path, response, url)] : []),
    ...headerResults(build, 'A schema', request, response, {
      'Content-Type': rules.contentTypes.json,
      'Cache-Control': rules.headers.schema['Cache-Control'] ?? '',
    }),
    ...originResults(build, request, response),
  ];
}

function documentResult({ files }: Build, path: string, response: HttpResponse, url: string): Result {
  const file = files.get(path.slice(1));
  const isPublished = response.end === 'complete' && response.sha256 === file?.sha256;
  return judged('schema/document', isPublished, 'A schema differs from this build.', {
    expected: `${count(file?.bytes ?? 0, 'byte')}, sha256 ${file?.sha256.slice(0, 8)}…`,
    found: `${count(response.bytes, 'byte')}, sha256 ${response.sha256.slice(0, 8)}…`,
    hint: 'Upload phase 2 of manifest.json again.',
    url,
  });
}

function originResults({ rules, rulesAt }: Build, request: Request, response: HttpResponse): Result[] {
  const [origin] = rules.corsOrigins;
  if (origin === undefined) return [];
  const isAllowed = response.headers[ALLOW_ORIGIN.toLowerCase()] === origin;
  return [
    judged('cors/origin', isAllowed, `Pages of ${origin} cannot read a schema.`, {
      expected: `${ALLOW_ORIGIN}: ${origin}`,
      found: shown(response, ALLOW_ORIGIN),
      hint: `\`cors: allowed_origins\` in site.yaml lists it; the rules of the host must allow it: see ${rulesAt}.`,
      url: urlOf(request),
    }),
  ];
}
