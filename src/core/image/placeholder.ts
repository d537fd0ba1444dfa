/** Marks an SVG as a placeholder to be replaced. It is a comment, so it is not published. */
export const PLACEHOLDER_MARK = '<!-- themecast: placeholder -->';

/** The mark is in the first bytes of a file, which may be large. */
const START_BYTES = 500;

/** Whether an SVG is a placeholder that themecast drew. */
export function isPlaceholder(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, START_BYTES).includes(PLACEHOLDER_MARK);
}
