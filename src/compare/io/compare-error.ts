/** A service cannot be compared: it is not reached, or returns no list. */
export class CompareError extends Error {}
