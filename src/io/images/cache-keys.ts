import { createHmac } from 'node:crypto';
import path from 'node:path';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { CACHE_SECRET } from '../../hosts/secrets.ts';
import { checkoutOf } from '../output/tracked.ts';
import { stateKey } from '../state-key.ts';
import { CacheError } from './cache-error.ts';

/** The keys that prove who wrote something to a cache, in hexadecimal. The first there is seals, either is believed. */
export interface CacheKeys {
  /** Derived from the secret of all that share the cache. */
  shared?: string;
  /** Of this user on this machine. */
  machine?: string;
}

/** Finds the keys of a cache when they are first needed. */
export type FindKeys = () => Promise<CacheKeys>;

/**
 * The keys of the cache of a site, found when they are first needed.
 * @param themesDir - a machine key in the same checkout could have come with it, and is not used
 * @throws {CacheError} if the secret is too short
 */
export function cacheKeys(themesDir: string, secret: string | undefined): FindKeys {
  const bytes = Buffer.byteLength(secret ?? '');
  if (secret !== undefined && bytes < MIN_SECRET_BYTES)
    throw new CacheError(
      `The secret of the cache (${CACHE_SECRET}) has only ${bytes} bytes. Set it to at least ${MIN_SECRET_BYTES} bytes: \`openssl rand -hex 32\` generates one.`,
    );
  let keys: Promise<CacheKeys> | undefined;
  return () => (keys ??= findKeys(themesDir, secret));
}

async function findKeys(themesDir: string, secret: string | undefined): Promise<CacheKeys> {
  const parent = path.dirname(path.resolve(themesDir));
  const machine = await stateKey(checkoutOf(parent) ?? parent);
  return {
    ...(secret !== undefined && { shared: createHmac('sha256', secret).update('themecast cache').digest('hex') }),
    ...(machine !== undefined && { machine }),
  };
}
