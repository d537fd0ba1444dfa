import type { Credential, IdentityRule } from '../../core/edge-runtime/rules.ts';

/** An identity rule with its number, from 1. */
export interface NumberedRule extends IdentityRule {
  rule: number;
}

export function numbered(identity: readonly IdentityRule[]): NumberedRule[] {
  return identity.map((rule, index) => ({ ...rule, rule: index + 1 }));
}

/** Returns the rules that read one kind of credential. */
export function rulesFrom<F extends Credential['from']>(
  identity: readonly IdentityRule[],
  from: F,
): { rule: number; names: IdentityRule['names']; credential: Extract<Credential, { from: F }> }[] {
  return numbered(identity).flatMap(({ rule, names, credential }) =>
    credential.from === from ? [{ rule, names, credential: credential as Extract<Credential, { from: F }> }] : [],
  );
}

/** Returns the URL of the login service, if any: each request causes one subrequest, whose headers several rules may read. */
export function loginUrl(identity: readonly IdentityRule[]): string | undefined {
  return rulesFrom(identity, 'auth_request')[0]?.credential.url;
}
