/** Request headers that ask for a part of a file. */
export const RANGE_HEADERS = ['Range', 'If-Range'] as const;

/** Request headers that ask for a file unless the client has it. */
export const VALIDATION_HEADERS = ['If-None-Match', 'If-Modified-Since'] as const;

/** Request headers that ask for a file only if it is unchanged. */
export const PRECONDITION_HEADERS = ['If-Match', 'If-Unmodified-Since'] as const;
