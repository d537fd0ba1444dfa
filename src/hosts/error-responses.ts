import type { EdgeEndpoint } from '../edge-runtime/rules.ts';
import type { EdgeRules } from './contract.ts';

/** The status codes of {@link errorResponses}. */
export const ERROR_STATUSES = [403, 404, 405, 406] as const;

/**
 * Status and body of every error of an endpoint.
 * @param quote - writes a body for the host
 * @param methodNotAllowed - the body of 405 as the host writes it: it contains the method
 */
export function errorResponses(
  { methods }: Pick<EdgeEndpoint, 'methods'>,
  { refusals }: Pick<EdgeRules, 'refusals'>,
  quote: (body: string) => string,
  methodNotAllowed: string,
): (readonly [status: (typeof ERROR_STATUSES)[number], body: string])[] {
  return [
    ...(methods.includes('POST') ? [[403, quote(refusals.post)] as const] : []),
    [404, quote(refusals.notFound)],
    [405, methodNotAllowed],
    [406, quote(refusals.notAcceptable)],
  ];
}
