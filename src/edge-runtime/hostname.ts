import type { Credential } from './rules.ts';

/**
 * The hostname in the `Host` header of a request, normalised: in lower case, without port and without one trailing dot. Every host
 * follows this rule; undefined for a header that is absent, malformed or repeated, and for IPv6 addresses.
 */
export function hostnameOf(header: string | null | undefined): string | undefined {
  return /^([a-z0-9.-]*[a-z0-9])\.?(?::\d*)?$/i.exec(header ?? '')?.[1]?.toLowerCase();
}

/** What a rule reads from a hostname: the key of a group, or the slug of the theme that it maps it to. */
export function keyOfHostname(
  { themes }: Extract<Credential, { from: 'host' }>,
  name: string | undefined,
): string | undefined {
  if (themes === undefined || name === undefined) return name;
  return Object.hasOwn(themes, name) ? themes[name] : undefined;
}
