/**
 * What an SVG may hold. In the parentheses the most that any of 5,773 brand logos has
 * (gilbarbara/logos and Simple Icons, see `scripts/torture/svg-logos.js`).
 */
export const LIMITS = {
  /** Size of the file, in bytes (663,643; the next has 155,653). */
  bytes: 512 * 1024,
  /** Elements in the file (2,601). */
  elements: 20_000,
  /** How deep elements stand in each other, references followed (8 without them). */
  depth: 64,
  /** References, those of style sheets counted for every element that they are for. */
  references: 100_000,
  /** Elements that are drawn, counted again at every reference to them. */
  drawn: 10_000,
  /** Filter steps, counted again for every element that they are applied to (53; the next has 45). See `FILTER_STEPS`. */
  filterSteps: 48,
  /** Characters of an attribute, and of those that hold coordinates (155,505). */
  attribute: 16 * 1024,
  path: 256 * 1024,
  /** Findings in one file. */
  findings: 20,
} as const;
