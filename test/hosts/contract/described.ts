import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { openApiDescription } from '../../../src/compiler/openapi/description.ts';
import { openApiTemplate } from '../../../src/compiler/runtime.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import type { PublishedSite } from '../site.ts';
import { type Answer, describeRequest, type Request } from './send.ts';

interface Reference {
  $ref: string;
}
interface Response {
  headers: Readonly<Record<string, Reference>>;
  content?: Readonly<Record<string, { schema: Partial<Reference> }>>;
}
interface Description {
  paths: Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Response>> }>>>>;
}
interface CompiledDescription {
  paths: Description['paths'];
  /** Returns a validator for a schema of the description. */
  validator: (reference: string) => ValidateFunction | undefined;
}

/** Matches headers that occur in a response exactly if the description has them. */
const REQUIRED_HEADERS = /^(?:allow|vary|cache-control|x-frame-options|x-content-type-options|referrer-policy)$/;

/** Expects a response to follow the OpenAPI description of a site: status, headers, media type, and JSON schema. */
export function expectDescribed(site: PublishedSite, request: Request, { status, headers, body }: Answer): void {
  const { paths, validator } = compileDescription(site);
  const [pathname = ''] = request.path.slice(site.rules.basePath.length).split('?');
  const { method = 'GET' } = request;
  const path = paths[pathname];
  if (path === undefined || isFailure(status)) return;
  const name = `${describeRequest(request)} → ${status}`;
  const operation = path[method.toLowerCase()];
  // The description has only GET and HEAD for the records of a deployment.
  if (operation === undefined && status === 405) return;
  const response = operation?.responses[status];
  if (response === undefined) return expect.fail(`${name} is not in the OpenAPI description.`);
  const describedHeaders = Object.keys(response.headers).map((header) => header.toLowerCase());
  const sentHeaders = Object.keys(headers);
  expect(sentHeaders.filter(isRequired).toSorted(), name).toEqual(describedHeaders.filter(isRequired).toSorted());
  expect(describedHeaders, name).toEqual(
    expect.arrayContaining(sentHeaders.filter((header) => header.startsWith('access-control-'))),
  );
  // Pages, stylesheets and icons have no schema: typed clients would get `Theme | string`.
  if (body === '' || (status === 200 && headers['content-type'] !== 'application/json')) return;
  const schema = response.content?.[headers['content-type']?.split(';')[0] ?? '']?.schema;
  expect(schema, name).toBeDefined();
  if (schema?.$ref === undefined) return;
  const validate = validator(schema.$ref);
  expect(validate?.(JSON.parse(body)), `${name}: ${JSON.stringify(validate?.errors)}`).toBe(true);
}

/** Returns whether a status reports a failed precondition or an origin failure, which the description omits. */
function isFailure(status: number): boolean {
  return status === 412 || status >= 500;
}

function isRequired(header: string): boolean {
  return REQUIRED_HEADERS.test(header);
}

const descriptions = new WeakMap<PublishedSite, CompiledDescription>();

function compileDescription(site: PublishedSite): CompiledDescription {
  const cached = descriptions.get(site);
  if (cached !== undefined) return cached;
  const description = openApiDescription(openApiTemplate(), site.rules, SITE_DEFAULTS, { list: [], config: undefined });
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  formats.default(ajv);
  ajv.addVocabulary(Object.keys(description));
  ajv.addSchema(description, 'openapi');
  const { paths } = description as unknown as Description;
  const compiled = { paths, validator: (reference: string) => ajv.getSchema(`openapi${reference}`) };
  descriptions.set(site, compiled);
  return compiled;
}
