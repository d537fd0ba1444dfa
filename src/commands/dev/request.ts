import type { IncomingMessage } from 'node:http';
import { headerOf } from '../../system/http/io/server.ts';
import type { Events } from './session/events.ts';
import { isSameOrigin, isToken } from './guard.ts';
import { type Payload, readPayload, reject, type Reply } from './edits/payload.ts';
import type { Session } from './session/session.ts';

export interface Context {
  session: Session;
  events: Events;
  token: string;
  /** The URL of this server, without a path. */
  url: string;
  port: number;
  /** The value of --listen. */
  host: string | undefined;
}

/** The state of the server, for a request. */
export type RequestContext = Context & {
  /** The origin of this server from the view of the browser: a proxy or a container may map it. */
  origin: string;
};

/** Reads the payload of a POST from a page of this server or from a program with the token. The caller has checked the Host header. */
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

/** Limits a body, including images. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A larger body is read and discarded up to this multiple of the limit: browsers read the response only afterwards. */
const DISCARD_FACTOR = 4;

/**
 * Reads the body of a request; undefined if it is too large or incomplete.
 * @param limit - maximum number of received bytes, because headers may be wrong; with 0, any body is discarded
 */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= limit) chunks.push(chunk);
      else if (bytes > limit * DISCARD_FACTOR) return undefined;
    }
    return bytes > limit ? undefined : Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}
