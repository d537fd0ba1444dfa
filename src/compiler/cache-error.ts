/** The cache cannot be used: its folder cannot be created or written, or Git tracks it. */
export class CacheError extends Error {}
