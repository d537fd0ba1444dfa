import { expect, it } from 'vitest';
import { similarName } from '../../../src/core/image/similar-name.ts';

const [NFC, NFD] = ['caf\u00e9.svg', 'cafe\u0301.svg'];

it.each([
  [NFC, [NFD, 'cafe.svg'], NFD, 'composition'],
  [NFD, [NFC], NFC, 'composition'],
  ['Logo.svg', ['lego.svg', 'logo.svg'], 'logo.svg', 'case'],
  ['meadow/logo.svg', ['icons/logo.svg'], 'icons/logo.svg', undefined],
  ['loog.svg', ['logo.svg'], 'logo.svg', undefined],
  ['logo.svg', ['favicon.ico'], undefined, undefined],
] as const)('suggests, for %j among %j, %j, which differs by %s', (requested, candidates, suggestion, differsBy) => {
  expect(similarName(requested, candidates)).toEqual({ suggestion, differsBy });
});
