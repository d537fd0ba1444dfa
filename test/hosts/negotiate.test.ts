import { describe, expect, it } from 'vitest';
import { formatParameter, negotiate } from '../../src/edge-runtime/negotiate.ts';
import { ACCEPT_CASES, outcomeOf, QUERY_CASES } from './contract/cases.ts';

const OUTCOMES = { json: 'json', html: 'html', not_found: 404, not_acceptable: 406 } as const;

describe('negotiate', () => {
  it.each(ACCEPT_CASES)('gives for Accept: %j %s, with format=json %s, with format=api %s', (...row) => {
    const [accept = null, any, json, api] = row;
    expect([undefined, 'json', 'api'].map((format) => OUTCOMES[negotiate(format, accept)])).toEqual([any, json, api]);
  });

  it.each(QUERY_CASES)('reads the format of the query %j as the column %s', (query, column) => {
    for (const row of ACCEPT_CASES) {
      expect(OUTCOMES[negotiate(formatParameter(query), row[0] ?? null)]).toBe(outcomeOf(row, column));
    }
  });

  it('takes time in proportion to the length of the header', () => {
    const long = `${'application/json;'.repeat(1000)}${';'.repeat(50_000)}`;
    expect(negotiate(undefined, long)).toBe('json');
  });
});
