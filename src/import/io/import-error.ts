/** The list cannot be imported at all; the message says why. */
export class ImportError extends Error {}
