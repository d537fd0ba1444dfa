/**
 * Maximum number of values in JSON, estimated by commas and brackets; the manifest of 40,000 themes has that many. 64 MB of `[[],[],…]`
 * took 2.1 GB of memory (measured).
 */
const MAX_VALUES = 2_500_000;

/** Parses JSON from another machine. @throws {SyntaxError} if it is invalid, or has too many values */
export function parseBounded(text: string): unknown {
  let values = 0;
  for (const opening of [',', '[', '{'])
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1))
      if (++values > MAX_VALUES) throw new SyntaxError(`It has more than ${MAX_VALUES.toLocaleString('en')} values`);
  return JSON.parse(text) as unknown;
}
