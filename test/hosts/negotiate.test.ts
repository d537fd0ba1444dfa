import { describe, expect, it } from 'vitest';
import { negotiated } from './contract/accept-matrix.ts';
import { ACCEPT_CASES, outcomeOf, QUERY_CASES, STYLESHEET_CASES } from './contract/cases.ts';

describe('negotiate', () => {
  it.each(ACCEPT_CASES)('gives for Accept: %j %s, with format=json %s, with format=api %s', (...row) => {
    const [accept = null, any, json, api] = row;
    expect(['', '?format=json', '?format=api'].map((query) => negotiated(query, accept))).toEqual([any, json, api]);
  });

  it.each(QUERY_CASES)('reads the format of the query %j as the column %s', (query, column) => {
    for (const row of ACCEPT_CASES) expect(negotiated(query, row[0] ?? null)).toBe(outcomeOf(row, column));
  });

  it.each(STYLESHEET_CASES)('gives for Accept: %j and the query %j %s', (accept, query, outcome) => {
    expect(negotiated(query, accept ?? null)).toBe(outcome);
  });

  it('takes time in proportion to the length of the header', () => {
    const long = `${'application/json;'.repeat(1000)}${';'.repeat(50_000)}`;
    expect(negotiated('', long)).toBe('json');
  });
});
