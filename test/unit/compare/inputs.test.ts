import { expect, it } from 'vitest';
import { formatComparison, formatComparisonJson } from '../../../src/compare/format.ts';
import { requesterOf, sampledUser } from '../../../src/compare/requesters.ts';
import { differs, readAccepted, same } from '../../../src/compare/result.ts';
import { sampleOf } from '../../../src/compare/io/inputs.ts';
import { plainYamlPlace } from '../../../src/source/plain-yaml.ts';
import { longTest } from '../../long-test.ts';

it('refuses accepted differences without a reason, and points to the first', () => {
  const good = { what: 'x', reason: 'y' };
  const all = [{}, [null], [{ what: 'x' }], [good, { ...good, reason: '' }], [good, good, { ...good, z: 1 }]];
  expect(all.map(readAccepted)).toEqual([undefined, 0, 0, 1, 2]);
});

it('finds the line of an error in a YAML list', () => {
  expect(plainYamlPlace('# a\n- what: x\n  reason: y\n- what: z\n', 1)).toEqual({ line: 4, error: undefined });
  expect(plainYamlPlace('- what: x\n  reason: a: b\n', 0)).toMatchObject({
    line: 2,
    error: expect.any(String) as string,
  });
});

it('takes a sample that is spread over all', () => {
  const all = Array.from({ length: 50 }, (_, at) => at);
  expect(sampleOf(all, 5)).toEqual([0, 10, 20, 30, 40]);
  expect(sampleOf(all, 1000)).toEqual(all);
});

it('sends NEW the key by identity, and OLD the headers that identify the user', () => {
  const identity = [{ names: 'user', credential: { from: 'cookie', name: 'uid' } }] as const;
  const row = sampledUser(4, ['user', 'theme_id', 'cookie'], ['jo', '7', 'sessionid=9f']);
  expect(row).toEqual({ line: 4, key: 'jo', headers: { Cookie: 'sessionid=9f' } });
  expect(requesterOf('x', 'jo', row?.headers, identity, () => undefined)).toEqual({
    name: 'x',
    old: { Cookie: 'sessionid=9f' },
    headers: { Cookie: 'sessionid=9f; uid=jo' },
  });
  expect(requesterOf('x', 'jo', undefined, identity, () => undefined)?.old).toEqual({ Cookie: 'uid=jo' });
  const login = [{ names: 'user', credential: { from: 'auth_request', url: 'https://l', header: 'X' } }] as const;
  expect(requesterOf('x', 'jo', undefined, login, () => undefined)).toBeUndefined();
});

it('prints differences first, merged by the pattern for an accept file', () => {
  const compared = [
    same('themes', 'theme 1 name'),
    { group: 'themes', what: 'theme 1 logo', class: 'equal' } as const,
    ...['GET', 'HEAD', 'OPTIONS'].map((method) => differs('responses', `LIST ${method} Vary`, 'a', '\u001b[31mb')),
    { ...differs('responses', 'CONFIG GET Vary', 'a', 'b'), accepted: 'known' },
  ];
  const comparison = { themes: 1, compared, notes: ['Note.'] };
  const urls = { old: 'https://a.example', new: 'dist' };
  const report = formatComparison(comparison, { colour: false, quiet: false, urls });
  expect(report).toBe(`OLD https://a.example  NEW dist
✔ themes       1 with equal pixels, 1 same
✘ responses    3 differ, 1 accepted
  ✘ LIST * Vary      a → \\u001b[31mb  (3 times)
  ! CONFIG GET Vary  a → b  (accepted: known)
! Note.

✘ 1 theme: 1 field same, 1 image with equal pixels, 1 accepted, 3 differ

Fix it, or add it with a reason to a file for --accept:
- what: "LIST * Vary"
  reason: …
`);
  const quiet = formatComparison(comparison, { colour: false, quiet: true, urls });
  expect(quiet.split('\n')[0]).toBe('✘ responses    3 differ, 1 accepted');
  const fine = formatComparison({ ...comparison, compared: [] }, { colour: false, quiet: true, urls });
  expect(fine).not.toContain('Fix it');
});

const URLS = { old: 'https://a.example', new: 'dist' };

longTest('is cut after 100 of a kind for people, however many differ, and whole for programs', () => {
  const many = Array.from({ length: 130_000 }, (_, at) =>
    differs('themes', `theme ${at} name`, 'a', `${at % 2 ? at : 'b'}`),
  );
  const comparison = { themes: 1, notes: [], compared: many };
  const text = formatComparison(comparison, { colour: false, quiet: false, urls: URLS });
  expect(text.split('\n').filter((line) => line.startsWith('  ✘ theme'))).toHaveLength(100);
  expect(text).toContain('  ✘ and 64,901 more\n');
  const { compared, counts } = JSON.parse(formatComparisonJson(comparison, URLS)) as {
    compared: unknown[];
    counts: Record<string, { differs: number }>;
  };
  expect([compared.length, counts['themes']?.differs]).toEqual([130_000, 130_000]);
});
