import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { browsablePage as pageParts } from '../../../src/core/document/page/browsable-page.ts';
import { CONFIG, LIST } from '../../../src/core/document/endpoint.ts';
import { configRecord, type ThemeRecord } from '../../../src/core/document/record.ts';
import { pageStyle, pageStyleHash } from '../../../src/compiler/runtime.ts';
import { HOSTILE, site, theme } from '../../sample-records.ts';

const browsablePage = (...input: Parameters<typeof pageParts>): string => [...pageParts(...input)].join('');

const style = pageStyle();
const listPage = (themes: ThemeRecord[]) =>
  browsablePage({ endpoint: LIST, document: themes, themes, site: site(), style });
const configPage = (record: ThemeRecord) =>
  browsablePage({ endpoint: CONFIG, document: configRecord(record), themes: [record], site: site(), style });

/** Returns the text that a browser shows for markup. */
const textOf = (markup: string) =>
  markup.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
/** Returns the JSON texts of a page in their order: the responses to GET and to OPTIONS. */
const bodies = (page: string) =>
  [...page.matchAll(/<pre class="json"[^>]*>(.*?)<\/pre>/gs)].map(([, markup = '']) => textOf(markup));
/** Returns the first image of the logo. */
const logoIn = (page: string) => tags(page).find((tag) => tag.includes(': logo on')) ?? '';
const tags = (page: string) => page.match(/<[^>]*>/g) ?? [];
const links = (page: string) => [...page.matchAll(/ href="([^"]*)"/g)].map(([, url = '']) => textOf(url));

// Golden files contain complete pages; these tests are about arbitrary content.
const THREE_THEMES = [theme(1), theme(2), theme(3)];
const PAGES: [string, string][] = [
  ['list', listPage(THREE_THEMES)],
  ['config', configPage(theme(2))],
];

describe.each(PAGES)('%s page', (_, page) => {
  it('has no script, no event handler, no style attribute, and a single style element with the published hash', () => {
    expect(page).not.toMatch(/<script/i);
    for (const tag of tags(page)) expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\s(?:style|on\w+)\s*=/i);
    const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css);
    expect(styles.map((css) => `sha256-${createHash('sha256').update(css).digest('base64')}`)).toEqual([
      pageStyleHash(),
    ]);
    expect(styles[0]).not.toMatch(/url\(|@import/);
  });
});

describe('document', () => {
  it.each(HOSTILE)('is unchanged by the name %j', (name) => {
    const listWithName = [theme(1, { name })];
    expect(JSON.parse(bodies(listPage(listWithName))[0] ?? '')).toEqual(listWithName);
  });

  it('links its web addresses, and nothing else', () => {
    const [body = ''] =
      listPage([
        theme(1, { name: 'javascript:alert(1)', logo: 'ftp://example.org/', favicon: 'http://localhost/a&b.png' }),
      ]).match(/<pre class="json".*?<\/pre>/s) ?? [];
    expect(body).toContain(
      '<b>&#34;favicon&#34;</b>: "<a href="http://localhost/a&#38;b.png">http://localhost/a&#38;b.png</a>",\n',
    );
    expect(body).not.toMatch(/href="(?:javascript|ftp)/);
    expect(links(body)).toHaveLength(12);
  });
});

it('shows a logo at the height that the theme sets, up to a limit', () => {
  const heights = [36, 2000].map((logo_height) =>
    / height="(\d+)" /.exec(logoIn(configPage(theme(1, { logo_height })))),
  );
  expect(heights.map((match) => match?.[1])).toEqual(['36', '160']);
});

describe('hostile content', () => {
  const structureOf = (page: string) => tags(page).map((tag) => tag.replace(/"[^"]*"/g, '""'));

  it.each(HOSTILE)('does not change the markup: name %j', (name) => {
    const page = listPage([theme(1, { name }), theme(2)]);
    expect(structureOf(page)).toEqual(structureOf(listPage([theme(1), theme(2)])));
    expect(textOf(page)).toContain(`\n${name}\nid 1`);
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('stays text in place of a link or a colour', () => {
    const hostileTheme = `javascript:alert(1)"><script>alert(1)</script>`;
    const page = configPage(
      theme(1, {
        logo: hostileTheme,
        favicon: hostileTheme,
        default_event_banner: { original: hostileTheme, thumbnail: hostileTheme },
        palette_preview: [hostileTheme],
      }),
    );
    expect(page).not.toContain('<script');
    expect(tags(page).filter((tag) => /^<a .*javascript/.test(tag))).toEqual([]);
  });
});
