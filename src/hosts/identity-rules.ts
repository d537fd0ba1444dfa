import type { Credential, IdentityRule } from '../edge-runtime/rules.ts';

/** An identity rule with its number, from 1. */
export interface NumberedRule extends IdentityRule {
  rule: number;
}

export function numbered(identity: readonly IdentityRule[]): NumberedRule[] {
  return identity.map((rule, index) => ({ ...rule, rule: index + 1 }));
}

/** The rules that read one kind of credential. */
export function rulesFrom<F extends Credential['from']>(
  identity: readonly IdentityRule[],
  from: F,
): { rule: number; names: IdentityRule['names']; credential: Extract<Credential, { from: F }> }[] {
  return numbered(identity).flatMap(({ rule, names, credential }) =>
    credential.from === from ? [{ rule, names, credential: credential as Extract<Credential, { from: F }> }] : [],
  );
}

/** The URL of the login service, if a rule uses one: each request causes one subrequest, and several rules may read headers of its response. */
export function loginUrl(identity: readonly IdentityRule[]): string | undefined {
  return rulesFrom(identity, 'auth_request')[0]?.credential.url;
}

/** What a rule reads, as a comment in the configuration of a host. */
export function ruleComment({ names, credential, rule }: NumberedRule): string {
  return `# Rule ${rule}: the ${names} is ${place(credential)}.`;
}

function place(credential: Credential): string {
  switch (credential.from) {
    case 'cookie':
      return `the first cookie \`${credential.name}\`, not decoded`;
    case 'host':
      return 'given by the hostname of the request';
    case 'jwt':
      return `the claim \`${credential.claim}\` of the token in ${credential.cookie === undefined ? 'Authorization: Bearer' : `the first cookie \`${credential.cookie}\``}`;
    case 'auth_request':
      return `the header ${credential.header} in a 2xx response of ${credential.url}`;
    default:
      return `the header ${credential.name}, trusted only ${'proxies' in credential ? 'if the connection comes from one of these addresses' : `with the secret in ${credential.secret.header}`}`;
  }
}
