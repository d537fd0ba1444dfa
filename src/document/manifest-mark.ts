/** The start of `manifest.json` in every version: it identifies a folder as output. */
export const MANIFEST_MARK = { file: 'manifest.json', start: /^\{\s*"version": \d+,\s*"base_url": / };
