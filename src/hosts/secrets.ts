import type { EdgeRules } from './contract.ts';
import type { Credential } from '../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../edge-runtime/token.ts';

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

/** How to create a secret, for a README. */
export const CREATE_SECRET = 'create one with `openssl rand -hex 32`';

/** A command that appends a new secret to a file of environment variables that only its owner can read. */
export function newSecret(file: string, env: string): string {
  return `(umask 077; printf '${env}=%s\\n' "$(openssl rand -hex 32)" >> ${file})`;
}

/**
 * A numbered step: set secrets in the environment of a server that systemd starts. It contains no text that is itself a valid secret.
 * @param service - the name of the server and of its folder below `/etc`
 */
export function environmentStep(number: number, names: readonly string[], service: string): string {
  if (names.length === 0) return '';
  const file = `/etc/${service}/themecast.env`;
  return `${number}. Set ${names.map((name) => `\`${name}\``).join(' and ')} in the environment of ${service}, never in Git. To create a new secret, as root (then
   configure the proxy that sends it):

${names.map((env) => `       ${newSecret(file, env)}\n`).join('')}
   In \`systemctl edit ${service}\`, add \`EnvironmentFile=${file}\` under \`[Service]\`, then restart: a reload does not read the environment
   again. A secret shorter than ${MIN_SECRET_BYTES} characters is ignored.
`;
}
