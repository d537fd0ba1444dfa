import { describe, expect, it } from 'vitest';
import { previewTheme } from '../../../src/cms/preview/preview.ts';
import { ANY_IMAGE_FIELDS, RECORD_FIELDS } from '../../../src/theme/fields.ts';
import { HOSTILE_STRINGS } from '../../hostile-strings.js';

const SITE = { allowed_hosts: [] };
const IMAGES = Object.fromEntries(ANY_IMAGE_FIELDS.map((field) => [field, `${field}.png`]));
const COMPLETE = { ...IMAGES, id: 1, name: 'Base', palette_preview: Array(9).fill('navy') };

/** Previews the first of the given themes, whose images all exist. */
function preview(
  previewedTheme: readonly [slug: string, data: object],
  ...parents: readonly (readonly [slug: string, data: object])[]
) {
  const entryOf = ([slug, data]: readonly [string, object]) => ({ slug, data: { ...data } });
  const urlOf = (slug: string, path: string) => Promise.resolve(`blob:${slug}/${path}`);
  return previewTheme(entryOf(previewedTheme), parents.map(entryOf), SITE, urlOf);
}

describe('the preview of the CMS', () => {
  it('shows inherited values, with images from the theme that sets them', async () => {
    const { html, style } = await preview(
      ['own', { extends: 'middle', id: 3, name: 'Own', logo: '', logo_height: 50, palette_preview: [] }],
      ['middle', { extends: 'base', id: 2, name: 'Middle', compact_logo: 'mine.svg', logo_height: 60 }],
      ['base', COMPLETE],
    );
    expect(html).toContain('src="blob:base/logo.png" alt="Own: Logo"');
    expect(html).toContain('src="blob:middle/mine.svg"');
    expect(html).not.toContain('class="missing"');
    expect(style).toMatchObject({ '--logo-height': '50px', '--c9': 'hsl(240,100%,25%)' });
  });

  it.each([
    ['a theme that does not exist', 'gone', []],
    ['itself', 'own', []],
    ['a cycle', 'a', [['a', { extends: 'own' }]]],
  ] as const)('shows the available values of a theme that extends %s', async (_, parent, parents) => {
    const { html } = await preview(['own', { ...COMPLETE, extends: parent, favicon: '' }], ...parents);
    expect(html).toContain('src="blob:own/logo.png"');
    expect(html).toContain(`Missing here, and in <code>${parent}</code>, which this theme extends.`);
  });

  it('marks missing and invalid values', async () => {
    const { html } = await preview(['own', { ...COMPLETE, logo: '../x.svg', logo_height: '1px;', favicon: undefined }]);
    const boxes = [
      ...html.matchAll(/<span class="missing"[^>]*><b>[^<]*<\/b> <code class="key">(.*?)<\/code><span>(.*?)<\/span>/g),
    ];
    expect(new Map(boxes.map(([, field = '', reason = '']) => [field.replaceAll('<wbr>', ''), reason]))).toEqual(
      new Map([
        ['favicon', 'Missing.'],
        ['logo_height', 'Invalid: <code>themecast check</code> reports why.'],
        ['logo', 'Invalid: <code>themecast check</code> reports why.'],
      ]),
    );
  });

  it('inserts no text as markup or style', async () => {
    const emptyPreview = await preview(['own', {}]);
    const tags = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];
    const names = (html: string) => tags(html).map((tag) => /^<\/?[a-z0-9]+/.exec(tag)?.[0]);
    const allowed = new Set([...names(emptyPreview.html), '<img']);
    for (const text of [
      ...HOSTILE_STRINGS,
      '"><script>alert(1)</script>',
      '1px;background:url(x)',
      'blob:"onerror=alert(1)//',
    ]) {
      const data = Object.fromEntries(RECORD_FIELDS.map((field) => [field, text]));
      const hostile = await preview(['own', { ...data, palette_preview: Array(9).fill(text), extends: text }]);
      expect(names(hostile.html).filter((name) => !allowed.has(name))).toEqual([]);
      expect(
        tags(hostile.html).filter((tag) => /\s(?:on\w+|style|href)\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""'))),
      ).toEqual([]);
      expect(hostile.style).toEqual(emptyPreview.style);
    }
  });
});
