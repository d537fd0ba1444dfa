import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ThemeRecord } from '../../src/document/record.ts';
import type { GalleryContent, GalleryTheme } from '../../src/gallery/content.ts';
import { DEV_SCRIPT } from '../../src/gallery/dev-script.ts';
import { galleryPage } from '../../src/gallery/gallery-page.ts';
import { GALLERY_STYLE } from '../../src/gallery/gallery-style.ts';
import { DEV_PATHS, themePath, themeStylePath } from '../../src/gallery/layout.ts';
import { themePage } from '../../src/gallery/theme-page.ts';
import { themeStyle } from '../../src/gallery/theme-style.ts';
import { viewAsPage } from '../../src/gallery/view-as-page.ts';
import { galleryContent, whoIs } from '../gallery.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' https:; form-action 'self'";

/** The pages of the gallery on a port of this machine, without the rest of the development server. */
export interface GalleryServer {
  url: string;
  /** What the pages show; may be replaced between requests. */
  content: GalleryContent;
  /** Sends an event to every open page. */
  send: (message: object) => void;
  /** How many pages listen. */
  listeners: () => number;
  close: () => Promise<void>;
}

/**
 * Shows what a build has published.
 * @param outDir - with documents whose URLs are those of this server: see `port`
 * @param changes - by slug
 */
export async function serveGallery(
  outDir: string,
  port: number,
  changes: Readonly<Record<string, Partial<GalleryTheme>>> = {},
): Promise<GalleryServer> {
  const listeners = new Set<ServerResponse>();
  const url = `http://127.0.0.1:${port}`;
  const gallery = {
    url,
    content: await readContent(outDir, url, changes),
    send: (message: object) => {
      for (const response of listeners) response.write(`data: ${JSON.stringify(message)}\n\n`);
    },
    listeners: () => listeners.size,
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const send = (type: string, body: string | Buffer) => {
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': POLICY });
      response.end(body);
    };
    if (pathname === DEV_PATHS.events) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(': open\n\n');
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    } else if (pathname === DEV_PATHS.style) send('text/css', GALLERY_STYLE);
    else if (pathname === DEV_PATHS.script) send('text/javascript', DEV_SCRIPT);
    else if (pathname.startsWith('/media/')) {
      const types: Record<string, string> = { '.svg': 'image/svg+xml', '.webp': 'image/webp', '.jpg': 'image/jpeg' };
      readFile(path.join(outDir, pathname)).then(
        (body) => send(types[path.extname(pathname)] ?? 'image/png', body),
        () => response.writeHead(404).end(),
      );
    } else {
      pageAt(pathname, searchParams, gallery.content).then(
        (page) =>
          page === undefined
            ? response.writeHead(404).end()
            : send(pathname.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8', page),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }
  });
  await listen(server, port);
  return Object.assign(gallery, {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function pageAt(pathname: string, query: URLSearchParams, content: GalleryContent): Promise<string | undefined> {
  if (pathname === '/') return galleryPage(content, query.get('q') ?? '');
  if (pathname === DEV_PATHS.viewAs) {
    const user = query.get('user') ?? '';
    const given = { user: { key: user, theme: content.themes.find(({ slug }) => user.includes(slug))?.slug } };
    const problems = user.includes(' ') ? { user: 'holds a space at position 2' } : {};
    const who = user === '' || user.includes(' ') ? undefined : await whoIs(content.themes, given);
    return viewAsPage({ keys: { user, group: '' }, problems, who }, content);
  }
  const theme = content.themes.find(({ slug }) => pathname.startsWith(themePath(slug)));
  if (theme === undefined) return undefined;
  return pathname === themeStylePath(theme.slug) ? themeStyle(theme.record) : themePage(theme, content);
}

async function readContent(
  outDir: string,
  url: string,
  changes: Readonly<Record<string, Partial<GalleryTheme>>>,
): Promise<GalleryContent> {
  const json = async (file: string) => JSON.parse(await readFile(path.join(outDir, file), 'utf8')) as unknown;
  const records = (await json('api/v2/theme/index.json')) as ThemeRecord[];
  const { files } = (await json('manifest.json')) as { files: { path: string; bytes: number }[] };
  const sizes = new Map(files.map((file) => [`${url}/${file.path}`, file.bytes]));
  const themes = records.map((record): GalleryTheme => {
    const slug = record.logo.split('/').at(-2) ?? '';
    return { slug, record, sizes, findings: [], users: { user: 0, group: 0 }, ...changes[slug] };
  });
  return galleryContent({ site: { ...galleryContent().site, base_url: url }, themes });
}

async function listen(server: Server, port: number): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server.address() as AddressInfo;
}
