import { groupHostnameProblem } from '../theme/hostnames.ts';
import type { Mapping } from '../users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import { hostThemeRules, readsHostGroups } from './hostnames.ts';

/** Names that a generated server has, at most; beyond, it must be the default one of its address. */
export const MAX_SERVER_NAMES = 1000;

/**
 * The hostnames that a dedicated server responds to: that of `base_url`, then those that rules of identity read. Undefined if there are
 * more than {@link MAX_SERVER_NAMES}.
 */
export function serverNames({ baseUrl, identity }: EdgeRules, mapping: Mapping): string[] | undefined {
  const names = new Set([new URL(baseUrl).hostname]);
  for (const { themes } of hostThemeRules(identity)) for (const [name] of themes) names.add(name);
  // Groups may be millions.
  if (readsHostGroups(identity))
    for (const [key] of mapping.pairs('group')) {
      if (names.size > MAX_SERVER_NAMES) break;
      if (groupHostnameProblem(key) === undefined) names.add(key);
    }
  return names.size > MAX_SERVER_NAMES ? undefined : [...names];
}
