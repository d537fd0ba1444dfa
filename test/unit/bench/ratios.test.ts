import { describe, expect, it } from 'vitest';
import { compareRatios, comparisonText, ratiosOf } from '../../../scripts/bench/baseline.js';
import { costOf, median, ratioOf, type Measurement } from '../../../scripts/bench/statistics.js';

function measured(name: string, ...cpu: number[]): Measurement {
  return { set: 'photos-12', name, runs: cpu.map((seconds) => ({ wall: seconds, cpu: seconds, mebibytes: 100 })) };
}

describe('figures of a benchmark', () => {
  it('are medians', () => {
    expect(median([9, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(median([])).toBeNaN();
    expect(costOf(measured('a', 3, 1, 2), 'cpu')).toBe(2);
    expect(costOf(undefined, 'cpu')).toBeUndefined();
  });

  it('have ratios within rounds, so that the load of the machine cancels out', () => {
    // The second round took ten times as long, for both.
    expect(ratioOf(measured('a', 2, 30, 2), measured('b', 1, 10, 1), 'cpu')).toBe(2);
    expect(ratioOf(measured('a', 2, 4), measured('b', 1), 'cpu')).toBe(3);
    expect(ratioOf(measured('a', 1), undefined, 'cpu')).toBeUndefined();
  });
});

describe('a quick run', () => {
  it('has the ratios of what was measured', () => {
    const ratios = ratiosOf([measured('themecast, nothing cached', 4), measured('themecast, nothing changed', 1)]);
    expect(ratios).toEqual({ 'photos-12: themecast, nothing changed / themecast, nothing cached': 0.25 });
  });

  it('names what differs from the baseline by more than 15 %', () => {
    const baseline = { slower: 1, equal: 1, within: 1, faster: 1, gone: 1 };
    const comparison = compareRatios(baseline, { slower: 1.16, equal: 1, within: 1.14, faster: 0.8, added: 2 });
    expect(comparison.worse).toEqual([{ name: 'slower', before: 1, now: 1.16 }]);
    expect(comparison.better).toEqual([{ name: 'faster', before: 1, now: 0.8 }]);
    expect(comparison.unchanged.map(({ name }) => name)).toEqual(['equal', 'within']);
    expect(comparisonText(comparison)).toBe(`worse  slower: 1 → 1.16
better  faster: 1 → 0.8
not measured  gone
not in the baseline  added
1 of 4 ratios are worse than the baseline by more than 15 %, 1 better.
Run with --accept to make these ratios the baseline.
`);
  });
});
