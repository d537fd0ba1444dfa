import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { openApiDescription } from '../../../src/compiler/openapi/openapi.ts';
import { SITE_DEFAULTS } from '../../../src/core/theme/site/site.ts';
import type { PublishedSite } from '../site.ts';
import { type Answer, describeRequest, type Request } from './send.ts';

interface Response {
  content?: Readonly<Record<string, { schema: { $ref: string } }>>;
}
interface Description {
  paths: Readonly<Record<string, { get: { responses: Readonly<Record<string, Response>> } }>>;
}
interface CompiledDescription {
  paths: Description['paths'];
  /** Returns a validator for a schema of the description. */
  validator: (reference: string) => ValidateFunction | undefined;
}

/** Expects the response to a GET to follow the OpenAPI description of a site: its status, and its JSON by the schema. */
export function expectDescribed(site: PublishedSite, request: Request, { status, headers, body }: Answer): void {
  const { paths, validator } = compileDescription(site);
  const requested = request.path.slice(site.rules.basePath.length).split('?')[0] ?? '';
  const path = paths[requested.replace(/\/[1-9]\d*\/$/, '/{id}/')];
  // Failed preconditions and failures of the origin are not described.
  if (path === undefined || (request.method ?? 'GET') !== 'GET' || status === 412 || status >= 500) return;
  const name = `${describeRequest(request)} → ${status}`;
  const response = path.get.responses[status];
  if (response === undefined) return expect.fail(`${name} is not in the OpenAPI description.`);
  // Pages, stylesheets and icons have no schema: typed clients would get `Theme | string`.
  if (body === '' || headers['content-type'] !== 'application/json') return;
  const validate = validator(response.content?.['application/json']?.schema.$ref ?? '');
  expect(validate?.(JSON.parse(body)), `${name}: ${JSON.stringify(validate?.errors)}`).toBe(true);
}

const descriptions = new WeakMap<PublishedSite, CompiledDescription>();

function compileDescription(site: PublishedSite): CompiledDescription {
  const cached = descriptions.get(site);
  if (cached !== undefined) return cached;
  const description = openApiDescription(site.rules, SITE_DEFAULTS, { list: [], config: undefined });
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  formats.default(ajv);
  ajv.addVocabulary(Object.keys(description));
  ajv.addSchema(description, 'openapi');
  const { paths } = description as unknown as Description;
  const compiled = { paths, validator: (reference: string) => ajv.getSchema(`openapi${reference}`) };
  descriptions.set(site, compiled);
  return compiled;
}
