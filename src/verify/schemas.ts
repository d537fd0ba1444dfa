import { count } from '../diagnostics/quote.ts';
import type { Deployment, LiveList } from './build.ts';
import type { Build } from '../hosts/published-build.ts';
import { originResult } from './cors.ts';
import { type HttpResponse, requestTo, shortHash, statusOf } from '../http/exchange.ts';
import type { Exchange } from './ask.ts';
import { headerResults } from './headers.ts';
import { type Result, judged } from './result.ts';

/** The OpenAPI description and the JSON Schema, as a page of an allowed origin requests them. */
export function schemaExchanges({ url, build }: Deployment, { isCurrent }: LiveList): Exchange[] {
  const [origin] = build.rules.corsOrigins;
  return build.rules.schemas.map(({ file }) => {
    const request = requestTo(url, file, origin === undefined ? {} : { headers: { Origin: origin } });
    const judge = (response: HttpResponse): Result[] => schemaResults(build, file, response, isCurrent);
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
      }),
    ];
    return { id: 'method/not-allowed', request, judge };
  });
}

function schemaResults(build: Build, path: string, response: HttpResponse, isCurrent: boolean): Result[] {
  const { rules, rulesAt } = build;
  const status = judged('schema/document', response.status === 200, 'A schema is missing.', {
    expected: '200',
    found: statusOf(response),
    hint: `Upload schema/ with phase 2 of manifest.json, and load the rules of this build: see ${rulesAt}. \`schema: false\` in site.yaml turns it off.`,
  });
  if (!status.ok) return [status];
  return [
    status,
    ...(isCurrent ? [documentResult(build, path, response)] : []),
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
