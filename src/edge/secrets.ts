import type { EdgeRules } from '../mapping/edge-rules.ts';
import type { Credential } from '../theme/identity.ts';

/** The environment variables in which an administrator puts the secrets of identity. */
export function secretNames({ identity }: EdgeRules): string[] {
  return [...new Set(identity.flatMap(({ credential }) => secretsOf(credential)))];
}

function secretsOf(credential: Credential): string[] {
  if (credential.from === 'header') return 'secret' in credential ? [credential.secret.env] : [];
  return credential.from === 'jwt' && credential.key.algorithm === 'HS256' ? [credential.key.env] : [];
}
