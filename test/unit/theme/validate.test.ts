import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/source/yaml.ts';
import { SITE_DEFAULTS } from '../../../src/theme/site.ts';
import type { ThemeSource } from '../../../src/theme/theme-source.ts';
import { validateTheme } from '../../../src/theme/validate.ts';
import { PALETTE, yamlOf } from '../../theme-yaml.js';
import { findings } from '../collect.ts';

const SITE = { ...SITE_DEFAULTS, base_url: 'https://a.example', media_url: 'https://a.example/media' };

function validate(text: string, site = SITE): { theme: ThemeSource | undefined; found: string[] } {
  let theme: ThemeSource | undefined;
  const found = findings((report) => {
    const document = parseYaml('theme.yaml', text, report);
    if (document !== undefined) theme = validateTheme('harbor', document, site, report);
  });
  return {
    theme,
    found: found.map(
      ({ code, message, hint, location: { start } }) =>
        `${code} ${start?.line}:${start?.column} ${message}${hint === undefined ? '' : ` ${hint}`}`,
    ),
  };
}

const red = (count: number): string => `palette_preview: [${Array.from({ length: count }, () => 'red').join(', ')}]\n`;

describe('validateTheme', () => {
  it('gives the fields as they are, but the palette in its published form', () => {
    const { theme, found } = validate(`name: A\nlogo: a.svg\n${yamlOf({ palette_preview: PALETTE.authored })}`);
    expect(found).toEqual([]);
    expect(theme).toMatchObject({
      slug: 'harbor',
      fields: { name: 'A', logo: 'a.svg', palette_preview: PALETTE.published },
    });
    expect([...(theme?.invalid ?? [])]).toEqual([]);
  });

  it.each([
    ['light_mode_logo_type', 'logo_types'],
    ['dark_mode_logo_type', 'logo_types'],
    ['compact_light_mode_logo_type', 'logo_types'],
    ['compact_dark_mode_logo_type', 'logo_types'],
  ] as const)('takes for %s what the site lists', (field, listedAt) => {
    expect(validate(`${field}: INVERSE\n`).theme?.fields).toEqual({ [field]: 'INVERSE' });
    expect(validate(`${field}: MONO\n`, { ...SITE, [listedAt]: ['MONO'] }).theme?.fields).toEqual({ [field]: 'MONO' });
    const { theme, found } = validate(`${field}: left\n`);
    expect(found).toEqual([
      `field/value 1:${field.length + 3} The field \`${field}\` is \`left\`, but it must be \`NORMAL\` or \`INVERSE\`. To accept more values, list them under \`logo_types\` in site.yaml.`,
    ]);
    expect([theme?.fields, [...(theme?.invalid ?? [])]]).toEqual([{}, [field]]);
  });

  it('takes for logo_alignment what the site lists', () => {
    expect(validate('logo_alignment: center\n').theme?.fields).toEqual({ logo_alignment: 'center' });
    expect(validate('logo_alignment: rihgt\n').found).toEqual([
      'field/value 1:17 The field `logo_alignment` is `rihgt`, but it must be `left`, `center` or `right`. Did you mean `right`?',
    ]);
    expect(validate('logo_alignment: NORMAL\n').found).toEqual([
      'field/value 1:17 The field `logo_alignment` is `NORMAL`, but it must be `left`, `center` or `right`. To accept more values, list them under `logo_alignments` in site.yaml.',
    ]);
  });

  it.each([
    [0, 'The palette has 0 colours; it must have 9. Add 9 more.'],
    [8, 'The palette has 8 colours; it must have 9. Add 1 more.'],
    [10, 'The palette has 10 colours; it must have 9. Delete 1.'],
  ])('wants nine colours, not %i', (count, message) => {
    const { theme, found } = validate(`is_default: true\n${red(count)}`);
    expect(found).toEqual([`palette/count 2:1 ${message}`]);
    expect([theme?.fields, [...(theme?.invalid ?? [])]]).toEqual([{ is_default: true }, ['palette_preview']]);
  });

  it('reports each invalid colour at its place', () => {
    const { theme, found } = validate(
      'palette_preview: [nvay, "0b5fff", "fff", "0b5ff", "xfff0", currentcolor, "#fff8", red, red]\n',
    );
    expect(found).toEqual([
      'palette/colour 1:19 `nvay` is not a CSS colour. Did you mean "navy"?',
      'palette/colour 1:25 `0b5fff` is not a CSS colour. Did you mean "#0b5fff"?',
      'palette/colour 1:35 `fff` is not a CSS colour. Did you mean "#fff"?',
      'palette/colour 1:42 `0b5ff` is not a CSS colour. Write it like "#0b5fff", "hsl(219,100%,52%)", "oklch(0.6 0.2 260)" or navy.',
      'palette/colour 1:51 `xfff0` is not a CSS colour. Write it like "#0b5fff", "hsl(219,100%,52%)", "oklch(0.6 0.2 260)" or navy.',
      'palette/not-fixed 1:60 The colour `currentcolor` has no fixed value outside a page. Write the colour itself, like "#0b5fff".',
      'palette/alpha 1:74 The colour `#fff8` is not opaque, but palette colours must be. Write the opaque colour that it produces on its background.',
    ]);
    expect([theme?.fields, [...(theme?.invalid ?? [])]]).toEqual([{}, ['palette_preview']]);
  });

  it('checks the colours of a list in which other things stand too', () => {
    expect(validate('palette_preview: [1, nope, red, red, red, red, red, red, red]\n').found).toEqual([
      'field/type 1:19 The field `palette_preview[0]` must be text, but it is the number `1`. Put it in quotes: "1"',
      'palette/colour 1:22 `nope` is not a CSS colour. Write it like "#0b5fff", "hsl(219,100%,52%)", "oklch(0.6 0.2 260)" or navy.',
    ]);
    const { theme } = validate('palette_preview: [1, red, red, red, red, red, red, red, red]\n');
    expect([theme?.fields, [...(theme?.invalid ?? [])]]).toEqual([{}, ['palette_preview']]);
  });

  it('does not count the colours of a list that YAML parses differently', () => {
    expect(validate('palette_preview: &a [red]\n').found).toEqual([
      expect.stringMatching(/^yaml\/anchor 1:18 /) as unknown as string,
    ]);
  });

  it('leaves a palette that is no list to one finding', () => {
    expect(validate('palette_preview: red\n').found).toEqual([
      'field/type 1:18 The field `palette_preview` must be a list, but it is the text `red`. Write a list: each entry on a line of its own, after two spaces and `- `.',
    ]);
  });
});
