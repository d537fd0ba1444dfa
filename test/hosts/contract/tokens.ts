import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { it } from 'vitest';
import { SECRETS, type Theme } from '../site.ts';
import type { Running } from './expected.ts';
import { expectThemes, type ThemeCase } from './identity.ts';

type Algorithm = 'HS256' | 'RS256' | 'ES256';

/** The URL of the public keys, for which the tests respond. */
export const JWKS_URL = 'https://login.example.org/jwks.json';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const foreignKeys = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};

/** The public keys, after keys that must not or cannot be used. */
export const JWKS = [
  { ...generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }), kid: 'ec' },
  { kty: 'RSA', kid: 'rsa', n: '?', e: 'AQAB' },
  { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'encryption', use: 'enc' },
  { ...ec.publicKey.export({ format: 'jwk' }), kid: 'encryption', use: 'enc' },
  { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig', alg: 'RS256' },
  { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec', alg: 'ES256' },
];

const KIDS = { RS256: 'rsa', ES256: 'ec' } as const;
const HOUR = 3600;

/** Tests a bearer token with the claim `sub`, then the cookie `session` with the claim `theme`. */
export function tokenContract(running: () => Running, algorithm: Algorithm): void {
  const now = Math.floor(Date.now() / 1000);
  const valid = { sub: 'tom', theme: 'nightfall', exp: now + HOUR };
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const sign = (claims: object, header: object = {}) => token(algorithm, claims, header);
  const signedAs = (signed: string) => withSignature(algorithm, signed);
  const signText = (payload: string, header = headerText(algorithm, {})) =>
    signedAs([header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.'));

  it('reads the claims of valid tokens', () =>
    expectThemes(running(), [
      [{}, 'harbor'],
      [bearer(sign(valid)), 'meadow'],
      [{ Authorization: `bearer ${sign(valid)}` }, 'meadow'],
      [{ Cookie: `session=${sign(valid)}` }, 'nightfall'],
      [{ Cookie: `session="${sign(valid)}"` }, 'nightfall'],
      [{ ...bearer(sign({ ...valid, sub: 'nobody' })), Cookie: `session=${sign(valid)}` }, 'nightfall'],
      [bearer(sign({ ...valid, nbf: now - HOUR })), 'meadow'],
      [bearer(sign({ ...valid, exp: 1e300 })), 'meadow'],
      [bearer(sign({ ...valid, sub: 42 })), 'nightfall'],
    ]));

  it('treats a user with an invalid token as anonymous', () => {
    const [head = '', payload = '', signature = ''] = sign(valid).split('.');
    const forged = Buffer.from(JSON.stringify({ ...valid, sub: 'nancy' })).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = [
      sign({ ...valid, exp: now - 1 }),
      sign({ sub: 'tom' }),
      ...[String(now + HOUR), [now + HOUR], true, null].map((exp) => sign({ ...valid, exp })),
      sign({ ...valid, nbf: now + HOUR }),
      sign(valid, { alg: 'none' }),
      ...['yesterday', String(now - HOUR), null].map((nbf) => sign({ ...valid, nbf })),
      ...[['HS256'], 'HS512', null].map((alg) => sign(valid, { alg })),
      ...[['exp'], null].map((crit) => sign(valid, { crit })),
      ...[['tom'], { tom: true }, true, '', undefined].map((sub) => sign({ ...valid, sub })),
      signedByForeignKey(algorithm, valid),
      ...(algorithm === 'HS256' ? [] : [confusedToken(algorithm, valid), sign(valid, { kid: 'encryption' })]),
      `${none}.${payload}.`,
      `${head}.${forged}.${signature}`,
      `${head}.${payload}.${signature}.x`,
      `${head}.${payload}.`,
      `${head}.${payload}.${signature}AA`,
      `${head}.${payload}.${signature.slice(0, -2)}`,
      '..',
    ];
    return expectThemes(
      running(),
      tokens.map((text): ThemeCase => [bearer(text), 'harbor']),
    );
  });

  it('reads the claims of a token in any valid JSON', () => {
    const exp = `"exp":${now + HOUR}`;
    const payloads: readonly (readonly [payload: string, theme: Theme])[] = [
      [`{"sub":"x~y\\/z:1",${exp}}`, 'meadow'],
      [`{"sub":"t\\u006fm",${exp}}`, 'meadow'],
      [
        `{"roles":[${'"reader of everything",'.repeat(200)}${'['.repeat(12)}{}${']'.repeat(12)}],"sub":"tom",${exp}}`,
        'meadow',
      ],
      [` {\n\t"sub" : "tom" ,\r\n "a":[1,-2.5e+3,{"b":null}, true ,false,[],{}], ${exp} } `, 'meadow'],
      [`{"act":{"sub":"nancy"},"sub":"tom","note":"\\\\/ \\"sub\\":\\"nancy\\" \\u0000 é",${exp}}`, 'meadow'],
    ];
    return expectThemes(
      running(),
      payloads.map(([payload, theme]): ThemeCase => [bearer(signText(payload)), theme]),
    );
  });

  it('treats a user with malformed token JSON or an invalid key as anonymous', () => {
    const exp = `"exp":${now + HOUR}`;
    const complete = `{"sub":"tom",${exp}}`;
    const keys = ['tom\\u0000', 'tom\\u0000x', '\\u0000tom', 'tom\\n', 'tom ', ' tom', 'x~y\\\\/z:1', 't\\om', 'to\nm'];
    const payloads = [
      ...keys.map((key) => `{"sub":"${key}",${exp}}`),
      ...['x', ' x', '}', ']', ',', complete, '\u0000', '\u00a0'].map((junk) => complete + junk),
      ...['x', '\u0000', '[', ','].map((junk) => junk + complete),
      complete.slice(0, -1),
      `{"sub":"tom",${exp},}`,
      `{'sub':'tom',${exp}}`,
      `{"sub":"tom",${exp},"a":[1,]}`,
      `[${complete}]`,
    ];
    const cases = payloads.map((payload): ThemeCase => [bearer(signText(payload)), 'harbor']);
    const [head = '', payload = ''] = sign(valid).split('.');
    const junk = [
      signText(payload, `${Buffer.from(head, 'base64url').toString()} x`),
      signedAs(`${head}=.${payload}`),
      signedAs(`${head}.${payload}!`),
    ].map((text): ThemeCase => [bearer(text), 'harbor']);
    return expectThemes(running(), [...cases, ...junk]);
  });

  it('ignores a token outside the header or cookie of the rules', () =>
    expectThemes(running(), [
      [{ Cookie: `token=${sign(valid)}` }, 'harbor'],
      [{ Authorization: sign(valid) }, 'harbor'],
      [{ Authorization: `Basic ${sign(valid)}` }, 'harbor'],
    ]));
}

function token(algorithm: Algorithm, claims: object, header: object): string {
  const parts = [headerText(algorithm, header), JSON.stringify(claims)];
  return withSignature(algorithm, parts.map((part) => Buffer.from(part).toString('base64url')).join('.'));
}

function headerText(algorithm: Algorithm, header: object): string {
  const kid = algorithm === 'HS256' ? {} : { kid: KIDS[algorithm] };
  return JSON.stringify({ alg: algorithm, ...kid, ...header });
}

/** Appends the signature to the two signed parts. */
function withSignature(algorithm: Algorithm, signed: string): string {
  if (algorithm === 'HS256') return `${signed}.${hmac(SECRETS.TOKEN_SECRET, signed)}`;
  return `${signed}.${signature(signed, algorithm === 'RS256' ? rsa.privateKey : ec.privateKey)}`;
}

function signedByForeignKey(algorithm: Algorithm, claims: object): string {
  const signed = signedPart({ alg: algorithm }, claims);
  return `${signed}.${algorithm === 'HS256' ? hmac('another-secret-0123456789-abcdefghijkl', signed) : signature(signed, foreignKeys[algorithm])}`;
}

/** Returns a token with an HMAC keyed by the public key, which a host accepts if it does not pin the algorithm. */
function confusedToken(algorithm: 'RS256' | 'ES256', claims: object): string {
  const signed = signedPart({ alg: 'HS256', kid: KIDS[algorithm] }, claims);
  const { publicKey } = algorithm === 'RS256' ? rsa : ec;
  return `${signed}.${hmac(publicKey.export({ format: 'pem', type: 'spki' }).toString(), signed)}`;
}

function signedPart(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function signature(text: string, key: typeof rsa.privateKey): string {
  return createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' }, 'base64url');
}
