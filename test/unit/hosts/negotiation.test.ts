import { describe, expect, it } from 'vitest';
import { formatParameter, negotiate, type Rendering } from '../../../src/edge-runtime/negotiate.ts';
import { acceptPatterns, FORMAT_PARAMETER, HTML_WINS, notAcceptable, OFFERED } from '../../../src/hosts/negotiation.ts';
import { ACCEPT_CASES, QUERY_CASES } from '../../hosts/contract/cases.ts';

/** Negotiates as hosts do that have nothing but regular expressions. */
function negotiateByPattern(format: string, accept: string): Rendering {
  const offered = { '': 'both', json: 'json', api: 'html' }[format];
  if (offered === undefined) return 'not_found';
  const precision = (rendering: 'json' | 'html'): string => {
    if (accept === '') return '0';
    // Unlike that of PCRE and RE2, the white space of JavaScript contains 0xA0.
    const patterns = acceptPatterns(rendering).map((pattern) => pattern.replaceAll(String.raw`\s`, '[ \\t]'));
    const matches = patterns.map((pattern) => new RegExp(pattern, 'i').test(accept));
    return matches.includes(true) ? String(matches.lastIndexOf(true)) : '-';
  };
  const choice = `${offered}:${precision('json')}${precision('html')}`;
  if (new RegExp(notAcceptable(OFFERED)).test(choice)) return 'not_acceptable';
  return new RegExp(`^(?:html:|both:${HTML_WINS}$)`).test(choice) ? 'html' : 'json';
}

describe('the patterns of negotiation', () => {
  it.each(ACCEPT_CASES.map(([accept = '']) => accept))('choose for Accept: %j what the handler chooses', (accept) => {
    for (const format of ['', 'json', 'api', 'xml'])
      expect(negotiateByPattern(format, accept), format).toBe(negotiate(format, accept));
  });

  it.each(QUERY_CASES.map(([query]) => query))('find the format parameter of %j that the handler finds', (query) => {
    const search = query.replace(/^\?/, '');
    expect(new RegExp(`${FORMAT_PARAMETER}([^&]*)`).exec(search)?.[1]).toBe(formatParameter(`?${search}`));
  });
});
