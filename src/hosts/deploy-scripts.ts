import { MEDIA_TYPES } from '../document/served-as.ts';
import { LIST } from '../document/endpoint.ts';
import type { OutputFile } from '../document/output-file.ts';
import { EDGE_HOSTS, type EdgeHost } from '../theme/site.ts';
import type { EdgeAdapter, EdgeInput } from './adapter.ts';
import { configFile } from './config-file.ts';
import { Inexpressible } from './inexpressible.ts';
import { contractView } from './readme.ts';
import { fillFile, type View } from './template.ts';

/** The deployment scripts of a host: file names, each with its template below `src/hosts/`. */
interface Scripts {
  files: Readonly<Record<string, string>>;
  /** Whether a deployment replaces all files, so that it must contain retained files too. */
  replacesAll?: true;
  /** The commands and paths of a server, for the templates of its scripts. */
  view?: View;
}

const WEB_SERVER = {
  'deploy.sh': 'web-server-deploy.sh',
  'publish.sh': 'web-server-publish.sh',
  'themecast-rules': 'web-server-rules.sh',
};
/** Version of `themecast-rules`. Raise it when deploy.sh calls the script differently: the administrator must copy it again. */
const RULES_VERSION = '1';
const STORE = { 'rclone.sh': 'rclone.sh' };

/** `reload` is a signal: the old workers exit shortly afterwards. */
const WITH_WORKERS = 'nginx -s reload && sleep 1';

/** The hosts that `themecast deploy` supports. Each platform deploys a fetch handler in its own way. */
const SCRIPTS: Readonly<Record<EdgeHost, Scripts | undefined>> = {
  nginx: { files: WEB_SERVER, view: { etc: 'nginx', group: '', check: 'nginx -t', reload: WITH_WORKERS } },
  apache: {
    files: WEB_SERVER,
    view: { etc: 'apache2', group: 'www-data', check: 'apachectl configtest', reload: 'apachectl graceful' },
  },
  caddy: {
    files: WEB_SERVER,
    view: {
      etc: 'caddy',
      group: 'caddy',
      check: 'caddy validate --config /etc/caddy/Caddyfile',
      reload: 'systemctl reload caddy',
    },
  },
  cloudflare: { files: { 'deploy.sh': 'cloudflare/deploy.sh' }, replacesAll: true },
  netlify: { files: { 'deploy.sh': 'netlify/deploy.sh' }, replacesAll: true },
  vercel: { files: { 'deploy.sh': 'vercel/deploy.sh' }, replacesAll: true },
  cloudfront: { files: { 'deploy.sh': 'cloudfront/deploy.sh', ...STORE } },
  fetch: undefined,
  static: { files: { 'deploy.sh': 'static/deploy.sh', ...STORE } },
};

/** The hosts that have a `deploy.sh`. */
export const DEPLOYED_HOSTS = EDGE_HOSTS.filter((host) => SCRIPTS[host] !== undefined);

/** Whether a deployment to a host replaces all files. */
export function replacesAll(host: EdgeHost): boolean {
  return SCRIPTS[host]?.replacesAll === true;
}

/** Whether a host consists of servers that are deployed to by ssh. */
export function hasServers(host: EdgeHost): boolean {
  return SCRIPTS[host]?.files === WEB_SERVER;
}

/** Returns `deploy.sh` of a host and its helper scripts; nothing for a host without scripts. */
export function deployScripts(adapter: EdgeAdapter, host: EdgeHost, input: EdgeInput): OutputFile[] {
  const { files = {}, view = {} } = SCRIPTS[host] ?? {};
  const { baseUrl, origin, headers, endpoints } = input.rules;
  const root = safe('origin.document_root', origin.document_root.replace(/(?<=[^/])\/+$/, ''));
  const isStatic = host === 'static';
  // CloudFront replaces the cache headers of the bucket.
  const cacheOf = (value: string): string => (isStatic ? value : 'max-age=60');
  const filled: View = {
    ...contractView(input),
    ...adapter.readme?.(input),
    ...Object.fromEntries(EVERY_SERVER.map((name) => [name, name === host])),
    ...view,
    title: adapter.title,
    host,
    document_root: root,
    rules_version: RULES_VERSION,
    folder: root.replace(/\/[^/]*$/, ''),
    public_url: safe('base_url', baseUrl + LIST.path),
    types: [...MEDIA_TYPES].map(([extension, media_type]) => ({ extension, media_type })),
    immutable_cache: headers.media['Cache-Control'] ?? '',
    config_cache: cacheOf(endpoints.config.cacheControl),
    list_cache: cacheOf(endpoints.list.cacheControl),
  };
  const { templates } = input;
  const http_record = fillFile(templates, 'http-record.sh', filled).trimEnd();
  return Object.entries(files).map(([name, template]) =>
    configFile(name, fillFile(templates, template, { ...filled, http_record })),
  );
}

const EVERY_SERVER = ['nginx', 'apache', 'caddy'];

/** Returns a value that needs no quotes in a shell. */
function safe(setting: string, value: string): string {
  if (/^[\w./:~%@[\]-]+$/.test(value)) return value;
  throw new Inexpressible(`the scripts of a deployment take no such characters: change \`${setting}\``);
}
