import type { EdgeRules } from '../mapping/edge-rules.ts';
import type { Credential } from '../theme/identity.ts';

/** The environment variable with the secret that the digests of keyed shards are made with, in a build and at the edge. */
export const KEY_SECRET = 'THEMECAST_KEY_SECRET';
/** At the edge, the one before: for as long as shards made with it may still be read. */
export const OLD_KEY_SECRET = 'THEMECAST_KEY_SECRET_OLD';

/** The environment variables in which an administrator of a host that runs code puts secrets. */
export function secretNames(rules: EdgeRules): string[] {
  return [...identitySecrets(rules), ...(rules.keyed ? [KEY_SECRET] : [])];
}

/** Those of identity, which every host needs. */
export function identitySecrets({ identity }: EdgeRules): string[] {
  return [...new Set(identity.flatMap(({ credential }) => secretsOf(credential)))];
}

function secretsOf(credential: Credential): string[] {
  if (credential.from === 'header') return 'secret' in credential ? [credential.secret.env] : [];
  return credential.from === 'jwt' && credential.key.algorithm === 'HS256' ? [credential.key.env] : [];
}
