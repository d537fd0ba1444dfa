import type { IncomingMessage } from 'node:http';
import { headerOf } from '../../system/http/io/server.ts';
import type { Events } from './session/events.ts';
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

/**
 * Reads the payload of a POST from a page of this server or from a program. The token alone tells these from pages of other sites, which cannot
 * read it.
 */
export async function receive(request: IncomingMessage, { token }: Pick<Context, 'token'>): Promise<Payload | Reply> {
  if (headerOf(request, 'X-Themecast-Token') !== token) {
    request.resume();
    return reject(
      403,
      'The token is missing or expired: the server has been restarted. Reload the page, or send the token that `themecast dev` prints in the header X-Themecast-Token.',
    );
  }
  const body = await readBody(request);
  if (body === undefined)
    return reject(413, `The body of the request has more than ${MAX_BODY_BYTES.toLocaleString('en')} bytes.`);
  return readPayload(body, headerOf(request, 'Content-Type') ?? '');
}

/** Limits a body, including images. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A larger body is read and discarded up to this size: browsers read the response only afterwards. */
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

/** Reads the body of a request; undefined if it is too large or incomplete. Counts received bytes, because headers may be wrong. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else if (bytes > MAX_DISCARDED_BYTES) break;
    }
  } catch {
    return undefined;
  }
  request.resume();
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}
