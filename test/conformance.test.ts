import { Ajv, type ValidateFunction } from 'ajv';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../src/build/build.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';
import { PALETTE } from './theme-yaml.js';

/*
 * The facts of the interface document (version 2), §2 and §4, written by hand: this file imports nothing from src but the
 * build itself, so that an error there cannot make its own test pass.
 */

const ABSOLUTE_URL = '^https?://[^/\\s?#]+/[^\\s?#]*$';
const url = { type: 'string', pattern: ABSOLUTE_URL };
const text = { type: 'string', minLength: 1 };
const integer = { type: 'integer' };

function imageSet(thumbnail: string): object {
  return {
    type: 'object',
    properties: {
      original: url,
      thumbnail: { type: 'string', allOf: [{ pattern: ABSOLUTE_URL }, { pattern: thumbnail }] },
    },
    required: ['original', 'thumbnail'],
    additionalProperties: false,
  };
}

const LOGO_SET = imageSet('250x250');
const BANNER_SET = imageSet('2200x2200-80');

/** §2, the table: every field in its order. */
const FIELDS: Record<string, object> = {
  id: integer,
  name: text,
  favicon: url,
  logo: url,
  logo_inverse: url,
  compact_logo: url,
  compact_logo_inverse: url,
  logo_site: LOGO_SET,
  light_mode_logo_type: text,
  dark_mode_logo_type: text,
  logo_alignment: text,
  logo_height: integer,
  logo_margin_left: integer,
  logo_margin_top: integer,
  compact_light_mode_logo_type: text,
  compact_dark_mode_logo_type: text,
  compact_logo_size: integer,
  default_group_banner: BANNER_SET,
  default_event_banner: BANNER_SET,
  default_user_profile_banner: BANNER_SET,
  is_default: { type: 'boolean' },
  palette_preview: {},
};

const HSL =
  '^hsl\\((?:[0-9]|[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|360),(?:[0-9]|[1-9][0-9]|100)%,(?:[0-9]|[1-9][0-9]|100)%\\)$';
const NINE_COLOURS = { type: 'array', items: { type: 'string', pattern: HSL }, minItems: 9, maxItems: 9 };
const NO_COLOURS = { type: 'array', maxItems: 0 };

/** §2, rule 1: all fields are present. */
function record(palette_preview: object): object {
  return {
    type: 'object',
    properties: { ...FIELDS, palette_preview },
    required: Object.keys(FIELDS),
    additionalProperties: false,
  };
}

/** §4: the list is an array of themes, the config one theme. */
const LIST_SCHEMA = { type: 'array', items: record(NINE_COLOURS), minItems: 1 };
const CONFIG_SCHEMA = record(NO_COLOURS);

type Json = Record<string, unknown>;

let site: SiteFolder;
let files: Map<string, string>;
let isList: ValidateFunction;
let isConfig: ValidateFunction;

const SLUGS = ['aurora', 'basalt', 'cirrus'];
const HOSTED = 'https://images.example.org/logo_site.original.png';

beforeAll(async () => {
  const ajv = new Ajv({ allErrors: true });
  isList = ajv.compile(LIST_SCHEMA);
  isConfig = ajv.compile(CONFIG_SCHEMA);
  site = await makeSite({
    site: { base_url: 'https://example.org/my/community/', allowed_hosts: ['images.example.org'] },
    themes: {
      // Ids whose order differs from that of the folders, and from the order of strings.
      aurora: { fields: { id: 30, name: 'Aurora “ø” 極光 <&>' } },
      basalt: {
        fields: {
          id: 4,
          is_default: true,
          light_mode_logo_type: 'INVERSE',
          logo_alignment: 'center',
          logo_height: 12,
          logo_margin_left: 7,
          logo_site: { original: HOSTED, thumbnail: HOSTED.replace('original', '250x250') },
        },
      },
      cirrus: {
        fields: {
          id: 111,
          is_default: undefined,
          extends: 'basalt',
          palette_preview: undefined,
          logo_height: undefined,
        },
      },
    },
  });
  await writeAurora(site);
  const { diagnostics } = await build(site);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const names = ['index', 'config/index', ...SLUGS.map((slug) => `config/${slug}`)];
  const read = (name: string) => readFile(path.join(site.outDir, `api/v2/theme/${name}.json`), 'utf8');
  files = new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
});

/** The first folder is the default theme of `makeSite`; here it is another. */
async function writeAurora({ themesDir }: SiteFolder): Promise<void> {
  const file = path.join(themesDir, 'aurora/theme.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('is_default: true', 'is_default: false'));
}

afterAll(() => removeSite(site));

const parsed = (name: string): Json => JSON.parse(files.get(name) ?? '') as Json;
const parsedList = (): Json[] => JSON.parse(files.get('index') ?? '') as Json[];

describe('LIST', () => {
  test('is an array of theme records', () => {
    expect(isList(parsed('index')), JSON.stringify(isList.errors, null, 1)).toBe(true);
  });

  test('has every theme, by ascending id', () => {
    expect(parsedList().map(({ id }) => id)).toEqual([4, 30, 111]);
  });

  test('has the fields and the parts of image sets in the order of the interface', () => {
    for (const theme of parsedList()) {
      expect(Object.keys(theme)).toEqual(Object.keys(FIELDS));
      for (const field of ['logo_site', 'default_group_banner', 'default_event_banner', 'default_user_profile_banner'])
        expect(Object.keys(theme[field] as Json)).toEqual(['original', 'thumbnail']);
    }
  });

  test('has one default theme', () => {
    expect(parsedList().map(({ is_default }) => is_default)).toEqual([true, false, false]);
  });

  test('has authored, inherited and default values', () => {
    const [basalt, aurora, cirrus] = parsedList();
    expect(aurora).toMatchObject({
      name: 'Aurora “ø” 極光 <&>',
      light_mode_logo_type: 'NORMAL',
      logo_alignment: 'left',
      logo_height: 40,
      palette_preview: PALETTE.published,
    });
    const written = { light_mode_logo_type: 'INVERSE', logo_alignment: 'center', logo_height: 12, logo_margin_left: 7 };
    expect(basalt).toMatchObject({
      ...written,
      logo_site: { original: HOSTED, thumbnail: 'https://images.example.org/logo_site.250x250.png' },
    });
    expect(cirrus).toMatchObject({ ...written, name: 'cirrus', palette_preview: PALETTE.published });
  });

  test('names images below the base URL', () => {
    const [, aurora] = parsedList();
    expect(aurora?.['favicon']).toMatch(
      /^https:\/\/example\.org\/my\/community\/media\/aurora\/favicon\.[0-9a-f]{16}\.png$/,
    );
  });
});

describe('CONFIG', () => {
  test.each(['config/index', ...SLUGS.map((slug) => `config/${slug}`)])(
    '%s is one theme record without colours',
    (name) => {
      expect(isConfig(parsed(name)), JSON.stringify(isConfig.errors, null, 1)).toBe(true);
      expect(Object.keys(parsed(name))).toEqual(Object.keys(FIELDS));
    },
  );

  test('is the record of the list without its palette', () => {
    const byName = new Map(parsedList().map((theme) => [theme['id'], theme]));
    for (const slug of SLUGS) {
      const config = parsed(`config/${slug}`);
      expect({ ...byName.get(config['id']), palette_preview: [] }).toEqual(config);
    }
    expect(parsed('config/index')['id']).toBe(4);
  });
});

test('documents are compact: no white space between tokens, no newline at the end, no needless escape', () => {
  for (const [name, document] of files) {
    expect(document, name).toBe(JSON.stringify(JSON.parse(document)));
    expect(document.replace(/"(?:[^"\\]|\\.)*"/g, '""'), name).not.toMatch(/\s/);
  }
  expect(files.get('index')).toContain('Aurora “ø” 極光 <&>');
});

test('the schemas reject invalid documents', () => {
  const theme = parsed('config/basalt');
  const wrong = [
    { ...theme, id: '4' },
    { ...theme, id: 4.5 },
    { ...theme, logo: null },
    { ...theme, logo: '/media/logo.png' },
    { ...theme, extra: 1 },
    { ...theme, palette_preview: PALETTE.published },
    { ...theme, logo_site: { original: HOSTED, thumbnail: HOSTED } },
    Object.fromEntries(Object.entries(theme).slice(1)),
    [theme],
  ];
  expect(wrong.filter((document) => isConfig(document))).toEqual([]);
  const listed = { ...theme, palette_preview: PALETTE.published };
  expect(isList([listed])).toBe(true);
  for (const colour of ['hsl(1, 2%, 3%)', 'hsl(1.5,2%,3%)', 'hsl(361,2%,3%)', '#ff0000', 'hsla(1,2%,3%,1)'])
    expect(isList([{ ...listed, palette_preview: [colour, ...PALETTE.published.slice(1)] }])).toBe(false);
});
