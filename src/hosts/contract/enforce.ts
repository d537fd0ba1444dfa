import type { Location, Report } from '../../core/diagnostics/diagnostic.ts';
import { type AssignmentSummary, keyCount } from '../../core/users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import type { IdentityRule } from '../../core/edge-runtime/rules.ts';
import type { Capabilities, EdgeAdapter, EdgeInput, IdentitySource } from '../adapter/adapter.ts';
import { loginUrl } from './identity-rules.ts';
import { redirectPairs } from './redirects.ts';

/**
 * Reports every capability that a host lacks for this site, so that nothing is lost silently.
 * @param assigned - all assignments in the users files, the default theme included
 * @returns whether the adapter may write its files
 */
export function enforceCapabilities(
  adapter: EdgeAdapter,
  { rules, mapping, report }: EdgeInput,
  assigned: AssignmentSummary,
): boolean {
  const { title: host, capabilities } = adapter;
  const keys = keyCount(mapping);
  const { maxKeys: limit } = (mapping.shards && capabilities.keyed) ?? capabilities;
  const first = assigned.first.user ?? assigned.first.group;
  if (first !== undefined && keys > limit) report('edge/too-many', first, { host, what: 'key', found: keys, limit });

  const reads = rules.identity.every((rule) => canFollow(capabilities, rule, rules.identity));
  return reads && keys <= limit;
}

/**
 * Reports redirects beyond the limit of a host.
 * @param at - returns the location of an old path
 * @returns whether the adapter may write its files
 */
export function enforceRedirects(
  { title: host, capabilities: { redirects: limit } }: EdgeAdapter,
  { rules, report }: Pick<EdgeInput, 'rules' | 'report'>,
  at: (path: string) => Location,
): boolean {
  const paths = redirectPairs(rules).map(([from]) => from);
  const tooMany = paths[limit];
  if (tooMany === undefined) return true;
  report('edge/too-many', at(tooMany), { host, what: 'redirect', found: paths.length, limit });
  return false;
}

/** Reports each identity rule that some of the hosts do not support. */
export function reportIdentity(
  hosts: readonly EdgeAdapter[],
  { identity }: EdgeRules,
  at: (rule: number) => Location,
  report: Report,
): void {
  for (const [index, rule] of identity.entries()) {
    const unable = hosts.filter(({ capabilities }) => !canFollow(capabilities, rule, identity));
    if (unable.length === 0) continue;
    report('edge/identity', at(index), {
      hosts: unable.map(({ title }) => title),
      rule: `${rule.names} from ${sourceOf(rule, identity)}`,
    });
  }
}

/** Checks whether a host supports a rule. Without a mapping, it supports all rules that look up keys: the result is the default theme. */
function canFollow({ maxKeys, identity }: Capabilities, rule: IdentityRule, rules: readonly IdentityRule[]): boolean {
  return (maxKeys === 0 && rule.names !== 'theme') || identity.some((source) => source === sourceOf(rule, rules));
}

/** Reports keys of a kind that no identity rule reads: no request would ever match. */
export function reportUnreadKeys({ identity }: EdgeRules, { first, counts }: AssignmentSummary, report: Report): void {
  for (const kind of ['user', 'group'] as const) {
    const location = identity.some(({ names }) => names === kind) ? undefined : first[kind];
    if (location !== undefined) report('edge/unread-keys', location, { kind, keys: counts[kind] });
  }
}

/** Returns the place in the request from which a rule reads its key. */
function sourceOf(
  { credential }: IdentityRule,
  rules: readonly IdentityRule[],
): IdentitySource | 'auth_request to a second URL' {
  switch (credential.from) {
    case 'cookie':
      return 'cookie';
    case 'host':
      return 'hostname';
    case 'jwt':
      return `JWT (${credential.key.algorithm})`;
    case 'auth_request':
      return credential.url === loginUrl(rules) ? 'auth_request' : 'auth_request to a second URL';
    default:
      return 'proxies' in credential ? 'header (trusted_proxies)' : 'header (shared_secret)';
  }
}
