import { ENCODED_CHARACTERS } from '../../core/edge-runtime/cookie.ts';
import type { View } from '../adapter/template.ts';

/** The alphabet of keys, as a character class of PCRE and RE2. */
export const KEY_CHARACTER = '[A-Za-z0-9._@+:|=/~-]';

const ESCAPES = ENCODED_CHARACTERS.map((character) => {
  const [high = '', low = ''] = Buffer.from(character).toString('hex').toUpperCase();
  return [character, `%${high}${/\d/.test(low) ? low : `[${low}${low.toLowerCase()}]`}`] as const;
});

/** Matches a character of a key in a cookie, percent-encoded or not (`keyOfCookie` in `src/core/edge-runtime/cookie.ts`). */
export const ENCODED_KEY_CHARACTER = `(?:${KEY_CHARACTER}|${ESCAPES.map(([, escape]) => escape).join('|')})`;

/** How many escapes of one character each step decodes: 15 in all. */
const REPETITIONS = [8, 4, 2, 1] as const;

/**
 * Returns the maps that decode a key in a cookie, for hosts whose maps capture a fixed number of groups.
 * @param first - the variable with the encoded key
 * @param last - the variable with the decoded key
 * @param group - writes the reference to a group of a regular expression
 */
export function decodingMaps(
  first: string,
  last: string,
  quoteTemplate: (text: string) => string,
  group: (number: number) => string,
): View[] {
  const steps = ESCAPES.flatMap(([character, escape]) =>
    REPETITIONS.map((times) => {
      const pattern = `~^${`(.*?)${escape}`.repeat(times)}(.*)$`;
      const text = Array.from({ length: times + 1 }, (_, at) => group(at + 1)).join(character);
      return `${quoteTemplate(pattern)} ${quoteTemplate(text)}`;
    }),
  );
  const nameAt = (step: number): string => (step === 0 ? first : step === steps.length ? last : `${first}_${step}`);
  return steps.map((line, at) => ({ from: nameAt(at), to: nameAt(at + 1), line }));
}
