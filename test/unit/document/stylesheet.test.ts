import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { transform } from 'lightningcss';
import { describe, expect, it } from 'vitest';
import { stylesheet } from '../../../src/document/stylesheet.ts';
import { RECORD_FIELDS } from '../../../src/theme/fields.ts';
import { HOSTILE, theme } from '../../sample-records.ts';

/** Parses the properties of each rule, by the text before its block. */
function rules(css: string): Record<string, Record<string, string>> {
  const blocks = [...css.matchAll(/(@media [^{]*\{\n)?(:root[^{]*) \{\n((?:--[^\n]*;\n)*)\}/g)];
  return Object.fromEntries(
    blocks.map(([, media = '', selector, body = '']) => [
      media.replace(' {\n', ' ') + selector,
      Object.fromEntries([...body.matchAll(/^--theme-([\w-]+): ([^\n]*);$/gm)].map(([, name, value]) => [name, value])),
    ]),
  );
}

describe('stylesheet', () => {
  it('has a property of every field but the icon, the choices of logos and is_default', () => {
    const names = Object.keys(rules(stylesheet(theme(1)))[':root'] ?? {});
    const named = (field: string): boolean => names.some((name) => [name, `default-${name}`].includes(field));
    const absent = RECORD_FIELDS.filter((field) => !named(field.replaceAll('_', '-')));
    expect(absent).toEqual([
      ...'favicon logo_inverse compact_logo_inverse logo_site light_mode_logo_type'.split(' '),
      ...'dark_mode_logo_type compact_light_mode_logo_type compact_dark_mode_logo_type is_default'.split(' '),
      ...'palette_preview'.split(' '),
    ]);
    expect(names).toEqual(
      expect.arrayContaining(['site-logo', 'palette-1', 'palette-9', 'on-palette-1', 'on-palette-9']),
    );
  });

  it('shows the logos of the mode of the system, or of the page, which wins', () => {
    const record = theme(1, { light_mode_logo_type: 'INVERSE', dark_mode_logo_type: 'NORMAL' });
    const all = rules(stylesheet(record));
    const light = {
      logo: `url("${record.logo_inverse}")`,
      'compact-logo': `url("${record.compact_logo}")`,
    };
    const dark = { logo: `url("${record.logo}")`, 'compact-logo': `url("${record.compact_logo_inverse}")` };
    expect(all).toMatchObject({
      ':root': light,
      '@media (prefers-color-scheme: dark) :root': dark,
      ':root[data-color-scheme="light"]': light,
      ':root[data-color-scheme="dark"]': dark,
    });
  });

  it.each(HOSTILE)('keeps the name %j inside its string', (name) => {
    const css = stylesheet(theme(1, { name }));
    expect(Object.keys(rules(css))).toHaveLength(4);
    const [, value = ''] = /--theme-name: "((?:[^"\\\n]|\\[\da-f]{1,6} )*)";\n/.exec(css) ?? [];
    expect(value.replace(/\\([\da-f]+) /g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))).toBe(
      name,
    );
    expect(css).not.toContain('<');
  });

  it('parses in a second parser, with any names and URLs', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        (name, url) => {
          const { logo_site: image } = theme(1);
          const css = stylesheet(
            theme(1, { name, logo: url, logo_site: { ...image, thumbnail: `${url}")}body{x:url(` } }),
          );
          const rules: string[] = [];
          const visitor = { Rule: ({ type }: { type: string }) => void rules.push(type) };
          const { warnings } = transform({ filename: 'theme.css', code: Buffer.from(css), visitor });
          expect({ warnings, rules }).toEqual({ warnings: [], rules: ['style', 'media', 'style', 'style', 'style'] });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is small', () => {
    const css = stylesheet(theme(1));
    expect(Buffer.byteLength(css)).toBeLessThan(4000);
    expect(brotliCompressSync(css).length).toBeLessThan(1000);
  });
});
