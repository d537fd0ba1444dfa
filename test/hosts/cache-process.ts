import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from './contract.ts';
import { TEMPORARY_PATHS } from './nginx-process.ts';
import { freePort, installed, NOBODY, startServer } from './process.ts';

/** A shared cache that stores the responses of an origin for all clients. */
export interface SharedCache {
  title: string;
  command: string | undefined;
  /** Returns the configuration file and the command-line arguments. */
  configure: (settings: { port: number; origin: number; folder: string }) => {
    file: string;
    text: string;
    args: string[];
  };
}

/** Caches configured as in their manuals. Only response headers keep users apart. */
export const SHARED_CACHES = {
  nginx: {
    title: 'nginx with proxy_cache',
    command: installed('nginx', '-v'),
    configure: ({ port, origin }) => ({
      file: 'nginx.conf',
      text: `daemon off;
pid nginx.pid;
worker_processes 1;
events {}
http {
    access_log off;
    ${TEMPORARY_PATHS}
    proxy_cache_path cache keys_zone=themes:1m;
    server {
        listen 127.0.0.1:${port};
        location / {
            proxy_pass http://127.0.0.1:${origin};
            # The cache key does not include the hostname.
            proxy_set_header Host $http_host;
            proxy_cache themes;
            proxy_cache_revalidate on;
        }
    }
}
`,
      args: ['-p', '.', '-c', 'nginx.conf', '-e', 'error.log'],
    }),
  },
  varnish: {
    title: 'Varnish with its built-in VCL',
    command: installed('varnishd', '-V'),
    configure: ({ port, origin, folder }) => ({
      file: 'default.vcl',
      text: `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${origin}"; }
`,
      // Varnish would resolve a relative path to /etc/varnish/default.vcl.
      args: [
        '-F',
        '-n',
        folder,
        '-f',
        `${folder}/default.vcl`,
        '-a',
        `127.0.0.1:${port}`,
        '-T',
        'none',
        '-s',
        'malloc,16m',
      ],
    }),
  },
  haproxy: {
    title: 'HAProxy with its cache',
    command: installed('haproxy', '-v'),
    configure: ({ port, origin }) => ({
      file: 'haproxy.cfg',
      text: `global
    maxconn 256
defaults
    mode http
    timeout connect 2s
    timeout client 10s
    timeout server 10s
cache themes
    total-max-size 4
    max-age 60
frontend clients
    bind 127.0.0.1:${port}
    http-request cache-use themes
    http-response cache-store themes
    default_backend origin
backend origin
    server origin 127.0.0.1:${origin}
`,
      args: ['-db', '-f', 'haproxy.cfg'],
    }),
  },
} as const satisfies Record<string, SharedCache>;

/** Starts a cache in front of an origin, without privileges, in a separate folder. */
export async function startCache(
  { command = '', configure }: SharedCache,
  folder: string,
  origin: number,
): Promise<Host> {
  const port = await freePort();
  const cacheFolder = path.join(folder, 'cache');
  await mkdir(cacheFolder);
  const { file, text, args } = configure({ port, origin, folder: cacheFolder });
  await writeFile(path.join(cacheFolder, file), text);
  await chmod(folder, 0o755);
  if (NOBODY !== undefined) await chown(cacheFolder, NOBODY.uid, NOBODY.gid);
  return startServer({ command, args, port, cwd: cacheFolder, unprivileged: true });
}
