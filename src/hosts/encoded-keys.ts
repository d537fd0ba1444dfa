import { ENCODED_CHARACTERS } from '../edge-runtime/cookie.ts';

/** The alphabet of keys, as a character class of PCRE and RE2. */
export const KEY_CHARACTER = '[A-Za-z0-9._@+:|=/~-]';

const ESCAPES = ENCODED_CHARACTERS.map((character) => {
  const [high = '', low = ''] = Buffer.from(character).toString('hex').toUpperCase();
  return [character, `%${high}${/\d/.test(low) ? low : `[${low}${low.toLowerCase()}]`}`] as const;
});

/** Matches a character of a key in a cookie, percent-encoded or not (`keyOfCookie` in `src/edge-runtime/cookie.ts`). */
export const ENCODED_KEY_CHARACTER = `(?:${KEY_CHARACTER}|${ESCAPES.map(([, escape]) => escape).join('|')})`;

/** How many escapes of one character a step decodes: together, up to 15. */
const REPETITIONS = [8, 4, 2, 1] as const;

/** A replacement by a regular expression; the steps, one after another, decode a key in a cookie. */
export interface DecodingStep {
  pattern: string;
  /** The parts of the key around the decoded character are the groups 1 to `groups`. */
  character: string;
  groups: number;
}

/** For hosts that replace text only by maps, which replace a fixed number of escapes. */
export const DECODING_STEPS: readonly DecodingStep[] = ESCAPES.flatMap(([character, escape]) =>
  REPETITIONS.map((times) => ({
    pattern: `^${`(.*?)${escape}`.repeat(times)}(.*)$`,
    character,
    groups: times + 1,
  })),
);

/** Lists the steps with their variables: the first contains the key as it was sent, the last is the key. */
export function decodingLines(
  [first, last]: readonly [string, string],
  line: (step: DecodingStep) => string,
): { from: string; to: string; line: string }[] {
  const nameAt = (step: number): string =>
    step === 0 ? first : step === DECODING_STEPS.length ? last : `${first}_${step}`;
  return DECODING_STEPS.map((step, at) => ({ from: nameAt(at), to: nameAt(at + 1), line: line(step) }));
}

/** The text of a step, with the groups as the host writes them. */
export function replacementOf({ character, groups }: DecodingStep, group: (number: number) => string): string {
  return Array.from({ length: groups }, (_, at) => group(at + 1)).join(character);
}
