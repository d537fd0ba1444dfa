import type { EdgeRules } from './contract.ts';
import type { Credential, IdentityRule } from '../edge-runtime/rules.ts';

/** The environment variable with the secret of keyed shards, for builds and at the edge. */
export const KEY_SECRET = 'THEMECAST_KEY_SECRET';
/** At the edge, the previous secret: needed while shards of the previous build may still be read. */
export const OLD_KEY_SECRET = 'THEMECAST_KEY_SECRET_OLD';

/** The environment variables that hold the secrets on a host that runs code. */
export function secretNames(rules: EdgeRules): string[] {
  return [...identitySecrets(rules), ...(rules.keyed ? [KEY_SECRET] : [])];
}

/** The secrets of identity rules. */
export function identitySecrets({ identity }: EdgeRules): string[] {
  return [...new Set(identity.flatMap(({ credential }) => secretsOf(credential)))];
}

function secretsOf(credential: Credential): string[] {
  if (credential.from === 'header') return 'secret' in credential ? [credential.secret.env] : [];
  return credential.from === 'jwt' && credential.key.algorithm === 'HS256' ? [credential.key.env] : [];
}

/** The secrets that trusted proxies send in a header. */
export function sharedSecrets(identity: readonly IdentityRule[]): string[] {
  const names = identity.flatMap(({ credential }) =>
    credential.from === 'header' && 'secret' in credential ? [credential.secret.env] : [],
  );
  return [...new Set(names)];
}
