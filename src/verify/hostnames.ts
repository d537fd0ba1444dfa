import { firstOf } from '../diagnostics/quote.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import type { Resolution } from '../http/exchange.ts';
import { fault, passed, type Result } from './result.ts';

/** The theme of anonymous clients: that of the hostname of the URL, or the default theme. */
export function anonymousTheme(build: Build): string {
  return build.here?.theme ?? defaultTheme(build);
}

/** The theme of a client with a key of a rule: that of the hostname of the URL if an earlier rule reads it. */
export function themeByRule(build: Build, rule: IdentityRule, theme: string | undefined): string {
  const { here } = build;
  if (theme === undefined) return anonymousTheme(build);
  return here !== undefined && here.rule < build.rules.identity.indexOf(rule) ? here.theme : theme;
}

const WHERE: Readonly<Record<Exclude<Resolution, 'here'>, readonly [found: string, hint: string]>> = {
  nowhere: ['no address', 'Add the hostname to DNS.'],
  elsewhere: [
    'addresses that are not those of the URL',
    'Let the hostname lead to the same host in DNS. Ignore this if its addresses change with every lookup, as those of some CDNs do.',
  ],
};

/** Hostnames that one result lists, at most. */
const MAX_LISTED = 3;

/** Whether the hostnames lead to the deployment, as far as that was looked up: one result for all that lead to the same place. */
export function resolutionResults(resolved: ReadonlyMap<string, Resolution> | undefined): Result[] {
  if (resolved === undefined || resolved.size === 0) return [];
  const faults = (['nowhere', 'elsewhere'] as const).flatMap((where) => {
    const names = [...resolved].flatMap(([name, resolution]) => (resolution === where ? [name] : []));
    if (names.length === 0) return [];
    const [found, hint] = WHERE[where];
    const sentence =
      names.length === 1
        ? `The hostname ${names[0]} does not lead to this deployment.`
        : `${names.length} hostnames do not lead to this deployment: ${firstOf(names, MAX_LISTED)}.`;
    return [fault('config/hostnames', sentence, { expected: 'an address of the URL', found, hint })];
  });
  return faults.length > 0 ? faults : [passed('config/hostnames')];
}

/** Whether a URL leads to this machine, so that no DNS is asked for its hostnames. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether what is sent to a URL is encrypted, or stays within this machine. */
export function isConfidential(url: string): boolean {
  return new URL(url).protocol === 'https:' || isLoopback(url);
}
