import { createHmac } from 'node:crypto';
import path from 'node:path';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { CACHE_SECRET } from '../../hosts/secrets.ts';
import { checkoutOf } from '../output/tracked.ts';
import { stateKey } from '../state-key.ts';
import { CacheError } from './cache-error.ts';

/** Returns the keys of a cache: the first seals its entries, any of them is believed. None: no entry is. */
export type CacheKeys = () => Promise<readonly string[]>;

/**
 * The keys of the cache of a site: one derived from the secret, if there is one, and that of this user on this machine.
 * @param themesDir - a machine key in the same checkout could have come with it, and is not used
 * @throws {CacheError} if the secret is too short
 */
export function cacheKeys(themesDir: string, secret: string | undefined): CacheKeys {
  const bytes = Buffer.byteLength(secret ?? '');
  if (secret !== undefined && bytes < MIN_SECRET_BYTES)
    throw new CacheError(
      `The secret of the cache (${CACHE_SECRET}) has only ${bytes} bytes. Set it to at least ${MIN_SECRET_BYTES} bytes: \`openssl rand -hex 32\` generates one.`,
    );
  const derived = secret === undefined ? [] : [createHmac('sha256', secret).update('themecast cache').digest('hex')];
  return async () => {
    const parent = path.dirname(path.resolve(themesDir));
    const machine = await stateKey(checkoutOf(parent) ?? parent);
    return [...derived, ...(machine === undefined ? [] : [machine])];
  };
}
