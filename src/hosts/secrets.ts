import type { EdgeRules } from './contract.ts';
import type { Credential } from '../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../edge-runtime/token.ts';

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

/** Where a secret comes from, for a README. */
export const NEW_SECRET_IS = '`openssl rand -hex 32` makes one';

/** A command that adds a new secret to a file of environment variables, which its owner alone can read. */
export function newSecret(file: string, env: string): string {
  return `(umask 077; printf '${env}=%s\\n' "$(openssl rand -hex 32)" >> ${file})`;
}

/**
 * A step of a list: secrets in the environment of a server that systemd starts. Nothing in it is a secret that would do as it stands.
 * @param service - the name of the server, and of its folder below `/etc`
 */
export function environmentStep(number: number, names: readonly string[], service: string): string {
  if (names.length === 0) return '';
  const file = `/etc/${service}/themecast.env`;
  return `${number}. Put ${names.map((name) => `\`${name}\``).join(' and ')} into the environment of ${service}, never into Git. To write a new secret, as root (and then
   give it to the proxy that has to send it):

${names.map((env) => `       ${newSecret(file, env)}\n`).join('')}
   Name the file in \`systemctl edit ${service}\`, as \`EnvironmentFile=${file}\` under \`[Service]\`, and restart it: a reload does not read the
   environment again. What is shorter than ${MIN_SECRET_BYTES} characters is taken for no secret.
`;
}
