import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/source/yaml.ts';
import { resolveThemes, type Theme } from '../../../src/theme/resolve.ts';
import { type Site, SITE_DEFAULTS } from '../../../src/theme/site.ts';
import { validateTheme } from '../../../src/theme/validate.ts';
import { findings } from '../collect.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };
const WHOLE = `name: Base
favicon: a.png
logo: a.svg
logo_inverse: a.svg
compact_logo: a.svg
compact_logo_inverse: a.svg
logo_site: a.svg
default_group_banner: a.svg
default_event_banner: a.svg
default_user_profile_banner: a.svg
is_default: true
logo_height: 60
palette_preview: [red, lime, blue, yellow, aqua, black, white, gray, navy]
`;

type Texts = readonly (readonly [slug: string, text: string])[];

/** Resolves themes by slug; returns them with the diagnostics. */
function resolved(texts: Texts, site: Site = SITE, folders = texts.map(([slug]) => slug)) {
  let themes: Theme[] = [];
  const diagnostics = findings((report) => {
    const sources = texts.flatMap(([slug, text]) => {
      const document = parseYaml(`${slug}.yaml`, text, report);
      return document === undefined ? [] : [validateTheme(slug, document, site, report)];
    });
    themes = resolveThemes(sources, new Set(folders), site, report);
  });
  return { themes, found: diagnostics };
}

/** Resolves themes with ids in their order; returns them with the locations of diagnostics. */
function resolve(texts: Texts): { themes: Theme[]; found: string[] } {
  const { themes, found } = resolved(texts.map(([slug, text], index) => [slug, `id: ${index + 1}\n${text}`]));
  return { themes, found: found.map(({ code, location: { file, start } }) => `${code} ${file}:${start?.line}`) };
}

/** Resolves a complete theme in which some lines are replaced, with its diagnostics in full. */
function resolveOne(lines: string, site: Partial<Site> = {}): { theme: Theme | undefined; found: string[] } {
  const replaced = new Set(lines.split('\n').map((line) => line.split(':')[0]));
  const base = WHOLE.split('\n').filter((line) => !replaced.has(line.split(':')[0]));
  const { themes, found } = resolved([['a', `${lines}\n${base.join('\n')}\nid: 1\n`]], { ...SITE, ...site });
  const texts = found.map(
    ({ code, message, hint, location: { start } }) => `${code} ${start?.line}:${start?.column} ${message} ${hint}`,
  );
  return { theme: themes[0], found: texts };
}

/** Returns the diagnostics of themes, without adding ids to their texts. */
function noId(...texts: Texts): string[] {
  return resolved(texts).found.map(({ code, message, location: { file } }) => `${code} ${file}: ${message}`);
}

describe('a theme', () => {
  it('has every field, with the defaults of the interface', () => {
    const { theme, found } = resolveOne('logo: a/b.svg\nis_default: true');
    expect(found).toEqual([]);
    const { images, palette_preview: palette, ...rest } = theme ?? ({} as Theme);
    expect(rest).toEqual({
      slug: 'a',
      id: 1,
      name: 'Base',
      is_default: true,
      settings: {
        light_mode_logo_type: 'NORMAL',
        dark_mode_logo_type: 'INVERSE',
        logo_alignment: 'left',
        logo_height: 60,
        logo_margin_left: 0,
        logo_margin_top: 0,
        compact_light_mode_logo_type: 'NORMAL',
        compact_dark_mode_logo_type: 'INVERSE',
        compact_logo_size: 32,
      },
    });
    expect(palette).toHaveLength(9);
    expect(Object.keys(images)).toEqual([
      ...'favicon logo logo_inverse compact_logo compact_logo_inverse logo_site'.split(' '),
      ...'default_group_banner default_event_banner default_user_profile_banner'.split(' '),
    ]);
    expect(images.logo).toEqual({
      slug: 'a',
      path: 'a/b.svg',
      location: { file: 'a.yaml', start: { line: 1, column: 7 }, end: { line: 1, column: 14 } },
    });
  });

  it('needs an accepted value if the site does not accept the default', () => {
    const site = { logo_types: ['MONO'], logo_alignments: ['top', 'left'] };
    expect(resolveOne('logo: a.svg', site).found).toEqual([
      'field/missing 1:1 The fields `light_mode_logo_type`, `dark_mode_logo_type`, `compact_light_mode_logo_type` and `compact_dark_mode_logo_type` are missing. Add them, or inherit them: write `extends:` and the folder name of a theme that has them.',
    ]);
    const alignments = { logo_alignments: ['top', 'bottom'] };
    expect(resolveOne('logo: a.svg', alignments).found).toEqual([
      'field/missing 1:1 The field `logo_alignment` is missing. This site does not accept the default `left`: write `top` or `bottom`.',
    ]);
    const { theme, found } = resolveOne('logo_alignment: top', alignments);
    expect([found, theme?.settings.logo_alignment]).toEqual([[], 'top']);
  });
});

describe('missing fields', () => {
  it('is reported in one diagnostic, at the last theme of the chain', () => {
    const { found } = resolve([
      ['a', 'extends: b\n'],
      ['b', WHOLE.replace(/^(?:name|logo): .*\n/gm, '')],
    ]);
    expect(found).toEqual(['field/missing b.yaml:1']);
  });

  it('is reported for a theme that extends another if the field is never inherited', () => {
    const { themes, found } = resolve([
      ['b', WHOLE],
      ['a', 'extends: b\n'],
    ]);
    expect([found, themes.map(({ is_default }) => is_default)]).toEqual([[], [true, false]]);
    expect(noId(['b', `id: 1\n${WHOLE}`], ['a', 'extends: b\n'])).toEqual([
      'field/missing a.yaml: The field `id` is missing.',
    ]);
  });

  it('is not reported for a field that is invalid', () => {
    expect(resolveOne('name: 7').found).toEqual([
      'field/type 1:7 The field `name` must be text, but it is the number `7`. Put it in quotes: "7"',
    ]);
    expect(resolveOne('name: 7').theme).toBeUndefined();
  });
});

describe('images', () => {
  const hosts = { allowed_hosts: ['cdn.example'] };

  it.each([
    ['a.svg', 'a.svg'],
    ['./a.svg', 'a.svg'],
    ['././b/c d.svg', 'b/c d.svg'],
    ['..a.svg', '..a.svg'],
    ['a..b/...c', 'a..b/...c'],
  ])('%j is a path', (value, path) => {
    expect(resolveOne(`logo: ${JSON.stringify(value)}`).theme?.images.logo).toMatchObject({ slug: 'a', path });
  });

  it.each([
    ...'/a.svg ../a.svg b/../a.svg b/.. b//a.svg b/./a.svg b/ . .. ./'.split(' '),
    'b\\a.svg',
    'c:a.svg',
    'C:/a.svg',
  ])('%j is none', (value) => {
    const { theme, found } = resolveOne(`logo: ${JSON.stringify(value)}`);
    expect(found.map((line) => line.slice(0, 15))).toEqual(['image/path 1:7 ']);
    expect(theme).toBeUndefined();
  });

  it.each(['https://cdn.example/a.svg', 'https://cdn.example/', 'https://cdn.example/a?b=c#d'])(
    '%s is a URL that may be published',
    (url) => {
      expect(resolveOne(`logo: ${url}`, hosts).theme?.images.logo).toMatchObject({ url, thumbnailUrl: undefined });
    },
  );

  const insecure = (url: string, hint: string): string =>
    `image/url-insecure 1:7 The image URL \`${url}\` is not a plain https URL. ${hint}`;
  const PLAIN =
    'Put the image beside the file, or write it as https://host/path, without a user name or port, and list the host under `allowed_hosts` in site.yaml.';

  it.each([
    ['http://cdn.example/a', PLAIN],
    ['HTTP://cdn.example/a', PLAIN],
    ['//cdn.example/a', PLAIN],
    ['https://', PLAIN],
    ['https://u@cdn.example/a', PLAIN],
    ['https://:p@cdn.example/a', PLAIN],
    ['https://cdn.example:8443/a', PLAIN],
    ['data:image/png,x', PLAIN],
    ['a+b-c.1:x', PLAIN],
    ['https://cdn.example', 'Write `https://cdn.example/`.'],
    ['https://cdn.example:443/a', 'Write `https://cdn.example/a`.'],
    ['HTTPS://CDN.example/a', 'Write `https://cdn.example/a`.'],
    ['https://cdn.example/a/../b', 'Write `https://cdn.example/b`.'],
  ])('%s is none', (url, hint) => {
    const { theme, found } = resolveOne(`logo: ${JSON.stringify(url)}`, hosts);
    expect([theme, found]).toEqual([undefined, [insecure(url, hint)]]);
  });

  it('need a thumbnail where one is published', () => {
    expect(resolveOne('logo_site: https://cdn.example/a', hosts).found).toEqual([
      'image/url-thumbnail 1:12 The field `logo_site` needs a thumbnail, and none can be made from a URL. Write `logo_site: {original: URL, thumbnail: URL}`, or put the image beside the file.',
    ]);
    const both = 'logo_site: {original: https://cdn.example/a, thumbnail: https://cdn.example/b}';
    expect(resolveOne(both, hosts).theme?.images.logo_site).toEqual({
      url: 'https://cdn.example/a',
      thumbnailUrl: 'https://cdn.example/b',
      location: expect.objectContaining({ start: { line: 1, column: 12 } }) as unknown,
    });
    expect(resolveOne(both).found.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['image/url-host', '1:23'],
      ['image/url-host', '1:57'],
    ]);
  });

  it('reports both URLs, and that a path is enough', () => {
    const file =
      'Write both as https URLs, or refer to one image beside this file, like `logo_site: logo.svg`, and the build makes the thumbnail.';
    expect(resolveOne('logo_site: {original: a.svg, thumbnail: //cdn.example/b}', hosts).found).toEqual([
      `image/url-insecure 1:23 The image URL \`a.svg\` is not a plain https URL. ${file}`,
      `image/url-insecure 1:41 The image URL \`//cdn.example/b\` is not a plain https URL. ${PLAIN}`,
    ]);
    expect(
      resolveOne('logo_site: {original: https://cdn.example/a, thumbnail: http://cdn.example/b}', hosts),
    ).toMatchObject({
      theme: undefined,
      found: [`image/url-insecure 1:57 The image URL \`http://cdn.example/b\` is not a plain https URL. ${PLAIN}`],
    });
  });

  it('are reported once, for the theme that refers to them', () => {
    const { themes, found } = resolve([
      ['a', 'extends: b\n'],
      ['b', WHOLE.replace('logo: a.svg', 'logo: ../a.svg')],
    ]);
    expect([themes, found]).toEqual([[], ['image/path b.yaml:4']]);
  });
});

describe('themes together', () => {
  const set = (texts: readonly string[], folders = texts.length): string[] => {
    const slugs = Array.from({ length: folders }, (_, at) => `t${at}`);
    return resolved(
      texts.map((text, at) => [`t${at}`, text]),
      SITE,
      slugs,
    )
      .found.filter(({ code }) => code.startsWith('theme/'))
      .map(({ code, message, hint, location: { file, start } }) => `${file}:${start?.line} ${code} ${message} ${hint}`);
  };

  it('come in the order of their ids', () => {
    const { themes } = resolve([
      ['a', WHOLE],
      ['b', 'extends: a\n'],
      ['c', 'extends: a\n'],
    ]);
    expect(themes.map(({ slug }) => slug)).toEqual(['a', 'b', 'c']);
    const ids = ['id: 9\nis_default: true\n', 'id: 10\n', 'id: 2\n'];
    const { themes: sorted } = resolved(ids.map((id, at) => [`t${at}`, id + WHOLE.replace(/is_default.*\n/, '')]));
    expect(sorted.map(({ id }) => id)).toEqual([2, 9, 10]);
  });

  it('have one default', () => {
    expect(set(['id: 1', 'id: 2\nis_default: true', 'id: 3\nis_default: true', 'is_default: true'])).toEqual([
      't2.yaml:2 theme/second-default `is_default: true` is already set in `t1.yaml:2`. Only one theme can be the default: delete the line in all others.',
      't3.yaml:1 theme/second-default `is_default: true` is already set in `t1.yaml:2`. Only one theme can be the default: delete the line in all others.',
    ]);
    const none =
      't0.yaml:1 theme/no-default No theme has `is_default: true`. Write `is_default: true` in the theme for anonymous and unknown visitors.';
    expect(set(['id: 1', 'id: 2\nis_default: false'])).toEqual([none]);
    expect(set(['id: 1', 'id: 2\nis_default: yes'])).toEqual([]); // wrong, and reported
    expect(set(['id: 1', 'id: 2'], 3)).toEqual([]); // the unreadable theme may be the default
    expect(set([], 0)).toEqual([]);
  });

  it('extend an existing theme other than themselves', () => {
    expect(set(['id: 1\nis_default: true\nextends: t9', 'id: 2\nextends: t1', 'id: 3\nextends: zebra'])).toEqual([
      't0.yaml:3 theme/extends-unknown There is no theme `t9` to extend. Did you mean `t0`?',
      't1.yaml:2 theme/extends-cycle The themes extend each other in a cycle: `t1 → t1`. Delete `extends` in one of them.',
      't2.yaml:2 theme/extends-unknown There is no theme `zebra` to extend. Write the folder name of another theme.',
    ]);
    // t0 only leads into the cycle.
    expect(set(['is_default: true\nextends: t1', 'extends: t2', 'extends: t1'])).toEqual([
      't2.yaml:1 theme/extends-cycle The themes extend each other in a cycle: `t1 → t2 → t1`. Delete `extends` in one of them.',
    ]);
    // The folder exists, but its theme.yaml is unreadable.
    expect(set(['is_default: true\nextends: t1'], 2)).toEqual([]);
  });

  it('inherit nothing through a broken chain, and report no missing fields', () => {
    expect(noId(['t0', 'id: 1\nis_default: true\nextends: 7\n'], ['t1', 'id: 2\nextends: t0\n'])).toEqual([
      'field/type t0.yaml: The field `extends` must be text, but it is the number `7`.',
    ]);
  });
});

const chain = (length: number, last: string): [string, string][] =>
  Array.from({ length }, (_, at) => [`t${at}`, at + 1 < length ? `extends: t${at + 1}\n` : last]);

describe('extends', () => {
  it('inherits a field from the nearest theme that has it, with its images', () => {
    const { themes, found } = resolve([
      ['a', 'extends: b\nname: A\n'],
      ['b', 'extends: c\nlogo: b.svg\nlogo_height: 50\n'],
      ['c', WHOLE],
    ]);
    expect(found).toEqual([]);
    const [a] = themes;
    expect([a?.name, a?.settings.logo_height, a?.is_default]).toEqual(['A', 50, false]);
    expect([a?.images.logo, a?.images.favicon]).toMatchObject([
      { slug: 'b', path: 'b.svg' },
      { slug: 'c', path: 'a.png' },
    ]);
  });

  it('reports an error where it is written, and only there', () => {
    expect(
      resolve([
        ['a', 'extends: b\n'],
        ['b', `${WHOLE}logo_hight: 3\n`.replace('name: Base', 'name: 7')],
      ]).found,
    ).toEqual(['field/type b.yaml:2', 'field/unknown b.yaml:15']);
  });

  it('follows chains of thousands of themes', () => {
    const { themes, found } = resolve(chain(5000, WHOLE));
    expect(found).toEqual([]);
    expect(themes).toHaveLength(5000);
    expect(themes[0]).toMatchObject({ slug: 't0', name: 'Base', images: { logo: { slug: 't4999' } } });
  });

  it('reports a circle of thousands once, and a broken chain where it breaks', () => {
    expect(resolve([...chain(3000, 'extends: t5\n'), ['z', WHOLE]]).found).toEqual([
      'theme/extends-cycle t2999.yaml:2',
    ]);
    expect(resolve([...chain(3000, 'extends: nowhere\n'), ['z', WHOLE]]).found).toEqual([
      'theme/extends-unknown t2999.yaml:2',
    ]);
  });
});
