/** The start of `manifest.json` in every version: identifies a folder as an output directory. */
export const MANIFEST_MARK = { file: 'manifest.json', start: /^\{\s*"version": \d+,\s*"base_url": / };
