import type { RuntimeRules } from './rules.ts';

/** A body that `Response` accepts. */
export type Body = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** Returns the body of a 405 response. */
export function methodNotAllowed(method: string): string {
  return JSON.stringify({ detail: `Method "${method}" not allowed.` });
}

/** Returns the response for a path that does not exist. */
export function notFound(rules: RuntimeRules): Response {
  return respondWithError(404, rules.refusals.notFound, rules);
}

/** Returns an error or the metadata of OPTIONS, as JSON that no cache may store. */
export function respondWithError(
  status: number,
  body: Body,
  rules: RuntimeRules,
  headers: Record<string, string> = {},
): Response {
  return respond(status, body, {
    ...rules.headers.all,
    ...headers,
    ...rules.headers.error,
    'Content-Type': rules.contentTypes.json,
  });
}

export function respond(status: number, body: Body | null, headers: Record<string, string>): Response {
  return new Response(body, { status, headers });
}

/** Turns a response to GET into a response to HEAD: the headers, with the length of the body if it had one (304 has none). */
export async function withoutBody(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const { byteLength } = await response.arrayBuffer();
  const head = new Response(null, response);
  head.headers.set('Content-Length', String(byteLength));
  return head;
}

/** Checks whether `If-None-Match` matches the ETag, by weak comparison (RFC 9110, §13.1.2). */
export function isNotModified(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
