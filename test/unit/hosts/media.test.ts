import { describe, expect, it } from 'vitest';
import { mediaFilePattern } from '../../../src/hosts/contract/media.ts';
import { FORMATS, type Format } from '../../../src/core/image/format.ts';
import { originalPath } from '../../../src/core/image/name.ts';

const PUBLISHED = new RegExp(`^media/${mediaFilePattern()}$`);

describe('mediaFilePattern', () => {
  it.each(Object.keys(FORMATS) as Format[])('matches every published name of an original in %s', (format) => {
    for (const name of ['logo.png', 'Logo_1.2.png', '-a-.png', '漢字.png', '..png', `${'x'.repeat(99)}.png`])
      expect(originalPath('harbor-2', name, format, 'f'.repeat(64))).toMatch(PUBLISHED);
  });

  it('matches only the given extensions', () => {
    const svg = new RegExp(`^${mediaFilePattern(['svg'])}$`);
    expect('harbor/logo.svg').toMatch(svg);
    expect('harbor/logo.png').not.toMatch(svg);
  });
});
