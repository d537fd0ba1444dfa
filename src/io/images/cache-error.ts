/** The cache cannot be used: its folder cannot be created or written, or its secret is too short. */
export class CacheError extends Error {}
