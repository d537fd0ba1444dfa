import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { GENERATED, quoteJavaScript } from '../handler-modules.ts';

type TokenCredential = Extract<Credential, { from: 'jwt' }>;

/** Name by which the rules import `token.js`. */
export const TOKEN_MODULE = 'themecast_token';

/** The environment variables with the secrets of tokens; nginx removes all others from the environment of its workers. */
export function tokenSecrets(identity: readonly IdentityRule[]): string[] {
  return [...new Set(tokenRules(identity).map(({ credential }) => secretOf(credential)))];
}

/** The maps find a token, and njs verifies it. Without a rule that reads tokens, the njs module is not needed. */
export function tokenImport(identity: readonly IdentityRule[]): string[] {
  if (tokenRules(identity).length === 0) return [];
  return [
    '# Requires the njs module, and the secrets in the environment: see the README. The path is relative to the folder of nginx.conf.',
    `js_import ${TOKEN_MODULE} from themecast/token.js;`,
  ];
}

/**
 * `token.js`, for the njs module: verifies the tokens that maps.conf finds. `js_set` calls a function without
 * arguments and does not wait for promises, so there is a function for each rule, and HMAC from njs' own `crypto` instead of
 * WebCrypto. Written for njs 0.7. It accepts the same tokens as src/edge-runtime/token.ts; tests compare the two.
 */
export function tokenModule(identity: readonly IdentityRule[]): string {
  const functions = tokenRules(identity).map(
    ({ rule, credential }) =>
      `  rule_${rule}: (r) => claimOf(r.variables.themecast_token_${rule}, ${quoteJavaScript(credential.claim)}, process.env.${secretOf(credential)}),\n`,
  );
  return `${GENERATED}${VERIFICATION}
export default {
${functions.join('')}};
`;
}

function tokenRules(identity: readonly IdentityRule[]): { rule: number; credential: TokenCredential }[] {
  return identity.flatMap(({ credential }, index) =>
    credential.from === 'jwt' ? [{ rule: index + 1, credential }] : [],
  );
}

function secretOf({ key }: TokenCredential): string {
  if (key.algorithm !== 'HS256') throw new Error('Bug: public keys are not among the capabilities of nginx.');
  return key.env;
}

const VERIFICATION = String.raw`import crypto from 'crypto';

// Verifies a token with HS256 and returns one of its claims; empty if any check fails.
// Rejects a secret shorter than ${MIN_SECRET_BYTES} bytes (RFC 7518, section 3.2).
function claimOf(token, claim, secret) {
  if (!secret || Buffer.byteLength(secret) < ${MIN_SECRET_BYTES} || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return '';
  const parts = token.split('.');
  const signature = crypto.createHmac('sha256', secret).update(parts[0] + '.' + parts[1]).digest('hex');
  if (!isEqual(Buffer.from(parts[2], 'base64url').toString('hex'), signature)) return '';
  try {
    const header = JSON.parse(Buffer.from(parts[0], 'base64url').toString());
    if (header.alg !== 'HS256' || header.crit !== undefined) return '';
    const claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
    const now = Date.now() / 1000;
    if (typeof claims.exp !== 'number' || claims.exp <= now) return '';
    if (claims.nbf !== undefined && (typeof claims.nbf !== 'number' || claims.nbf > now)) return '';
    const value = claims[claim];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  } catch (error) {
    return '';
  }
}

// Compares in constant time.
function isEqual(given, expected) {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
`;
