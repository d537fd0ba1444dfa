import { count } from '../diagnostics/quote.ts';
import type { Deployment } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { originResult } from './cors.ts';
import { type HttpResponse, requestTo, shortHash } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { headerResults } from './headers.ts';
import { judged, type Result, statusResult } from './result.ts';

/** The OpenAPI description and the JSON Schema, as a page of an allowed origin requests them. */
export function schemaExchanges({ url, build }: Deployment): Exchange[] {
  const [origin] = build.rules.corsOrigins;
  return build.rules.schemas.map(({ file }) => {
    const request = requestTo(url, file, origin === undefined ? {} : { headers: { Origin: origin } });
    const judge = (response: HttpResponse): Result[] => schemaResults(build, file, response);
    return { id: 'schema/document', request, judge };
  });
}

/** POST on the schemas, without a body: they are files. Only where both endpoints and the schemas are proved to be of this build. */
export function refusedSchemaExchanges({ url, build }: Deployment): Exchange[] {
  return build.rules.schemas.map(({ file }) => {
    const request = requestTo(url, file, { method: 'POST', headers: { 'Content-Length': '0' } });
    const id = 'method/not-allowed';
    const hint = `A client would assume that its change succeeded: see ${build.rulesAt}.`;
    const message = 'POST on a schema is not rejected.';
    return { id, request, judge: (response) => [statusResult(id, response, 405, message, hint)] };
  });
}

function schemaResults(build: Build, path: string, response: HttpResponse): Result[] {
  const { rules, rulesAt } = build;
  const hint = `Upload schema/ with phase 2 of manifest.json, and load the rules of this build: see ${rulesAt}. \`schema: false\` in site.yaml turns it off.`;
  const status = statusResult('schema/document', response, 200, 'A schema is missing.', hint);
  if (!status.ok) return [status];
  return [
    status,
    documentResult(build, path, response),
    ...headerResults(build, 'A schema', response, {
      'Content-Type': rules.contentTypes.json,
      'Cache-Control': rules.headers.schema['Cache-Control'] ?? '',
    }),
    ...rules.corsOrigins.slice(0, 1).map((origin) => originResult(build, 'a schema', origin, response)),
  ];
}

function documentResult({ files }: Build, path: string, response: HttpResponse): Result {
  const file = files.get(path.slice(1));
  const isPublished = response.end === 'complete' && response.sha256 === file?.sha256;
  return judged('schema/document', isPublished, 'A schema differs from this build.', {
    expected: `${count(file?.bytes ?? 0, 'byte')}, sha256 ${shortHash(file?.sha256 ?? '')}`,
    found: `${count(response.bytes, 'byte')}, sha256 ${shortHash(response.sha256)}`,
    hint: 'Upload phase 2 of manifest.json again.',
  });
}
