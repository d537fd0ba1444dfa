import { describe, expect, it } from 'vitest';
import { credentialHeaders, identitySchema } from '../../../src/theme/identity.ts';

const asking = (url: unknown, header: unknown = 'X-User') => [{ user: { auth_request: { url, header } } }];

describe('auth_request', () => {
  it.each(['http://127.0.0.1:9000/whoami', 'https://login.example.org', 'http://login/a/b-c_d.e~f'])(
    'takes the URL %s',
    (url) => {
      const credential = { from: 'auth_request', url, header: 'X-User' } as const;
      expect(identitySchema.parse(asking(url))).toEqual([{ names: 'user', credential }]);
      expect(credentialHeaders(credential)).toEqual(['Cookie', 'Authorization']);
    },
  );

  it.each([
    'ftp://login/',
    'login/whoami',
    'http://',
    'http://login/?a=1',
    'http://login/#a',
    'http://user@login/',
    'http://login:99999/',
    'http://login/$uri',
    'http://login/a;b',
    'http://login/a b',
    'http://login/\n',
    '',
    9000,
  ])('refuses the URL %j', (url) => {
    expect(identitySchema.safeParse(asking(url)).success).toBe(false);
  });

  it('refuses a header that is none, and a second place beside it', () => {
    expect(identitySchema.safeParse(asking('http://login/', 'X User')).success).toBe(false);
    const auth_request = { url: 'http://login/', header: 'X-User' };
    expect(identitySchema.safeParse([{ user: { auth_request, cookie: 'uid' } }]).success).toBe(false);
    expect(identitySchema.safeParse([{ user: { auth_request, trusted_proxies: ['10.0.0.0/8'] } }]).success).toBe(false);
  });
});
