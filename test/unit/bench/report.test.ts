import { describe, expect, it } from 'vitest';
import type { Results } from '../../../scripts/bench/goals.js';
import { rowsIn } from '../../../scripts/bench/million.js';
import { opensIn } from '../../../scripts/bench/measure.js';
import { parseOptions } from '../../../scripts/bench/options.js';
import { figure, report, withMeasured } from '../../../scripts/bench/report.js';
import { parseWrk } from '../../../scripts/bench/requests.js';
import { merge } from '../../../scripts/bench/run.js';

const NOTHING: Results = {
  machine: '2 cores',
  failed: false,
  measurements: [],
  requests: [],
  edits: [],
  million: [],
  missing: [],
};

function measured(set: string, name: string, wall: number): Results {
  return { ...NOTHING, measurements: [{ set, name, runs: [{ wall, cpu: wall, mebibytes: 40 }], opens: 1234 }] };
}

describe('the report of a benchmark', () => {
  it('says which goals are met', () => {
    const text = report(
      merge([
        measured('small-1000', 'themecast, nothing changed', 0.4),
        measured('small-1000', 'themecast, one YAML changed', 0.9),
      ]),
    );
    expect(text).toContain('| 1,000 small themes, nothing changed | ≤ 0.5 s | 0.4 s | met |');
    expect(text).toContain('| 1,000 small themes, one YAML changed | ≤ 0.8 s | 0.9 s | **not met** |');
    expect(text).toContain('| 100 million users, keyed | ≤ 150 s |  | not measured |');
    expect(text).toContain('| themecast, nothing changed | 0.4 | 0.4 | 40 | 1,234 | 1 |');
  });

  it('compares with the best peer, not with any', () => {
    const warm = [
      measured('photos-48', 'themecast, nothing changed', 1),
      measured('photos-48', 'eleventy-img, nothing changed', 4),
      measured('photos-48', 'Hugo, nothing changed', 2.5),
    ];
    expect(report(merge(warm))).toContain('| the same against the best peer | ≤ 0.5 × | 0.4 × | met |');
  });

  it('names what is missing', () => {
    expect(report({ ...NOTHING, missing: ['Hugo: not installed.'] })).toContain('- Hugo: not installed.');
  });

  it('replaces the measured parts of a page, and nothing else', () => {
    const page = 'a\n<!-- measured: requests -->\nold\n<!-- /measured -->\nb\n';
    const requests = [{ server: 'nginx', request: 'LIST', perSecond: 50_000.4, p50: 0.1234, p99: 12.34 }];
    expect(withMeasured(page, { ...NOTHING, requests })).toBe(
      'a\n<!-- measured: requests -->\n\n| server | request | requests/s | p50 ms | p99 ms |\n| --- | --- | --- | --- | --- |\n' +
        '| nginx | LIST | 50,000 | 0.123 | 12.3 |\n\n<!-- /measured -->\nb\n',
    );
    expect(() => withMeasured('<!-- measured: other --><!-- /measured -->', NOTHING)).toThrow('other');
  });

  it('takes the first of results that were measured twice', () => {
    const [first, second] = [measured('photos-12', 'a', 1), measured('photos-12', 'a', 2)];
    expect(merge([first, second]).measurements).toEqual(first.measurements);
  });

  it('has figures of three digits', () => {
    expect([0.01234, 1.2345, 12.345, 123.45, 12_345].map(figure)).toEqual(['0.012', '1.23', '12.3', '123', '12,345']);
  });
});

describe('the output of other programs', () => {
  it('counts the files that strace saw opened', () => {
    expect(
      opensIn('    calls    errors syscall\n     120        20 openat\n       5           open\n     125     total\n'),
    ).toBe(105);
  });

  it('reads what wrk measured', () => {
    const output =
      '  Latency Distribution\n     50%  161.00us\n     75%    1.00ms\n     99%    3.98ms\nRequests/sec:  75865.84\n';
    expect(parseWrk(output)).toEqual({ perSecond: 75_865.84, p50: 0.161, p99: 3.98 });
    expect(() => parseWrk(`${output}  Non-2xx or 3xx responses: 7\n`)).toThrow('responses: 7');
    expect(() => parseWrk('unable to connect')).toThrow('unable to connect');
  });

  it('reads the rows that tests print', () => {
    expect(rowsIn('✓ a\n| nginx | ready after 5 s |\n')).toEqual([{ name: 'nginx', value: 'ready after 5 s' }]);
  });
});

describe('the command line of a benchmark', () => {
  it('leaves out what needs photographs or is only done by name', () => {
    expect(parseOptions([])?.names).toEqual([
      'small-1000',
      'small-10000',
      'commands',
      'users',
      'million',
      'requests',
      'dev',
    ]);
    expect(parseOptions(['--quick', '--photos', 'p'])?.names).toEqual(['photos-12', 'small-1000', 'commands']);
    expect(parseOptions(['--only', 'users-100m'])?.names).toEqual(['users-100m']);
  });

  it('rejects what it does not know', () => {
    expect(() => parseOptions(['--only', 'user'])).toThrow('`user` is none of photos-12');
    expect(() => parseOptions(['--only', 'photos-12'])).toThrow('--photos');
    expect(() => parseOptions(['--rounds', '0'])).toThrow('--rounds');
  });
});
