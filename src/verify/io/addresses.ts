import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Looks up all addresses of a hostname; rejects if there are none. */
export type LookUp = (hostname: string) => Promise<readonly { address: string }[]>;

/** How long a lookup may take, in milliseconds: servers of DNS may be out of reach. */
const TIMEOUT_MS = 5000;

/** Addresses of a hostname that are used, at most. */
const MAX_ADDRESSES = 16;

const systemLookUp: LookUp = (hostname) => lookup(hostname, { all: true });

/** The addresses of a hostname, IPv4 and IPv6; none if it has none, or not in time. */
export async function addressesOf(hostname: string, lookUp: LookUp = systemLookUp): Promise<string[]> {
  const timeout = new AbortController();
  const late = delay(TIMEOUT_MS, [], { signal: timeout.signal, ref: false }).catch(() => []);
  const lookedUp = lookUp(hostname.replace(/^\[|\]$/g, '')).catch(() => []);
  const addresses = await Promise.race([lookedUp, late]);
  timeout.abort();
  return [...new Set(addresses.map(({ address }) => address))].slice(0, MAX_ADDRESSES);
}
