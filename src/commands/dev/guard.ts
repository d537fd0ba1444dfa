import { isIP } from 'node:net';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** The wildcard addresses: all addresses of the machine. */
const UNSPECIFIED = new Set(['0.0.0.0', '::']);

/**
 * Whether a Host header belongs to this server. This protects against DNS rebinding: another site may point its own name at this address,
 * but the header then contains that name.
 * @param host - the value of --listen, if any. Any port is then accepted, because containers and tunnels map ports. With a wildcard
 * address, so is any IP address, because only a name can be rebound.
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

export function isUnspecified(address: string): boolean {
  return UNSPECIFIED.has(address);
}

/** Whether an Origin header is absent or is the origin of this server. */
export function isOwnOrigin(origin: string | null, serverOrigin: string): boolean {
  return origin === null || origin === serverOrigin || origin === serverOrigin.replace('127.0.0.1', 'localhost');
}
