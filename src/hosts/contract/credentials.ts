import { createHmac } from 'node:crypto';
import type { Credential } from '../../core/edge-runtime/rules.ts';
import { keyOfHostname } from '../../core/edge-runtime/hostname.ts';
import type { NumberedRule } from './identity-rules.ts';

/** Reads a shared secret by the name of its environment variable. */
export type Secret = (env: string) => string | undefined;

/** Lifetime of the tokens that verify creates, in seconds. */
const TOKEN_SECONDS = 60;
/** Returns the headers of a request with this key; undefined if only a proxy, a login service or a private key can make them. */
/** Returns the headers of a request with this key; undefined if only a proxy, a login service or a private key can make them. */
export function headersOf(credential: Credential, key: string, secret: Secret): Record<string, string> | undefined {
  if (credential.from === 'cookie') return { Cookie: `${credential.name}=${key}` };
  if (credential.from === 'header') {
    const shared = 'secret' in credential ? secret(credential.secret.env) : undefined;
    if (shared === undefined || !('secret' in credential)) return undefined;
    return { [credential.name]: key, [credential.secret.header]: shared };
  }
  if (credential.from === 'host') {
    const name = credential.themes === undefined ? keyOfHostname(credential, key) : hostnameFor(credential.themes, key);
    return name === undefined ? undefined : { Host: name };
  }
  if (credential.from !== 'jwt' || credential.key.algorithm !== 'HS256') return undefined;
  const shared = secret(credential.key.env);
  return shared === undefined ? undefined : bearer(credential, tokenOf(credential, key, shared));
}

function hostnameFor(themes: Readonly<Record<string, string>>, slug: string): string | undefined {
  return Object.keys(themes).find((name) => themes[name] === slug);
}

/** Returns requests with a forged identity: hosts must treat each as anonymous. */
export function forgeriesOf(credential: Credential, key: string): { what: string; headers: Record<string, string> }[] {
  if (credential.from === 'header' && 'secret' in credential) {
    const claimed = { [credential.name]: key };
    return [
      { what: `${credential.name} without its secret`, headers: claimed },
      {
        what: `${credential.name} with another secret`,
        headers: { ...claimed, [credential.secret.header]: WRONG_SECRET },
      },
    ];
  }
  if (credential.from !== 'jwt') return [];
  return [
    {
      what: 'a token signed with another secret',
      headers: bearer(credential, tokenOf(credential, key, WRONG_SECRET)),
    },
    { what: 'a token without signature', headers: bearer(credential, tokenOf(credential, key, undefined)) },
  ];
}

/** Returns a phrase for the place of a credential in the request. */
export function credentialName(credential: Credential): string {
  if (credential.from === 'cookie') return `the cookie ${credential.name}`;
  if (credential.from === 'host') return 'the hostname of the request';
  if (credential.from === 'header') return `the header ${credential.name} of a trusted proxy`;
  if (credential.from === 'auth_request') return `the header ${credential.header} of the login service`;
  return `the claim ${credential.claim} of the token in ${credential.cookie === undefined ? 'Authorization' : `the cookie ${credential.cookie}`}`;
}

/** Returns a comment on an identity rule, for the configuration of a host. */
export function ruleComment({ names, credential, rule }: NumberedRule): string {
  return `# Rule ${rule} reads the ${names} from ${credentialName(credential)}.`;
}

// Long enough to be valid, and configured on no host.
const WRONG_SECRET = 'themecast-verify-another-secret-00000000';

type TokenCredential = Extract<Credential, { from: 'jwt' }>;

function bearer({ cookie: name }: TokenCredential, token: string): Record<string, string> {
  return name === undefined ? { Authorization: `Bearer ${token}` } : { Cookie: `${name}=${token}` };
}

/** Returns a JSON Web Token (RFC 7519), signed with HS256, or unsigned without a secret. */
function tokenOf({ claim }: TokenCredential, key: string, secret: string | undefined): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg: secret === undefined ? 'none' : 'HS256', typ: 'JWT' };
  const signed = `${part(header)}.${part({ [claim]: key, exp: Math.floor(Date.now() / 1000) + TOKEN_SECONDS })}`;
  const signature = secret === undefined ? '' : createHmac('sha256', secret).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}
