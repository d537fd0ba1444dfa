import { LIST } from '../../core/document/endpoint.ts';
import type { OutputFile } from '../../core/document/files/output-file.ts';
import { EDGE_HOSTS, type EdgeHost } from '../../core/theme/site/site.ts';
import type { EdgeAdapter } from './adapter.ts';
import { configFile } from '../contract/config-file.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { Inexpressible } from '../contract/inexpressible.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { fillFile, type Templates, type View } from './template.ts';

/** How a host is deployed to. */
interface Deployment {
  /** The script that deploys, below `src/commands/deploy/scripts/`. */
  script: string;
  /** Whether a deployment replaces all files, so that it must contain retained files too. */
  replacesAll?: true;
  /** The commands and paths of a server, for `themecast-rules`. */
  view?: View;
}

/** Version of `themecast-rules`. Raise it when web-server.sh calls it differently: the administrator must copy it again. */
export const RULES_VERSION = '2';
const WEB_SERVER = 'web-server.sh';

/** `reload` is a signal: the old workers exit shortly afterwards. */
const WITH_WORKERS = 'nginx -s reload && sleep 1';

/** The hosts that `themecast deploy` supports. Each platform deploys a fetch handler in its own way. */
const DEPLOYMENTS: Readonly<Record<EdgeHost, Deployment | undefined>> = {
  nginx: { script: WEB_SERVER, view: { etc: 'nginx', group: '', check: 'nginx -t', reload: WITH_WORKERS } },
  apache: {
    script: WEB_SERVER,
    view: { etc: 'apache2', group: 'www-data', check: 'apachectl configtest', reload: 'apachectl graceful' },
  },
  caddy: {
    script: WEB_SERVER,
    view: {
      etc: 'caddy',
      group: 'caddy',
      check: 'caddy validate --config /etc/caddy/Caddyfile',
      reload: 'systemctl reload caddy',
    },
  },
  cloudflare: { script: 'cloudflare.sh', replacesAll: true },
  netlify: { script: 'netlify.sh', replacesAll: true },
  vercel: { script: 'vercel.sh', replacesAll: true },
  cloudfront: { script: 'cloudfront.sh' },
  fetch: undefined,
  static: { script: 'static.sh' },
};

/** The hosts that `themecast deploy` supports. */
export const DEPLOYED_HOSTS = EDGE_HOSTS.filter((host) => DEPLOYMENTS[host] !== undefined);

/** Returns the name of the script that deploys to a host. */
export function scriptOf(host: EdgeHost): string {
  const script = DEPLOYMENTS[host]?.script;
  if (script === undefined) throw new Error(`Bug: ${host} is not deployed.`);
  return script;
}

/** Whether a deployment to a host replaces all files. */
export function replacesAll(host: EdgeHost): boolean {
  return DEPLOYMENTS[host]?.replacesAll === true;
}

/** Whether a host consists of servers that are deployed to by ssh. */
export function hasServers(host: EdgeHost): boolean {
  return DEPLOYMENTS[host]?.script === WEB_SERVER;
}

/**
 * Returns the environment of the script of a host. The rules may be those of an archive, so no value has a meaning in a shell.
 * @throws {Inexpressible}
 */
export function deployVariables(host: EdgeHost, rules: EdgeRules): Record<string, string> {
  const { baseUrl, basePath, headers, endpoints, schemas, keyed } = rules;
  // CloudFront replaces the cache headers of the bucket.
  const cacheOf = (value: string): string => (host === 'static' ? value : 'max-age=60');
  return {
    EDGE_HOST: host,
    RULES_VERSION,
    ROOT: rootOf(rules),
    PUBLIC_URL: safe('base_url', /^https?:/, baseUrl + LIST.path),
    BASE_PATH: safe('base_url', /^(?:\/|$)/, basePath),
    SCHEMAS: schemas.length > 0 ? 'yes' : '',
    KEYED: keyed ? 'yes' : '',
    IMMUTABLE_CACHE: headers.media['Cache-Control'] ?? '',
    CONFIG_CACHE: cacheOf(endpoints.config.cacheControl),
    LIST_CACHE: cacheOf(endpoints.list.cacheControl),
  };
}

/** Returns `themecast-rules` for a server. Root copies it there once, so its values are written into it, not read from variables. @throws {Inexpressible} */
export function rulesScript(
  { title }: EdgeAdapter,
  host: EdgeHost,
  { rules, templates }: { rules: EdgeRules; templates: Templates },
): OutputFile[] {
  // So a build fails before a deployment does.
  if (DEPLOYMENTS[host] !== undefined) deployVariables(host, rules);
  if (!hasServers(host)) return [];
  const view = {
    ...Object.fromEntries(EVERY_SERVER.map((name) => [name, name === host])),
    ...DEPLOYMENTS[host]?.view,
    title,
    host,
    folder: rootOf(rules).replace(/\/[^/]*$/, ''),
    moved: redirectPairs(rules).length > 0,
    rules_version: RULES_VERSION,
  };
  return [configFile('themecast-rules', fillFile(templates, 'web-server-rules.sh', view))];
}

const EVERY_SERVER = ['nginx', 'apache', 'caddy'];

function rootOf({ origin }: EdgeRules): string {
  return safe('origin.document_root', /^\//, origin.document_root.replace(/(?<=[^/])\/+$/, ''));
}

/** Returns a value that needs no quotes in a shell, and is no option. */
function safe(setting: string, start: RegExp, value: string): string {
  if (start.test(value) && /^[\w./:~%@[\]-]*$/.test(value)) return value;
  throw new Inexpressible(`a deployment takes no such characters: change \`${setting}\``);
}
