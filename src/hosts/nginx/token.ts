import type { Credential, IdentityRule } from '../../edge-runtime/rules.ts';
import { MIN_SECRET_BYTES } from '../../edge-runtime/token.ts';
import { quoteJavaScript } from '../handler-modules.ts';
import { rulesFrom } from '../identity-rules.ts';
import { fillFile, type Templates } from '../template.ts';

type TokenCredential = Extract<Credential, { from: 'jwt' }>;

/** The environment variables with the secrets of tokens; nginx removes all others from the environment of its workers. */
export function tokenSecrets(identity: readonly IdentityRule[]): string[] {
  return [...new Set(rulesFrom(identity, 'jwt').map(({ credential }) => secretOf(credential)))];
}

/**
 * `token.js`, for the njs module: verifies the tokens that maps.conf finds. `js_set` calls a function without
 * arguments and does not wait for promises, so there is a function for each rule, and HMAC from njs' own `crypto` instead of
 * WebCrypto. Written for njs 0.7. It accepts the same tokens as src/edge-runtime/token.ts; tests compare the two.
 */
export function tokenModule(identity: readonly IdentityRule[], templates: Templates): string {
  return fillFile(templates, 'nginx/token.js.mustache', {
    min_secret: String(MIN_SECRET_BYTES),
    rules: rulesFrom(identity, 'jwt').map(({ rule, credential }) => ({
      rule: String(rule),
      claim: quoteJavaScript(credential.claim),
      secret: secretOf(credential),
    })),
  });
}

function secretOf({ key }: TokenCredential): string {
  if (key.algorithm !== 'HS256') throw new Error('Bug: public keys are not among the capabilities of nginx.');
  return key.env;
}
