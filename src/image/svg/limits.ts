/**
 * What an SVG may hold. In the parentheses the most that any of the files of `test/long/svg-sets.js` and of the
 * repositories gilbarbara/logos, VectorLogoZone, svgl and SuperTinyIcons has, but for fonts.
 */
export const LIMITS = {
  /** Size of the file, in bytes (720,459). */
  bytes: 1024 * 1024,
  /** Elements in the file (2,601). */
  elements: 20_000,
  /** How deep elements stand in each other, references followed (8 without them). */
  depth: 64,
  /** References, those of style sheets counted for every element that they are for. */
  references: 100_000,
  /** Elements that are drawn, counted again at every reference to them. */
  drawn: 10_000,
  /**
   * Filter steps, counted again for every element that they are applied to (49; the next have 74 and 298, of which the
   * latter takes two minutes to draw at 2200 pixels). See `FILTER_STEPS`.
   */
  filterSteps: 50,
  /** Characters of an attribute, and of those that hold coordinates (350,005). */
  attribute: 16 * 1024,
  path: 512 * 1024,
  /** Findings in one file. */
  findings: 20,
} as const;
