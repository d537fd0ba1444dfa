import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tokenView } from '../../src/hosts/nginx/identity.ts';
import { fillFile } from '../../src/hosts/template.ts';
import { claimOf } from '../../src/edge-runtime/token.ts';
import type { TokenKey } from '../../src/edge-runtime/rules.ts';
import { SECRETS, templates } from './site.ts';

const KEY: TokenKey = { algorithm: 'HS256', env: 'TOKEN_SECRET' };
const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECONDS = NOW / 1000;

/** Parts of a token's header and of its claims, each as a host could take it for more than it is. */
const HEADERS = [
  { alg: 'HS256' },
  { alg: 'HS256', typ: 'JWT', kid: 'x' },
  { alg: 'hs256' },
  { alg: ['HS256'] },
  { alg: 'none' },
  { alg: 'HS512' },
  {},
  { alg: 'HS256', crit: ['exp'] },
  { alg: 'HS256', crit: null },
  null,
  'HS256',
  [],
];
const TIMES = [
  { exp: SECONDS + 1 },
  { exp: SECONDS + 0.5 },
  { exp: 1e300 },
  { exp: SECONDS },
  { exp: SECONDS - 1 },
  { exp: -1 },
  { exp: String(SECONDS + 1) },
  { exp: true },
  { exp: [SECONDS + 1] },
  { exp: null },
  {},
  { exp: SECONDS + 1, nbf: SECONDS },
  { exp: SECONDS + 1, nbf: SECONDS + 1 },
  { exp: SECONDS + 1, nbf: null },
  { exp: SECONDS + 1, nbf: String(SECONDS) },
];
const VALUES = ['tom', '', 'Zoë', '__proto__', 0, 42, -1.5, 2 ** 53, 1e21, true, null, ['tom'], { tom: 1 }, undefined];
const CLAIMS = ['sub', 'toString', '__proto__', 'https://a.example/user'];

/** Runs what nginx runs, in Node: token.js keeps to what njs has, and imports `crypto` alone. */
async function generated(claim: string): Promise<(token: string) => string> {
  const view = tokenView([{ names: 'user', credential: { from: 'jwt', cookie: undefined, claim, key: KEY } }]);
  const text = fillFile(templates, 'nginx/token.js.mustache', view);
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    default: { rule_1(request: object): string };
  };
  return (token) => module.default.rule_1({ variables: { themecast_token_1: token } });
}

function signed(head: string, payload: string, secret: string = SECRETS.TOKEN_SECRET): string {
  return `${head}.${payload}.${createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')}`;
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Whether both read the same; empty is nobody's key, as none is. */
async function expectSame(claim: string, tokens: readonly string[], secret: string | undefined): Promise<number> {
  vi.stubEnv('TOKEN_SECRET', secret);
  const read = await generated(claim);
  const keys = { secret: () => secret, jwks: async () => [] };
  let known = 0;
  for (const token of tokens) {
    const expected = (await claimOf(token, claim, KEY, keys, NOW)) ?? '';
    expect(read(token), token).toBe(expected);
    if (expected !== '') known++;
  }
  return known;
}

it.each(CLAIMS)('reads the claim %s of every token as the handler does', async (claim) => {
  const tokens = [
    ...HEADERS.map((header) => signed(part(header), part({ exp: SECONDS + 1, [claim]: 'tom' }))),
    ...TIMES.map((times) => signed(part({ alg: 'HS256' }), part({ ...times, [claim]: 'tom' }))),
    ...VALUES.map((value) => {
      // `__proto__` as a member of its own, as JSON has it.
      const json = `{"exp":${SECONDS + 1}${value === undefined ? '' : `,${JSON.stringify(claim)}:${JSON.stringify(value)}`}}`;
      return signed(part({ alg: 'HS256' }), Buffer.from(json).toString('base64url'));
    }),
  ];
  expect(await expectSame(claim, tokens, SECRETS.TOKEN_SECRET)).toBeGreaterThan(8);
});

it('reads malformed tokens as the handler does', async () => {
  const valid = signed(part({ alg: 'HS256' }), part({ exp: SECONDS + 1, sub: 'tom' }));
  const [head = '', payload = '', signature = ''] = valid.split('.');
  const changed = [0, 1, 2, signature.length - 1].map((at) => {
    const other = signature[at] === 'A' ? 'B' : 'A';
    return `${head}.${payload}.${signature.slice(0, at)}${other}${signature.slice(at + 1)}`;
  });
  const tokens = [
    valid,
    ...changed,
    '',
    '.',
    '..',
    '...',
    'x',
    head,
    `${head}.${payload}`,
    `${head}.${payload}.`,
    `.${payload}.${signature}`,
    `${valid}.`,
    `${valid}=`,
    `${valid}AA`,
    valid.slice(0, -1),
    valid.slice(0, -2),
    ` ${valid}`,
    `${valid}\n`,
    signed('', ''),
    signed(head, ''),
    signed(head, 'e30='),
    signed(head, 'bm8'),
    signed(head, part(null)),
    signed(head, part([1, 2])),
    signed(head, part('text')),
    signed(`${head}+`, payload),
    signed(head, payload, 'another-secret-0123456789-abcdefghijkl'),
  ];
  expect(await expectSame('sub', tokens, SECRETS.TOKEN_SECRET)).toBeGreaterThan(0);
});

it.each([undefined, '', 'k'.repeat(31), 'k'.repeat(32), 'é'.repeat(15), 'é'.repeat(16)])(
  'takes the secret %s as the handler does',
  async (secret) => {
    const token = signed(part({ alg: 'HS256' }), part({ exp: SECONDS + 1, sub: 'tom' }), secret ?? '');
    const long = secret !== undefined && Buffer.byteLength(secret) >= 32;
    expect(await expectSame('sub', [token], secret)).toBe(long ? 1 : 0);
  },
);
