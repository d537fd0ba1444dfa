import type { Credential } from './rules.ts';

/**
 * Returns the hostname in the `Host` header, normalised: in lower case, without port and trailing dot. Returns undefined for a header that
 * is absent, malformed or repeated, and for IPv6 addresses. Every host follows this rule.
 */
export function hostnameOf(header: string | null | undefined): string | undefined {
  return /^([a-z0-9.-]*[a-z0-9])\.?(?::\d*)?$/i.exec(header ?? '')?.[1]?.toLowerCase();
}

/**
 * Returns the slug of the theme that a rule maps the hostname to, or without a map the hostname as the key of a group. Only a name with a
 * dot may be a group: any client can send `Host: staff`, and the group `staff` may be reserved for a trusted proxy.
 */
export function keyOfHostname(
  { themes }: Extract<Credential, { from: 'host' }>,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  if (themes === undefined) return name.includes('.') ? name : undefined;
  return Object.hasOwn(themes, name) ? themes[name] : undefined;
}
