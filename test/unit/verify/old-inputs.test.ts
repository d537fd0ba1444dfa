import { expect, it } from 'vitest';
import { formatComparison, formatComparisonJson } from '../../../src/commands/verify/old/format.ts';
import { requesterOf, sampledUser } from '../../../src/commands/verify/old/requesters.ts';
import { differs, readAccepted, same } from '../../../src/commands/verify/old/result.ts';
import { sampleOf } from '../../../src/commands/verify/io/old-inputs.ts';
import { plainYamlPlace } from '../../../src/core/source/plain-yaml.ts';
import { longTest } from '../../long-test.ts';

it('rejects accepted differences without a reason, and points to the first one', () => {
  const valid = { what: 'x', reason: 'y' };
  const lists = [{}, [null], [{ what: 'x' }], [valid, { ...valid, reason: '' }], [valid, valid, { ...valid, z: 1 }]];
  expect(lists.map(readAccepted)).toEqual([undefined, 0, 0, 1, 2]);
});

it('finds the line of an error in a YAML list', () => {
  expect(plainYamlPlace('# a\n- what: x\n  reason: y\n- what: z\n', 1)).toEqual({ line: 4, error: undefined });
  expect(plainYamlPlace('- what: x\n  reason: a: b\n', 0)).toMatchObject({
    line: 2,
    error: expect.any(String) as string,
  });
});

it('samples evenly across all entries', () => {
  const indices = Array.from({ length: 50 }, (_, index) => index);
  expect(sampleOf(indices, 5)).toEqual([0, 10, 20, 30, 40]);
  expect(sampleOf(indices, 1000)).toEqual(indices);
});

it('sends the user key to the new service, and the headers that identify the user to the old one', () => {
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

it('prints differences first, and merges them as the accept file can', () => {
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
  const quietReport = formatComparison(comparison, { colour: false, quiet: true, urls });
  expect(quietReport.split('\n')[0]).toBe('✘ responses    3 differ, 1 accepted');
  const withoutDifferences = formatComparison({ ...comparison, compared: [] }, { colour: false, quiet: true, urls });
  expect(withoutDifferences).not.toContain('Fix it');
});

const URLS = { old: 'https://a.example', new: 'dist' };

longTest('shows people at most 100 differences of a kind, and programs all of them', () => {
  const manyDifferences = Array.from({ length: 130_000 }, (_, index) =>
    differs('themes', `theme ${index} name`, 'a', `${index % 2 ? index : 'b'}`),
  );
  const comparison = { themes: 1, notes: [], compared: manyDifferences };
  const text = formatComparison(comparison, { colour: false, quiet: false, urls: URLS });
  expect(text.split('\n').filter((line) => line.startsWith('  ✘ theme'))).toHaveLength(100);
  expect(text).toContain('  ✘ and 64,901 more\n');
  const { compared, counts } = JSON.parse(formatComparisonJson(comparison, URLS)) as {
    compared: unknown[];
    counts: Record<string, { differs: number }>;
  };
  expect([compared.length, counts['themes']?.differs]).toEqual([130_000, 130_000]);
});
