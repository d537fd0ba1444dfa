import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passes } from '../src/commands/verify/result.ts';
import { sampled } from './long-test.ts';
import { allCases } from './verify/sabotages.ts';
import { idsOf, type SabotagedSite, startSabotagedSite } from './verify/sabotaged-site.ts';
import { correctCases, toleratedCases } from './verify/tolerated.ts';

let sabotaged: SabotagedSite;

beforeAll(async () => {
  sabotaged = await startSabotagedSite();
});
afterAll(() => sabotaged.stop());

describe('a deployment with a fault fails exactly the related checks: ', () => {
  for (const [title, sabotage, ids, found = /./, hint = /./] of sampled(allCases))
    it(title, async () => {
      const result = await sabotaged.verifyWith(sabotage);
      expect(idsOf(result, 'failed')).toEqual([...new Set(ids)].toSorted());
      const faults = result.checks.filter(({ status }) => status === 'failed');
      expect(faults.map((fault) => fault.found).join('\n')).toMatch(new RegExp(found.source, 'm'));
      expect(faults.map((fault) => fault.hint).join('\n')).toMatch(hint);
      const { url } = sabotaged.server;
      expect(faults.filter((fault) => !fault.hint || !fault.url?.startsWith(url) || !fault.expected)).toEqual([]);
    });
});

describe('a correct deployment passes, even with --strict: ', () => {
  for (const [title, fault, note] of correctCases)
    it(title, async () => {
      const { checks, notes } = await sabotaged.verifyWith(fault);
      expect(checks.filter(({ status }) => status !== 'passed')).toEqual([]);
      expect(notes).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
    });
});

describe('a deployment with a weakness passes, except with --strict: ', () => {
  for (const [title, sabotage, ids, found = /./, hint = /./] of toleratedCases)
    it(title, async () => {
      const result = await sabotaged.verifyWith(sabotage);
      expect([idsOf(result, 'failed'), idsOf(result, 'tolerated')]).toEqual([[], ids]);
      const rows = result.checks.filter(({ status }) => status === 'tolerated');
      expect(rows.map((row) => row.found).join('\n')).toMatch(new RegExp(found.source, 'm'));
      expect(rows.map((row) => row.hint).join('\n')).toMatch(hint);
      expect([passes(result, false), passes(result, true)]).toEqual([true, false]);
    });

  it('passes with --strict if the caller tolerates the weakness', async () => {
    const fault = toleratedCases.find(([, , [id]]) => id === 'compression/cache')?.[1];
    const result = await sabotaged.verifyWith(fault ?? (() => undefined), {
      tolerated: new Set(['compression/cache']),
    });
    expect([idsOf(result, 'tolerated'), passes(result, true)]).toEqual([['compression/cache'], true]);
  });
});
