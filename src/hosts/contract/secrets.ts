import type { EdgeRules } from './contract.ts';
import type { Credential, IdentityRule } from '../../core/edge-runtime/rules.ts';
import { rulesFrom } from './identity-rules.ts';

/** The environment variable with the secret of keyed shards, for builds and at the edge. */
export const KEY_SECRET = 'THEMECAST_KEY_SECRET';
/** At the edge, the previous secret: needed while shards of the previous build may still be read. */
export const OLD_KEY_SECRET = 'THEMECAST_KEY_SECRET_OLD';

/** Returns the environment variables with the secrets of a host that runs code. */
export function secretNames({ identity, keyed }: EdgeRules): string[] {
  return [...identitySecrets(identity), ...(keyed ? [KEY_SECRET] : [])];
}

/** Returns the environment variables with the secrets of identity rules. */
export function identitySecrets(identity: readonly Pick<IdentityRule, 'credential'>[]): string[] {
  return [...new Set(identity.flatMap(({ credential }) => secretOf(credential) ?? []))];
}

/** Returns the environment variables with secrets that trusted proxies send in a header. */
export function sharedSecrets(identity: readonly IdentityRule[]): string[] {
  return identitySecrets(rulesFrom(identity, 'header'));
}

/** Returns the environment variables with the secrets of tokens. */
export function tokenSecrets(identity: readonly IdentityRule[]): string[] {
  return identitySecrets(rulesFrom(identity, 'jwt'));
}

/** Returns the environment variable with the secret that proves a credential. */
export function secretOf(credential: Credential): string | undefined {
  if (credential.from === 'header') return 'secret' in credential ? credential.secret.env : undefined;
  return credential.from === 'jwt' && credential.key.algorithm === 'HS256' ? credential.key.env : undefined;
}
