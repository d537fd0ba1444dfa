import { randomBytes } from 'node:crypto';
import type { CheckOptions } from '../api.ts';
import type { GitLinks } from '../pages/git-links.ts';
import { send, startServer } from '../io/http/server.ts';
import { openCaches } from '../resources.ts';
import { Events } from './events.ts';
import { MediaFolder } from './media-folder.ts';
import { type Context, message, route } from './routes.ts';
import { Session, type Update } from './session.ts';

export interface DevOptions extends Pick<CheckOptions, 'themesDir'> {
  /** Folder that diagnostics name files relative to. */
  cwd: string;
  cacheDir: string;
  cacheSecret?: string | undefined;
  /** 0 for any free port. */
  port: number;
  /** Where themes are edited on the web. */
  links: GitLinks | undefined;
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
 * Serves the themes on 127.0.0.1 while they are edited: the service, the gallery, and an event for every new build. Nothing is built
 * before the session is started.
 */
export async function startDevServer({
  port: asked,
  stop,
  onUpdate,
  links,
  ...options
}: DevOptions): Promise<DevServer> {
  const { cache, incremental } = await openCaches(options);
  const media = await MediaFolder.create(cache.folder);
  let context: Context | undefined;
  const { server, port } = await startServer(
    { root: media.folder, port: asked, mediaCache: 'public, max-age=31536000, immutable' },
    async (request, response) => {
      if (context === undefined) send(response, request.method, 503, { 'Retry-After': '1' }, '');
      else await route(request, response, context);
    },
  ).catch(async (error: unknown) => {
    await media.remove();
    await cache.close();
    throw error;
  });
  const url = new URL(`http://127.0.0.1:${port}`).origin; // omits the default port, 80
  const session = new Session({ ...options, baseUrl: url }, { cache, incremental }, media, stop);
  const events = new Events();
  const token = randomBytes(16).toString('base64url');
  context = { session, events, links, token, url, port };
  session.onUpdate = (update) => {
    const now = message(session);
    if (now !== undefined) events.send(now);
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
