import { randomBytes } from 'node:crypto';
import type { CheckOptions } from '../../compiler/api.ts';
import { type Respond, send, ServeError, startServer } from '../../system/http/io/server.ts';
import { openCaches } from '../../compiler/store/resources.ts';
import { Events } from './session/events.ts';
import { isUnspecified } from './guard.ts';
import type { Context } from './request.ts';
import { route } from './routes.ts';
import { Session, type Update } from './session/session.ts';

export interface DevOptions extends Pick<CheckOptions, 'themesDir' | 'users'> {
  /** File names in diagnostics are relative to this folder. */
  cwd: string;
  /** Default: a temporary folder. */
  cacheDir: string | undefined;
  /** 0 for any free port. Default: {@link DEFAULT_PORT}, or the next free port */
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
 * Serves the themes while they are edited: the service, the gallery, and an event for every build. The first build begins when the
 * session starts.
 */
export async function startDevServer({
  port: requestedPort,
  host,
  stop,
  onUpdate,
  ...options
}: DevOptions): Promise<DevServer> {
  const caches = await openCaches(options);
  let context: Context | undefined;
  const respond: Respond = async (request, response) => {
    if (context === undefined) send(response, request.method, 503, { 'Retry-After': '1' }, '');
    else await route(request, response, context);
  };
  const { server, port } = await startOnPort(requestedPort, (port) => startServer({ host, port }, respond)).catch(
    async (error: unknown) => {
      await caches.cache.close();
      throw error;
    },
  );
  const name = host === undefined || isUnspecified(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = new URL(`http://${name}:${port}`).origin; // omits the default port, 80
  const session = new Session({ ...options, baseUrl: url }, caches, stop);
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

/** The first port to try, as in the documentation. */
const DEFAULT_PORT = 8080;
/** Number of ports to try, from {@link DEFAULT_PORT} upwards. */
const PORT_ATTEMPTS = 20;

/** Starts on the requested port, or else on the first free port. */
async function startOnPort<T>(requested: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  for (let port = requested ?? DEFAULT_PORT; ; port++) {
    try {
      return await start(port);
    } catch (error) {
      const isLast = requested !== undefined || port === DEFAULT_PORT + PORT_ATTEMPTS - 1;
      if (isLast || !(error instanceof ServeError && error.isInUse)) throw error;
    }
  }
}
