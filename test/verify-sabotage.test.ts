import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from './long-test.ts';
import { passes } from '../src/verify/result.ts';
import { compressionCases } from './verify/compression-cases.ts';
import { documentCases } from './verify/document-cases.ts';
import { exposureCases } from './verify/exposure-cases.ts';
import { hostCases } from './verify/host-cases.ts';
import { requesterCases } from './verify/requester-cases.ts';
import type { Case } from './verify/sabotages.ts';
import { idsOf, type SabotagedSite, startSabotagedSite } from './verify/sabotaged-site.ts';
import { rightCases } from './verify/right-cases.ts';
import { iconCases, styleCases } from './verify/style-cases.ts';
import { toleratedCases } from './verify/tolerated-cases.ts';

let sabotaged: SabotagedSite;
let caught = 0;

const cases = [
  ...documentCases,
  ...requesterCases,
  ...hostCases,
  ...compressionCases,
  ...styleCases.map(([title, ...rest]): Case => [`stylesheet: ${title}`, ...rest]),
  ...iconCases.map(([title, ...rest]): Case => [`icon: ${title}`, ...rest]),
  ...exposureCases(() => sabotaged.site.edgeOutDir),
];

beforeAll(async () => {
  sabotaged = await startSabotagedSite();
});
afterAll(async () => {
  await sabotaged.stop();
  process.stdout.write(`verify-sabotage: ${caught} caught\n`);
});

describe('a deployment with a fault fails exactly the checks for it: ', () => {
  for (const [title, sabotage, ids, found, hint = /./] of sampled(cases))
    it(title, async () => {
      const result = await sabotaged.verifyWith(sabotage);
      expect(idsOf(result, 'failed')).toEqual(ids.toSorted());
      const faults = result.checks.filter(({ status }) => status === 'failed');
      expect(faults.map((fault) => fault.found).join('\n')).toMatch(new RegExp(found.source, 'm'));
      expect(faults.map((fault) => fault.hint).join('\n')).toMatch(hint);
      const { url } = sabotaged.server;
      expect(faults.filter((fault) => !fault.hint || !fault.url?.startsWith(url) || !fault.expected)).toEqual([]);
      caught += 1;
    });
});

describe('a right deployment passes, also with --strict: ', () => {
  for (const [title, fault] of rightCases)
    it(title, async () => {
      const result = await sabotaged.verifyWith(fault);
      expect(result.checks.filter(({ status }) => status !== 'passed')).toEqual([]);
    });
});

describe('a deployment with a weakness passes, except with --strict: ', () => {
  for (const [title, sabotage, ids, found, hint = /./] of toleratedCases)
    it(title, async () => {
      const result = await sabotaged.verifyWith(sabotage);
      expect([idsOf(result, 'failed'), idsOf(result, 'tolerated')]).toEqual([[], ids]);
      const rows = result.checks.filter(({ status }) => status === 'tolerated');
      expect(rows.map((row) => row.found).join('\n')).toMatch(new RegExp(found.source, 'm'));
      expect(rows.map((row) => row.hint).join('\n')).toMatch(hint);
      expect([passes(result, false), passes(result, true)]).toEqual([true, false]);
      caught += 1;
    });
});
