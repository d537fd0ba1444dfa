import type { IdentityRule } from '../edge-runtime/rules.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';

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

/** Whether a URL leads to this machine. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether what is sent to a URL is encrypted, or stays within this machine. */
export function isConfidential(url: string): boolean {
  return new URL(url).protocol === 'https:' || isLoopback(url);
}
