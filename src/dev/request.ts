import type { IncomingMessage } from 'node:http';
import { headerOf } from '../http/io/server.ts';
import type { Events } from './events.ts';
import { isSameOrigin, isToken } from './guard.ts';
import { type Payload, readPayload, reject, type Reply } from './payload.ts';
import type { Session } from './session.ts';

/** The state that responses are made from. */
export interface Context {
  session: Session;
  events: Events;
  token: string;
  /** Of this server, without a path. */
  url: string;
  port: number;
  /** The address that was asked for. */
  host: string | undefined;
}

/** The same for one request. */
export type RequestContext = Context & {
  /** Of this server, as the browser reached it. */
  origin: string;
};

/** The payload of a POST, if it comes from a page of this server or from a program, and has the token. The caller has checked the Host header. */
export async function receive(
  request: IncomingMessage,
  { origin, token }: Pick<RequestContext, 'origin' | 'token'>,
): Promise<Payload | Reply> {
  const isForeign = !isSameOrigin(request, origin);
  if (isForeign || !isToken(headerOf(request, 'X-Themecast-Token') ?? '', token)) {
    void readBody(request, 0);
    return reject(
      403,
      isForeign
        ? 'This request comes from another site. Use the pages of this server, or a program.'
        : 'The token is missing or expired: the server has been restarted. Reload the page, or send the token that `themecast dev` prints in the header X-Themecast-Token.',
    );
  }
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === undefined)
    return reject(413, `The body of the request has more than ${MAX_BODY_BYTES.toLocaleString('en')} bytes.`);
  return readPayload(body, headerOf(request, 'Content-Type') ?? '');
}

/** Images included. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Up to this many times the limit is read and discarded, so that browsers get to read the response. */
const PATIENCE = 4;

/**
 * The body of a request; nothing if it is too large, or cut off.
 * @param limit - maximum size in bytes, counted on arrival, whatever the headers say. A body beyond it is discarded: with 0, any body
 */
function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > limit * PATIENCE) resolve(undefined);
    });
    request.once('end', () => resolve(bytes > limit ? undefined : Buffer.concat(chunks)));
    request.once('error', () => resolve(undefined));
    request.once('close', () => resolve(undefined)); // after its end, this changes nothing
    request.resume();
  });
}
