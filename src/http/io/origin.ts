import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressKind, checkAddress, ForbiddenAddressError } from './addresses.ts';

/** The origins to which an import may send requests. */
export interface Reach {
  /** The origin of the list, the only one that gets credentials. */
  origin: string;
  /** Further hosts of images, in the form of URLs. */
  mediaHosts: readonly string[];
  /** Whether private addresses are allowed: only if the list has one. */
  allowsPrivate: boolean;
}

/** Checks whether a service has a private address. @throws {ForbiddenAddressError} for link-local addresses */
export async function isInsideNetwork(origin: string): Promise<boolean> {
  const hostname = bareHost(new URL(origin));
  const addresses = isIP(hostname) > 0 ? [{ address: hostname }] : await lookup(hostname, { all: true });
  for (const { address } of addresses) checkAddress(address, hostname, true);
  return addresses.some(({ address }) => addressKind(address) === 'private');
}

/**
 * Checks a URL that a service returned.
 * @returns the URL to request, or a sentence about why it is not requested
 */
export function requestUrl(text: string, { origin, mediaHosts, allowsPrivate }: Reach): URL | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'It is no http or https URL.';
  if (url.username + url.password !== '') return 'It contains a user name or a password.';
  const list = new URL(origin);
  // Behind a proxy that terminates TLS, services write their own URLs with http.
  if (url.host === list.host && url.protocol === 'http:') url.protocol = list.protocol;
  if (url.hostname === list.hostname && url.protocol === 'https:' && list.protocol === 'http:')
    return `The service is at ${url.origin}: run the command with that URL.`;
  if (url.origin !== origin) {
    if (!mediaHosts.includes(url.host) && !mediaHosts.includes(url.hostname))
      return `It is on another host than the list. If that host is yours, add \`--media-host ${url.host}\`.`;
    if (url.protocol === 'http:' && list.protocol === 'https:') return 'It is an http URL of another host: not secure.';
  }
  try {
    checkAddress(bareHost(url), url.hostname, allowsPrivate);
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return `${error.message}.`;
    throw error;
  }
  return url;
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
