/** Flags of earlier versions, and what to do now. */
export const REMOVED_FLAGS: Readonly<Record<string, string>> = {};
