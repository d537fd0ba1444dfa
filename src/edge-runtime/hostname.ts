import type { Credential } from './rules.ts';

/**
 * The hostname in the `Host` header of a request, normalised: in lower case, without port and without one trailing dot. Every host
 * follows this rule; undefined for a header that is absent, malformed or repeated, and for IPv6 addresses.
 */
export function hostnameOf(header: string | null | undefined): string | undefined {
  return /^([a-z0-9.-]*[a-z0-9])\.?(?::\d*)?$/i.exec(header ?? '')?.[1]?.toLowerCase();
}

/**
 * What a rule reads from a hostname: the key of a group, or the slug of the theme that it maps it to. A group is a hostname only if it
 * has a dot: other groups may be for a trusted proxy alone to name, and any client can send `Host: staff`.
 */
export function keyOfHostname(
  { themes }: Extract<Credential, { from: 'host' }>,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  if (themes === undefined) return name.includes('.') ? name : undefined;
  return Object.hasOwn(themes, name) ? themes[name] : undefined;
}
