import { type OutputFile, textFile } from '../../core/document/files/output-file.ts';
import type { EdgeRules } from '../contract/contract.ts';
import type { EdgeAdapter } from '../adapter/adapter.ts';
import { WEB_SERVER } from '../contract/presets.ts';
import { configFile, filledFile, keyFiles } from '../contract/config-file.ts';
import { redirectPairs } from '../contract/redirects.ts';
import { METHOD, namedResponses, type Route, serviceRoutes } from '../contract/routes.ts';
import type { View } from '../adapter/template.ts';
import { rulesView } from './rules.ts';
import { sectionsView } from './sections.ts';
import { mapLine, quote } from './syntax.ts';
import { readsHostGroups, serverNames } from '../contract/hostnames.ts';

/** Apache httpd with its standard modules, without scripting: rewrite rules choose the file to content. */
export const apache: EdgeAdapter = {
  title: 'Apache httpd',
  capabilities: {
    ...WEB_SERVER,
    ranOn: 'the server, 2.4',
    maxKeys: 10_000_000,
    // Measured on httpd 2.4.71 with two busy cores: building a map of 1 million keys takes 5 s and 84 MB, of 10 million 206 s and 673 MB.
    // A lookup takes less than a millisecond, and httpd reads nothing at startup.
    maxKeysBecause: 'measured',
    etag: 'content',
  },
  files({ rules, mapping, templates }) {
    const routes = serviceRoutes(rules);
    const moved = redirectPairs(rules).map(([from, to]) => mapLine(decodeURIComponent(from), to));
    const root = quote(rules.origin.document_root.replace(/(?<!\/)\/+$/, ''));
    const view = { root, moved: moved.length > 0, host_groups: readsHostGroups(rules.identity) };
    return [
      filledFile(templates, 'apache/theme-service.conf', {
        ...view,
        ...rulesView(rules, routes),
        ...sectionsView(rules, routes),
      }),
      filledFile(templates, 'apache/virtual-host.conf', hostView(rules, serverNames(rules, mapping))),
      ...keyFiles('txt', mapping, 'make-maps.sh', mapLine),
      // make-maps.sh builds a map of this file; httpd looks up decoded paths.
      ...(moved.length === 0 ? [] : [configFile('redirects.txt', moved.join(''))]),
      filledFile(templates, 'apache/make-maps.sh', view),
      ...bodies(rules, routes),
    ];
  },
  routing:
    'The generated `<VirtualHost>` has them as `ServerAlias`. List them in `ServerAlias` of your existing `<VirtualHost>`, unless it is the first of its address. Reload httpd for new ones. `UseCanonicalName` does not matter.',
  readme: ({ rules: { origin } }) => ({ port_80: /^(?:.*:)?80$/.test(origin.listen) }),
};

/** Returns the values of `virtual-host.conf`, a server for the theme service alone. */
function hostView({ baseUrl, origin, endpoints }: EdgeRules, [, ...aliases]: readonly string[]): View {
  const { hostname } = new URL(baseUrl);
  return {
    listen: origin.listen,
    address: origin.listen.includes(':') ? origin.listen : `*:${origin.listen}`,
    // `ServerName` accepts a name or an IPv4 address.
    name: hostname.startsWith('[') ? '' : quote(hostname),
    aliases: aliases.map(quote),
    not_found: quote(`${endpoints.list.path}404`),
  };
}

/** Returns the bodies of responses. httpd accepts only tokens as methods (RFC 9110, §5.6.2), so a method needs no escaping in JSON. */
function bodies(rules: EdgeRules, routes: readonly Route[]): OutputFile[] {
  const files = new Map<string, string>();
  for (const { name, content } of namedResponses(rules, routes)) {
    if (!('status' in content)) continue;
    const method = '<!--#echo encoding="none" var="REDIRECT_REQUEST_METHOD" -->';
    files.set(content.status === 200 ? name : String(content.status), content.body.replace(METHOD, method));
  }
  return [...files].map(([name, body]) => textFile(`answers/${name}.json`, body));
}
