/**
 * Limits of an SVG. The parentheses contain the maximum among the files of `test/long/svg-sets.js` and of the repositories gilbarbara/logos,
 * VectorLogoZone, svgl and SuperTinyIcons, fonts excepted.
 */
export const LIMITS = {
  /** Size of the file, in bytes (720,459). */
  bytes: 1024 * 1024,
  /** Elements in the file (2,601). */
  elements: 20_000,
  /** Nesting depth of elements, references followed (8 without them). */
  depth: 64,
  /** References; a reference in a style sheet is counted for every element that it applies to. */
  references: 100_000,
  /** Steps of applying a style sheet: its selectors and declarations, for every element (300,000). */
  rules: 10_000_000,
  /** Elements that are drawn, counted again at every reference to them. */
  drawn: 10_000,
  /**
   * Filter steps, counted again for every element that they are applied to (49; the next files have 74 and 298, and the latter takes two minutes to
   * draw at 2200 pixels). See `FILTER_STEPS`.
   */
  filterSteps: 50,
  /** Characters of an attribute, and of one with coordinates (350,005). */
  attribute: 16 * 1024,
  path: 512 * 1024,
  findings: 20,
} as const;
