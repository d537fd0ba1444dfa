import type { IdentityRule } from '../../edge-runtime/rules.ts';
import { rulesFrom } from '../identity-rules.ts';
import { headerVariable, quote, quoteTemplate } from './syntax.ts';

/** Timeouts of the login service, in seconds: the request for a theme waits for it, and then continues as anonymous. */
export const CONNECT_TIMEOUT = 1;
export const READ_TIMEOUT = 2;

/** The URL of the login service, if a rule uses one. */
export function loginUrl(identity: readonly IdentityRule[]): string | undefined {
  return rulesFrom(identity, 'auth_request')[0]?.credential.url;
}

/** Queries the login service and stores its response, for the locations that send the theme of a user. */
export function queryLogin(identity: readonly IdentityRule[], folder: string): string[] {
  const rules = rulesFrom(identity, 'auth_request');
  if (rules.length === 0) return [];
  return [
    `auth_request ${quote(`${folder}login`)};`,
    // Status and header in one variable: only the header of a 2xx response counts. A status contains no `=`.
    ...rules.map(({ rule, credential }) => {
      const header = headerVariable('upstream_http', credential.header);
      return `auth_request_set $themecast_login_${rule} ${quoteTemplate(`$upstream_status=${header}`)};`;
    }),
  ];
}
