import { randomBytes } from 'node:crypto';
import type { CheckOptions } from '../compiler/api.ts';
import { type Respond, send, ServeError, startServer } from '../http/io/server.ts';
import { openCaches } from '../compiler/resources.ts';
import { Events } from './events.ts';
import { isUnspecified } from './guard.ts';
import { MediaFolder } from './media-folder.ts';
import type { Context } from './request.ts';
import { route } from './routes.ts';
import { Session, type Update } from './session.ts';

export interface DevOptions extends Pick<CheckOptions, 'themesDir' | 'users'> {
  /** Folder that diagnostics name files relative to. */
  cwd: string;
  /** Default: a temporary one. */
  cacheDir: string | undefined;
  /** 0 for any free port. Default: {@link PORT}, or the next that is free */
  port: number | undefined;
  /** The address to listen on. Default: 127.0.0.1 */
  host?: string | undefined;
  /** Stops everything; `close` then cleans up. */
  stop: AbortSignal;
  /** Called after every build. */
  onUpdate: (update: Update) => void;
}

export interface DevServer {
  url: string;
  /** Required in requests that change files. */
  token: string;
  session: Session;
  close(): Promise<void>;
}

/**
 * Serves the themes while they are edited: the service, the gallery, and an event for every new build. Nothing is built
 * before the session is started.
 */
export async function startDevServer({
  port: asked,
  host,
  stop,
  onUpdate,
  ...options
}: DevOptions): Promise<DevServer> {
  const { cache, memory } = await openCaches(options);
  const media = await MediaFolder.create(cache.folder);
  let context: Context | undefined;
  const respond: Respond = async (request, response) => {
    if (context === undefined) send(response, request.method, 503, { 'Retry-After': '1' }, '');
    else await route(request, response, context);
  };
  const { server, port } = await startOnPort(asked, (one) => startServer({ host, port: one }, respond)).catch(
    async (error: unknown) => {
      await media.remove();
      await cache.close();
      throw error;
    },
  );
  const name = host === undefined || isUnspecified(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = new URL(`http://${name}:${port}`).origin; // omits the default port, 80
  const session = new Session({ ...options, baseUrl: url }, { cache, memory }, media, stop);
  const events = new Events();
  const token = randomBytes(16).toString('base64url');
  const started: Context = { session, events, token, url, port, host };
  context = started;
  session.onUpdate = (update) => {
    if (session.message !== undefined) events.send(session.message);
    onUpdate(update);
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await session.close();
  };
  return { url, token, session, close };
}

/** The port that is tried first, as in the documentation. */
const PORT = 8080;
/** How many ports are tried from there. */
const PORTS = 20;

/** Starts on the given port, or else on the first that is free. */
async function startOnPort<T>(asked: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  for (let port = asked ?? PORT; ; port++) {
    try {
      return await start(port);
    } catch (error) {
      const isLast = asked !== undefined || port === PORT + PORTS - 1;
      if (isLast || !(error instanceof ServeError && error.isInUse)) throw error;
    }
  }
}
