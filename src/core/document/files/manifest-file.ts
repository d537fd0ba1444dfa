/** The list of all published files. */
export const MANIFEST_FILE = 'manifest.json';

/** Maximum size of a file of a build, in bytes: the list of 100,000 themes has some 200 million. */
export const MAX_LIST_BYTES = 400 * 1024 * 1024;
