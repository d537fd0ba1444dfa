import type { Location, Report } from '../../diagnostics/diagnostic.ts';
import { hostnameOf } from '../../edge-runtime/hostname.ts';
import type { SourceDocument } from '../../source/yaml.ts';
import { meantTheme } from '../meant-theme.ts';

/** Matches a hostname as hosts normalise it (RFC 1123, §2.1). */
export const HOSTNAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Matches a name that a URL parser would read as an IPv4 address, because of its last label (URL standard, "ends in a number"). */
const NUMERIC = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

/** Whether requests can have this hostname: it is canonical, and no IP address. */
export function isHostname(name: string): boolean {
  return HOSTNAME.test(name) && !NUMERIC.test(name);
}

/** Whether rules look up this group by hostname: only names with a dot. */
export function isGroupHostname(key: string): boolean {
  return key.includes('.') && isHostname(key);
}

/** Returns a hostname in lower case and ASCII (`xn--…`), without port, scheme, path and trailing dot; undefined for anything else. */
export function canonicalForm(name: string): string | undefined {
  const url = /^https?:\/\//i.test(name) ? name : `http://${name}`;
  const ascii = hostnameOf(URL.canParse(url) ? new URL(url).hostname : undefined);
  return ascii !== undefined && isHostname(ascii) ? ascii : undefined;
}

/** Returns the hostnames and themes of the rules `theme: {host: …}` of `identity`; reports invalid hostnames. */
export function declaredThemes(
  document: SourceDocument,
  report: Report,
): { name: string; theme: string; location: Location }[] {
  const rules: unknown = document.data['identity'];
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) => {
    const themes = (rule as { theme?: { host?: unknown } } | null)?.theme?.host;
    if (typeof themes !== 'object' || themes === null || Array.isArray(themes)) return [];
    return Object.entries(themes as Record<string, unknown>).flatMap(([name, theme]) => {
      const path = ['identity', index, 'theme', 'host', name];
      if (!isHostname(name)) report('edge/hostname', document.keyAt(path), { name, meant: canonicalForm(name) });
      return typeof theme === 'string' ? [{ name, theme, location: document.valueAt(path) }] : [];
    });
  });
}

/** Reports declared hostnames whose themes do not exist. */
export function checkDeclared(
  declared: readonly { name: string; theme: string; location: Location }[],
  slugs: readonly string[],
  report: Report,
): void {
  for (const { name, theme, location } of declared)
    if (!slugs.includes(theme))
      report('edge/hostname-theme', location, { theme, name, suggestion: meantTheme(theme, slugs) });
}
