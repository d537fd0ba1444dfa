import { describe, expect, it } from 'vitest';
import { certainName, similarName } from '../../../src/image/similar-name.ts';

const [NFC, NFD] = ['caf\u00e9.svg', 'cafe\u0301.svg'];

describe('similarName', () => {
  it.each([
    [NFC, [NFD, 'cafe.svg'], NFD, 'composition'],
    [NFD, [NFC], NFC, 'composition'],
    ['Logo.svg', ['lego.svg', 'logo.svg'], 'logo.svg', 'case'],
    ['meadow/logo.svg', ['icons/logo.svg'], 'icons/logo.svg', undefined],
    ['loog.svg', ['logo.svg'], 'logo.svg', undefined],
    ['logo.svg', ['favicon.ico'], undefined, undefined],
  ] as const)('of %j among %j is %j, which differs by %s', (wanted, known, suggestion, differsBy) => {
    expect(similarName(wanted, known)).toEqual({ suggestion, differsBy });
  });
});

describe('certainName', () => {
  it.each([
    ['Logo.svg', ['lego.svg', 'logo.svg'], [], 'logo.svg'],
    ['Logo.svg', ['LOGO.svg', 'logo.svg'], [], undefined],
    ['Logo.svg', ['logo.svg'], ['logo.svg'], 'logo.svg'],
    ['meadow/logo.svg', ['icons/logo.svg'], [], 'icons/logo.svg'],
    ['meadow/logo.svg', ['icons/logo.svg', 'a/logo.svg'], [], undefined],
    ['lgoo.svg', ['logo.svg'], [], 'logo.svg'],
    ['logo-dark.svg', ['logo-mark.svg'], ['logo-mark.svg'], undefined],
    ['logo-2.svg', ['logo-1.svg'], [], undefined],
    [NFC, [NFD], [], undefined],
  ] as const)('of %j among %j, of which %j are used, is %j', (wanted, known, used, meant) => {
    expect(certainName(wanted, known, new Set(used))).toBe(meant);
  });
});
