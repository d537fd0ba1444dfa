import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Whether a program that follows URLs from outside may connect to an address: always, only within the same network, or never. */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Addresses within networks (RFC 1918, RFC 6598, RFC 2544, RFC 4193) and of this machine. */
const PRIVATE = blockList(
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
);

/**
 * Addresses that no service has: metadata and secrets of clouds (link-local, and 168.63.129.16 of Azure), multicast, reserved (RFC 6890), and
 * addresses that embed IPv4 addresses for obsolete or private gateways. These are IPv4-compatible and -translated addresses (RFC 4291,
 * RFC 2765), 6to4 and its relays (RFC 7526), NAT64 of a network (RFC 8215) and Teredo (RFC 4380).
 */
const FORBIDDEN = blockList(
  ['0.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
);

/** Makes a list of blocks. A block of IPv4 includes its NAT64 addresses (RFC 6052, §2.1); Node.js adds IPv4-mapped addresses itself. */
function blockList(...ranges: [network: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) {
    list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');
    if (!isIPv6(network)) list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
  }
  return list;
}

export function addressKind(address: string): AddressKind {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (PRIVATE.check(address, family)) return 'private';
  return FORBIDDEN.check(address, family) ? 'forbidden' : 'public';
}

/** Thrown if a host resolves to an address that must not be connected to. */
export class ForbiddenAddressError extends Error {}

/**
 * Makes a look-up for sockets that checks every address at connection time, because a name may resolve to a different address the second time
 * (DNS rebinding). Sockets do not look up IP addresses, so callers check these with {@link checkAddress} first.
 */
export function guardedLookup(allowsPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      try {
        for (const { address } of addresses) checkAddress(address, hostname, allowsPrivate);
      } catch (refused) {
        return callback(refused as Error, '', 0);
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

/** Checks an IP address; a host name passes. @throws {ForbiddenAddressError} for an address that must not be connected to */
export function checkAddress(address: string, hostname: string, allowsPrivate: boolean): void {
  if (isIP(address) === 0) return;
  const kind = addressKind(address);
  if (kind === 'forbidden' || (kind === 'private' && !allowsPrivate))
    throw new ForbiddenAddressError(
      `${hostname} is at ${address}, ${kind === 'private' ? 'a private address' : 'a reserved address'}, so it is not requested`,
    );
}
