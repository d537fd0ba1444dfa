/** The environment variable with the secret of caches that travel between machines. */
export const CACHE_SECRET = 'THEMECAST_CACHE_SECRET';

/** The cache cannot be used: its folder cannot be created or written, or its secret is too short. */
export class CacheError extends Error {}
