import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { headerOf } from '../http/io/server.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** The wildcard addresses. */
const UNSPECIFIED = new Set(['0.0.0.0', '::']);

/**
 * Whether a Host header names this server; browsers omit port 80. This is what protects from DNS rebinding: another site may point its
 * own name at this address, but that name is in the header.
 * @param host - the address that was asked for, if one was. Containers and tunnels map ports, so any port is then accepted; and with an
 * address that stands for all, any IP address: it is no name, so it cannot be rebound
 */
export function isOwnHost(header: string | undefined, port: number, host?: string): boolean {
  if (host === undefined) return LOOPBACK.some((name) => header === new URL(`http://${name}:${port}`).host);
  const [, name = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  const bare = name.replaceAll(/[[\]]/g, '').toLowerCase();
  if (LOOPBACK.includes(name.toLowerCase()) || bare === host.toLowerCase()) return true;
  return UNSPECIFIED.has(host) && isIP(bare) !== 0;
}

/** Whether an address reaches this machine alone. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1|localhost)$/.test(address);
}

/** Whether it is a wildcard address: every address of the machine. */
export function isUnspecified(address: string): boolean {
  return UNSPECIFIED.has(address);
}

/** Whether a request comes from a page of this server or from no page. Browsers send at least one of these headers. */
export function isSameOrigin(request: IncomingMessage, own: string): boolean {
  const site = headerOf(request, 'Sec-Fetch-Site');
  return isOwnOrigin(headerOf(request, 'Origin'), own) && (site === null || site === 'same-origin' || site === 'none');
}

/** Whether an Origin header is absent or names this server. */
export function isOwnOrigin(origin: string | null, own: string): boolean {
  return origin === null || origin === own || origin === own.replace('127.0.0.1', 'localhost');
}

/** Compares in constant time. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
