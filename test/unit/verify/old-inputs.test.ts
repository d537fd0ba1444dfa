import { expect, it } from 'vitest';
import { accept, readAccepted } from '../../../src/commands/verify/old/inputs.ts';
import { requestersOf, sampleOf } from '../../../src/commands/verify/old/inputs.ts';
import { formatVerification } from '../../../src/commands/verify/report.ts';
import { fault, mergeResults, passed, type Result } from '../../../src/commands/verify/result.ts';

it('rejects accepted differences without a reason, and names the first one', () => {
  const valid = '- { what: x, reason: y }\n';
  const texts = [
    '{}',
    '- ',
    '- what: x',
    `${valid}- { what: x, reason: "" }`,
    `${valid}- { what: x, reason: y, z: 1 }`,
  ];
  expect(texts.map((text) => readAccepted(text).slice(0, 12))).toEqual([
    'it must be a',
    'entry 1 must',
    'entry 1 must',
    'entry 2 must',
    'entry 2 must',
  ]);
  expect(readAccepted(`${valid}- { what: `)).toMatch(/^it is not valid YAML\. .* at line 2, column \d+\.$/);
  expect(readAccepted(`- &a { what: x, reason: y }\n- *a`)).toContain('not valid');
  expect(readAccepted(valid)).toEqual([{ what: 'x', reason: 'y' }]);
});

it('samples evenly across all entries', () => {
  const indices = Array.from({ length: 50 }, (_, index) => index);
  expect(sampleOf(indices, 5)).toEqual([0, 10, 20, 30, 40]);
  expect(sampleOf(indices, 1000)).toEqual(indices);
});

it('sends the user key to the new service, and the headers that identify the user to the old one', () => {
  const identity = [{ names: 'user', credential: { from: 'cookie', name: 'uid' } }] as const;
  const made = (csv: string, rules: Parameters<typeof requestersOf>[3] = identity) =>
    requestersOf(csv, 'u.csv', 9, rules, () => undefined);
  expect(made('user,theme_id,cookie\nno key,7,a=1\njo,7,sessionid=9f\nann,7,a\u0000\n')).toEqual([
    {
      name: 'user u.csv:3',
      isWrong: false,
      old: { Cookie: 'sessionid=9f' },
      headers: { Cookie: 'sessionid=9f; uid=jo' },
    },
  ]);
  expect(made('user\njo')).toMatchObject([{ old: { Cookie: 'uid=jo' } }]);
  expect([made('theme\nx'), made('user\n')]).toEqual([
    expect.stringContaining('must start with'),
    'it contains no user.',
  ]);
  const login = [{ names: 'user', credential: { from: 'auth_request', url: 'https://l', header: 'X' } }] as const;
  expect(made('user\njo', login)).toContain('no client can send');
});

const SUBJECT = { old: 'https://a.example', url: 'dist' };
const STYLE = { colour: false, strict: false };
const differs = (message: string, expected: string, found: string): Result =>
  fault('responses/same', message, { expected, found });

it('merges differences as the accept file can, and prints how to accept the first', () => {
  const results = [
    passed('themes/same', '1 same'),
    passed('themes/same', '1 image with equal pixels'),
    ...['GET', 'HEAD', 'OPTIONS'].map((method) => differs(`LIST ${method} Vary`, 'a', '\u001b[31mb')),
    differs('CONFIG GET Vary', 'a', 'b'),
  ];
  const checks = mergeResults(accept(results, [{ what: 'CONFIG * Vary', reason: 'known' }]));
  const result = { checks, notes: ['Note.'] };
  expect(formatVerification(SUBJECT, result, 1, STYLE)).toBe(`OLD https://a.example  NEW dist
✔ themes       1 same, 1 image with equal pixels
✘ responses    1 accepted, 3 differ
  ✘ LIST * Vary      a → \\u001b[31mb  (3 times)
  ! CONFIG GET Vary  a → b  (accepted: known)
! Note.

✘ 1 accepted, 3 differ

Fix it, or add it with a reason to a file for --accept:
- what: "LIST * Vary"
  reason: …
`);
});
