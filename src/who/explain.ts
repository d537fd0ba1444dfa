import type { Location } from '../diagnostics/diagnostic.ts';
import type { KeyKind } from '../users/key.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import { type Found, isNeeded, type Wanted } from '../users/mapping.ts';
import type { IdentityRule } from '../edge-runtime/rules.ts';
import { decide } from '../edge-runtime/handler.ts';

/** A key that somebody has, and what the files of users say of it. */
export interface KnownKey {
  key: string;
  /** Nothing if it is given none, or one that there is not. */
  theme: string | undefined;
  /** Where it is given a theme. */
  location: Location | undefined;
  /** Where it stands once more, which is a mistake. */
  again: Location | undefined;
  /** Whether hosts know the key: see `isNeeded`. */
  isNeeded: boolean;
}

/** What one rule says of the requester. */
export interface Hit {
  rule: IdentityRule;
  /** Number of the rule, from 1. */
  number: number;
  key: string;
  theme: string;
}

/** Why somebody gets a theme. */
export interface Explanation {
  /** The theme that is served; the default one if no rule hits. */
  theme: string | undefined;
  /** The rule that decides, and those that would have if it had not; none for the default theme. */
  hits: readonly Hit[];
}

/** What the keys of somebody lead to. */
export interface Decided {
  keys: Readonly<Partial<Record<KeyKind, KnownKey>>>;
  explanation: Explanation;
}

/** What the keys of somebody lead to, as hosts have it that tell capital letters of keys from small ones, and as the others have it. */
export async function decideWho(
  keys: readonly Wanted[],
  found: readonly Found[],
  rules: EdgeRules,
  defaultTheme: string | undefined,
): Promise<Decided & { ignoringCase: Decided }> {
  const decided = async (placeOf: (kind: KeyKind) => Found | undefined): Promise<Decided> => {
    const known = Object.fromEntries(
      keys.map(({ kind, key }) => {
        const { theme, location, again } = placeOf(kind) ?? {};
        return [
          kind,
          { key, theme, location, again, isNeeded: isNeeded(kind, theme === defaultTheme, rules.identity) },
        ];
      }),
    );
    return { keys: known, explanation: await explain(rules, known, defaultTheme) };
  };
  const asWritten = (kind: KeyKind): Found | undefined => found.find((one) => one.kind === kind && !one.isCaseIgnored);
  const ignoringCase = await decided((kind) => asWritten(kind) ?? found.find((one) => one.kind === kind));
  return { ...(await decided(asWritten)), ignoringCase };
}

/**
 * Which theme somebody with these keys gets, decided by the handler that hosts run.
 * @param defaultTheme - its slug, if there is one
 */
export async function explain(
  rules: Pick<EdgeRules, 'identity' | 'themes'>,
  keys: Readonly<Partial<Record<KeyKind, KnownKey>>>,
  defaultTheme: string | undefined,
): Promise<Explanation> {
  const asked = {
    keyOf: async ({ names }: IdentityRule) => (names === 'theme' ? undefined : keys[names]?.key),
    themeOf: async (kind: KeyKind) => (keys[kind]?.isNeeded === true ? keys[kind].theme : undefined),
  };
  const hits: Hit[] = [];
  let left = rules.identity;
  for (;;) {
    const decision = await decide(rules, left, asked);
    if (decision === undefined) return { theme: hits[0]?.theme ?? defaultTheme, hits };
    const { rule, key, theme } = decision;
    const number = rules.identity.indexOf(rule) + 1;
    hits.push({ rule, number, key, theme });
    left = rules.identity.slice(number);
  }
}
