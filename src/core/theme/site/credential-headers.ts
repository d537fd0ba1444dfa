import type { Credential } from '../../edge-runtime/rules.ts';

/** Returns the request headers that a credential reads, for `Vary`. */
export function credentialHeaders(read: Credential): string[] {
  if (read.from === 'cookie') return ['Cookie'];
  // The hostname is part of the target URI (RFC 9110, §7.1), so every cache already distinguishes it.
  if (read.from === 'host') return [];
  if (read.from === 'header') return 'secret' in read ? [read.name, read.secret.header] : [read.name];
  if (read.from === 'auth_request') return ['Cookie', 'Authorization'];
  return [read.cookie === undefined ? 'Authorization' : 'Cookie'];
}
