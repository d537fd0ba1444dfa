import { describe, expect, it } from 'vitest';
import type { GalleryContent } from '../../../src/commands/dev/pages/content.ts';
import type { EditorContent } from '../../../src/commands/dev/pages/editor-content.ts';
import { galleryPage } from '../../../src/commands/dev/pages/gallery-page.ts';
import { themePage } from '../../../src/commands/dev/pages/theme-page.ts';
import { HOSTILE, theme } from '../../sample-records.ts';
import { galleryContent, galleryTheme } from '../../gallery.ts';

const CONTENT = galleryContent();

const EDITOR: EditorContent = {
  data: {},
  hash: '',
  site: { logo_types: ['NORMAL', 'INVERSE'], logo_alignments: ['left', 'center', 'right'] },
  users: undefined,
  slugs: [],
  versions: { light: 2, dark: 2 },
  canFill: false,
  messages: new Map(),
};

const firstThemePage = (content: GalleryContent) => {
  const [firstTheme] = content.themes;
  if (firstTheme === undefined) throw new Error('no theme');
  return themePage(firstTheme, content, EDITOR);
};
/** Returns the text content of markup, as a browser would. */
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');
const tags = (page: string) => page.match(/<[^>]*>/g) ?? [];
const cards = (page: string) => page.match(/<article.*?<\/article>/gs) ?? [];

const PAGES: [string, (content: GalleryContent) => string | Promise<string>][] = [
  ['gallery', (content) => galleryPage(content)],
  ['theme', firstThemePage],
];

describe.each(PAGES)('%s page', (_, pageOf) => {
  it('has no inline script, style or event handler, and loads nothing but images from other servers', async () => {
    const page = await pageOf(CONTENT);
    for (const tag of page.match(/<script[^>]*>[^<]*/g) ?? [])
      expect(tag).toMatch(/^<script type="module" src="\/__themecast\/studio\.js">$/);
    expect(page).not.toMatch(/<style|<iframe|<object|<embed|<base/);
    for (const tag of tags(page)) expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\s(?:style|on\w+)\s*=/i);
    for (const [, sheet = ''] of page.matchAll(/<link rel="stylesheet" href="([^"]*)"/g))
      expect(sheet).toMatch(/^\/[_t]/);
  });

  it.each(HOSTILE)('does not change its structure with the name, slug and URL of an image: %j', async (text) => {
    const structureOf = (page: string) => tags(page).map((tag) => tag.replace(/"[^"]*"/g, '""'));
    const themes = (name: string) => [
      galleryTheme(theme(1, { name, logo: name, logo_alignment: name, light_mode_logo_type: name })),
      galleryTheme(theme(2)),
    ];
    const page = await pageOf({ ...CONTENT, themes: themes(text) });
    expect(structureOf(page)).toEqual(structureOf(await pageOf({ ...CONTENT, themes: themes('plain') })));
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });
});

describe('gallery', () => {
  const parameters = (q: string) => new URLSearchParams({ q });

  it.each([
    ['', 3],
    ['  ', 3],
    ['THEME-2', 1],
    ['theme id', 3],
    ['id 3', 1],
    ['default', 1],
    ['no users', 2],
    ['no such', 0],
  ])('shows for the query %j %d themes', (query, n) => {
    const page = galleryPage(CONTENT, parameters(query));
    expect(cards(page)).toHaveLength(n);
    expect(textOf(page)).toContain(`${n} of 3 themes`);
  });

  it.each(HOSTILE)('repeats the query %j and the key of a user as text', (query) => {
    const structureOf = (page: string) => tags(page).map((tag) => tag.replace(/"[^"]*"/g, '""'));
    expect(structureOf(galleryPage(CONTENT, parameters(`q ${query}`)))).toEqual(
      structureOf(galleryPage(CONTENT, parameters('no such'))),
    );
    const galleryAs = (key: string) =>
      galleryPage(CONTENT, new URLSearchParams({ as: key }), { sentence: key, theme: undefined });
    expect(structureOf(galleryAs(query.replaceAll('`', '')))).toEqual(structureOf(galleryAs('plain')));
  });
});

describe('theme', () => {
  it.each([
    ['left', 'align-left', false],
    ['center', 'align-center', false],
    ['right', 'align-right', false],
    ['justify', 'align-left', true],
    ['constructor', 'align-left', true],
  ])('aligns the logo %s', (alignment, className, isUnknown) => {
    const page = firstThemePage({ ...CONTENT, themes: [galleryTheme(theme(1, { logo_alignment: alignment }))] });
    expect(page.match(/align-[a-z]+/g)).toEqual([className, className]);
    expect(textOf(page).includes(`The position “${alignment}” has no preview`)).toBe(isUnknown);
  });
});
