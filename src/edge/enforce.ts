import type { Location, Report } from '../diagnostics/diagnostic.ts';
import { type Assignment, place } from '../mapping/assignments.ts';
import type { EdgeRules } from '../mapping/edge-rules.ts';
import type { IdentityRule } from '../theme/identity.ts';
import type { Capabilities, EdgeAdapter, EdgeInput } from './adapter.ts';

/**
 * Reports what a host cannot hold or express, so that nothing is ever lost silently.
 * @param mapped - every key with a theme, those of the default theme too
 * @returns whether the adapter may write its files
 */
export function enforceCapabilities(
  adapter: EdgeAdapter,
  { rules, assignments, report }: EdgeInput,
  mapped: readonly Assignment[],
  location: Location,
): boolean {
  const { title: host, capabilities } = adapter;
  // A host without a mapping serves the default theme to everyone, which is all that users without entries ask for.
  const unsupported = rules.identity.filter(
    (rule) => !supports(capabilities, rule, rules.identity) && (capabilities.maxKeys > 0 || rule.names === 'theme'),
  );
  for (const rule of unsupported) report('edge/identity', location, { host, rule: describe(rule, rules.identity) });

  const keys = assignments.length;
  const [first] = assignments;
  if (first !== undefined && keys > capabilities.maxKeys) {
    report('edge/too-many-users', first.location, {
      host,
      users: keys,
      limit: capabilities.maxKeys,
      because: capabilities.maxKeysBecause,
    });
  }
  const collisions = capabilities.caseSensitiveKeys ? [] : caseCollisions(mapped);
  for (const [assignment, other] of collisions)
    report('edge/case-collision', assignment.location, { host, first: place(other.location) });
  return unsupported.length === 0 && keys <= capabilities.maxKeys && collisions.length === 0;
}

/** Reports keys of a kind that no identity rule names: nobody would ever be found by them. */
export function reportUnreadKeys({ identity }: EdgeRules, mapped: readonly Assignment[], report: Report): void {
  for (const kind of ['user', 'group'] as const) {
    const [first, ...others] = identity.some(({ names }) => names === kind)
      ? []
      : mapped.filter((one) => one.kind === kind);
    if (first !== undefined) report('edge/unread-keys', first.location, { kind, keys: others.length + 1 });
  }
}

function supports(
  { identity }: Capabilities,
  { names, credential }: IdentityRule,
  rules: readonly IdentityRule[],
): boolean {
  if (!identity.names.includes(names)) return false;
  if (credential.from === 'cookie') return identity.cookie;
  if (credential.from === 'jwt') return identity.jwt.includes(credential.key.algorithm);
  if (credential.from === 'auth_request') return identity.authRequest && credential.url === firstLoginUrl(rules);
  return 'proxies' in credential ? identity.trustedProxies : identity.sharedSecret;
}

/** A request is asked about once, and several headers of the one answer may be read. */
function firstLoginUrl(rules: readonly IdentityRule[]): string | undefined {
  return rules.flatMap(({ credential }) => (credential.from === 'auth_request' ? [credential.url] : []))[0];
}

function describe({ names, credential }: IdentityRule, rules: readonly IdentityRule[]): string {
  if (credential.from === 'cookie') return `${names} from a cookie`;
  if (credential.from === 'jwt') return `${names} from a JWT signed with ${credential.key.algorithm}`;
  if (credential.from === 'auth_request')
    return `${names} from auth_request${credential.url === firstLoginUrl(rules) ? '' : ' to a second URL'}`;
  return `${names} from a header with ${'proxies' in credential ? 'trusted_proxies' : 'shared_secret'}`;
}

/** Keys of one kind that are the same when case is ignored, each with the first of them. */
function caseCollisions(assignments: readonly Assignment[]): [Assignment, Assignment][] {
  const seen = new Map<string, Assignment>();
  return assignments.flatMap((assignment): [Assignment, Assignment][] => {
    const folded = `${assignment.kind} ${assignment.key.toLowerCase()}`;
    const other = seen.get(folded);
    if (other === undefined) seen.set(folded, assignment);
    return other === undefined ? [] : [[assignment, other]];
  });
}
