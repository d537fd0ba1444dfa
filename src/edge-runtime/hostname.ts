/**
 * The hostname in the `Host` header of a request, normalised: in lower case, without port and without one trailing dot. Every host
 * follows this rule; undefined for a header that is absent, malformed or repeated, and for IPv6 addresses.
 */
export function hostnameOf(header: string | null | undefined): string | undefined {
  return /^([a-z0-9.-]*[a-z0-9])\.?(?::\d*)?$/i.exec(header ?? '')?.[1]?.toLowerCase();
}
