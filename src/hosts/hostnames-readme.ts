import type { EdgeHost } from '../theme/site.ts';
import type { EdgeRules } from './contract.ts';

/** How requests for the declared hostnames reach the service. Hosts without an entry read no hostnames. */
const ROUTING: Readonly<Partial<Record<EdgeHost, string>>> = {
  nginx:
    'The generated `server` has them as `server_name`; more than 1,000 make it the default one of its address. List them in `server_name` of your existing server, unless it is the default one.',
  apache:
    'The generated `<VirtualHost>` has them as `ServerAlias`, up to 1,000; with more, include it first. List them in `ServerAlias` of your existing `<VirtualHost>`, unless it is the first of its address. Reload httpd for new ones. `UseCanonicalName` does not matter.',
  caddy:
    'The generated site responds to every hostname that no other site has. Your existing site must have them among its addresses.',
  cloudflare: 'Add a route or a custom domain for each.',
  netlify: 'Add each as a domain alias of the site.',
  vercel: 'Add each as a domain of the project.',
  cloudfront:
    'Add each as an alternate domain name with a certificate. The function reads `Host` before the cache, which stores one object per file: `Host` does not belong in the cache policy.',
  fastly: 'Add each as a domain of the service.',
};

/** A section of a README, if rules of identity read the hostname. */
export function hostnamesSection(host: EdgeHost, { identity, endpoints }: EdgeRules): string {
  const routing = ROUTING[host];
  if (routing === undefined || !identity.some(({ credential }) => credential.from === 'host')) return '';
  return `

## Hostnames

Rules of identity read the hostname of the request, and only from \`Host\`. ${routing}

- A proxy in front must pass \`Host\` on. \`X-Forwarded-Host\` is not read.
- A shared cache in front must have the hostname in its key, or not store \`${endpoints.config.path}\`, as \`Cache-Control: private\` requires. (The
  default \`proxy_cache_key\` of nginx does not contain it.)
- A hostname that is not declared gets the default theme.`;
}
