import fc from 'fast-check';
import { transform } from 'lightningcss';
import { describe, expect, it } from 'vitest';
import { stylesheet } from '../../../src/core/document/stylesheet.ts';
import { HOSTILE, theme } from '../../sample-records.ts';

describe('stylesheet', () => {
  it.each(HOSTILE)('keeps the name %j inside its string', (name) => {
    const css = stylesheet({ record: theme(1, { name }) }, { roles: {} });
    expect(css.match(/\{\n--/g)).toHaveLength(4);
    const [, value = ''] = /--theme-name: "((?:[^"\\\n]|\\[\da-f]{1,6} )*)";\n/.exec(css) ?? [];
    expect(value.replace(/\\([\da-f]+) /g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))).toBe(
      name,
    );
    expect(css).not.toContain('<');
  });

  it('is valid for a second parser, with any names and URLs', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        (name, url) => {
          const { logo_site: image } = theme(1);
          const hostile = { name, logo: url, logo_site: { ...image, thumbnail: `${url}")}body{x:url(` } };
          const css = stylesheet({ record: theme(1, hostile) }, { roles: {} });
          const rules: string[] = [];
          const visitor = { Rule: ({ type }: { type: string }) => void rules.push(type) };
          const { warnings } = transform({ filename: 'theme.css', code: Buffer.from(css), visitor });
          expect({ warnings, rules }).toEqual({
            warnings: [],
            rules: ['style', 'media', 'style', 'style', 'media', 'style'],
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});
