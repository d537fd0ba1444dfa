/** The list of all published files. */
export const MANIFEST_FILE = 'manifest.json';
