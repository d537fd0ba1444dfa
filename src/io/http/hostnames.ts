import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Resolution } from '../../verify/hostnames.ts';
import { mapConcurrently } from '../concurrency.ts';

/** Looks up all addresses of a hostname; rejects if there are none. */
export type LookUp = (hostname: string) => Promise<readonly { address: string }[]>;

/** How long one lookup may take, in milliseconds: servers of DNS may be out of reach. */
const TIMEOUT_MS = 5000;
const LOOKUPS = 8;

/** Where hostnames lead: to an address of the URL, or not. */
export async function resolveHostnames(
  names: readonly string[],
  url: string,
  lookUp: LookUp = (hostname) => lookup(hostname, { all: true }),
): Promise<Map<string, Resolution>> {
  const addressesOf = async (hostname: string): Promise<string[]> => {
    const timeout = new AbortController();
    const late = delay(TIMEOUT_MS, [], { signal: timeout.signal, ref: false }).catch(() => []);
    const found = lookUp(hostname).catch(() => []);
    const addresses = await Promise.race([found, late]);
    timeout.abort();
    return addresses.map(({ address }) => address);
  };
  if (names.length === 0) return new Map();
  const own = new Set(await addressesOf(new URL(url).hostname.replace(/^\[|\]$/g, '')));
  const resolved = await mapConcurrently(names, LOOKUPS, async (name): Promise<[string, Resolution]> => {
    const addresses = await addressesOf(name);
    if (addresses.length === 0) return [name, 'nowhere'];
    return [name, addresses.some((address) => own.has(address)) ? 'here' : 'elsewhere'];
  });
  return new Map(resolved);
}
