import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ValidFields, validateFields } from '../../../src/source/validate.ts';
import { parseYaml } from '../../../src/source/yaml.ts';
import { findings } from '../collect.ts';

const SHAPE = {
  name: z.string().min(2).max(5).optional(),
  size: z.int().min(1).max(9).optional(),
  flag: z.boolean().optional(),
  kind: z.enum(['one', 'two']).optional(),
  group: z.strictObject({ left: z.string(), right: z.int().default(3) }).optional(),
  picture: z
    .union([z.string(), z.strictObject({ original: z.string(), thumbnail: z.string() })], {
      error: 'a path or two URLs',
    })
    .optional(),
  rules: z
    .array(z.union([z.strictObject({ cookie: z.string() }), z.strictObject({ header: z.string(), by: z.string() })]))
    .optional(),
} as const;

function validate(text: string): { result: ValidFields<typeof SHAPE> | undefined; diagnostics: string[] } {
  let result: ValidFields<typeof SHAPE> | undefined;
  const diagnostics = findings((report) => {
    const document = parseYaml('a.yaml', text, report);
    if (document !== undefined) result = validateFields(SHAPE, document, report);
  });
  return {
    result,
    diagnostics: diagnostics.map(
      ({ code, message, location: { start } }) => `${code} ${start?.line}:${start?.column} ${message}`,
    ),
  };
}

const MORE = {
  ...SHAPE,
  list: z.array(z.string()).max(2).optional(),
  nested: z.strictObject({ on: z.union([z.string(), z.int()], { error: 'a path or two URLs' }) }).optional(),
} as const;

const unit = (value: string, hint: string): string =>
  `The field \`size\` must be a whole number without a unit or quotes, but it is the text \`${value}\`. ${hint}`;
const mustBeWhole = (value: string): string =>
  `The field \`size\` must be a whole number, but it is the text \`${value}\`. Write digits only, like \`40\`.`;

describe('validateFields', () => {
  it('returns valid fields although others are invalid', () => {
    const { result, diagnostics } = validate('name: abc\nsize: 10\ngroup: {left: x}\n');
    expect(result?.values).toEqual({ name: 'abc', group: { left: 'x', right: 3 } });
    expect([...(result?.invalid ?? [])]).toEqual(['size']);
    expect(diagnostics).toEqual(['field/range 2:7 The field `size` is `10`, but it must be at most 9.']);
  });

  it('marks the field that a misspelt one probably meant', () => {
    const { result, diagnostics } = validate('nmae: abc\nother_thing: 1\n');
    expect([...(result?.invalid ?? [])]).toEqual(['name']);
    expect(diagnostics).toEqual([
      'field/unknown 1:1 Unknown field `nmae`.',
      'field/unknown 2:1 Unknown field `other_thing`.',
    ]);
  });

  it('ignores properties of the prototype', () => {
    expect(validate('constructor: 1\n__proto__: 2\n').diagnostics).toHaveLength(2);
  });

  it('looks into groups', () => {
    expect(validate('group:\n  right: x\n').diagnostics).toEqual([
      'field/missing 1:1 The field `group.left` is missing.',
      'field/type 2:10 The field `group.right` must be a whole number, but it is the text `x`.',
    ]);
    expect(validate('group: {lefft: x}\n').diagnostics).toEqual(['field/unknown 1:9 Unknown field `group.lefft`.']);
    expect(validate('group: {left: x, middle: y}\n').diagnostics).toEqual([
      'field/unknown 1:18 Unknown field `group.middle`.',
    ]);
  });

  it('tells which branch of a union was meant', () => {
    expect(validate('picture: {original: a}\n').diagnostics).toEqual([
      'field/missing 1:1 The field `picture.thumbnail` is missing.',
    ]);
    expect(validate('picture: [a]\n').diagnostics).toEqual([
      'field/type 1:10 The field `picture` must be a path or two URLs, but it is a list.',
    ]);
    expect(validate('rules:\n  - {header: x}\n  - {cooky: y}\n').diagnostics).toEqual([
      'field/missing 2:5 The field `rules[0].by` is missing.',
      'field/unknown 3:6 Unknown field `rules[1].cooky`.',
    ]);
  });

  it('does not report a value twice', () => {
    expect(validate('name: 007\n').diagnostics).toEqual(['yaml/number-format 1:7 YAML reads `007` as the number 7.']);
    expect(validate('name: *x\ngroup: {left: *y}\n').diagnostics.map((line) => line.split(' ')[0])).toEqual([
      'yaml/anchor',
      'yaml/anchor',
    ]);
    expect([...(validate('name: *x\n').result?.invalid ?? [])]).toEqual(['name']);
    expect(validate('"nam\\u200b": abc\n"\\u0007": 1\n').diagnostics.map((line) => line.split(' ')[0])).toEqual([
      'file/character',
      'file/character',
    ]);
    expect(validate('&a other: abc\n').diagnostics.map((line) => line.split(' ')[0])).toEqual(['yaml/anchor']);
  });

  // Fixtures field.* contain all other diagnostics of fields.
  it.each([
    ['flag: true', undefined],
    ['size: 4.0', undefined],
    ['flag: YES', 'The field `flag` must be `true` or `false`, but it is the text `YES`. Write `flag: true`.'],
    ['flag: " y "', 'The field `flag` must be `true` or `false`, but it is the text `y`. Write `flag: true`.'],
    ['flag: yess', 'The field `flag` must be `true` or `false`, but it is the text `yess`. Write `true` or `false`.'],
    ['size: 4 seconds', unit('4 seconds', 'Write `size: 4`.')],
    ['size: -4px', unit('-4px', 'Write `size: -4`.')],
    ['size: 4.01px', unit('4.01px', 'Write the length in pixels, as a number alone.')],
    ['size: 50%', unit('50%', 'Write the length in pixels, as a number alone.')],
    ['size: 4 seconds4', mustBeWhole('4 seconds4')],
    ['size: 4 abcdefgh', mustBeWhole('4 abcdefgh')],
    ['size: 4 abcdefg', unit('4 abcdefg', 'Write the length in pixels, as a number alone.')],
    ['size: "4."', mustBeWhole('4.')],
    ['size: ""', mustBeWhole('')],
    [
      'name:\n  a: b',
      'The field `name` must be text, but it is a group of `field: value` lines. Write one value, on the same line.',
    ],
    ['kind: zebra', 'The field `kind` is `zebra`, but it must be `one` or `two`. Use one of these.'],
    ['list: [a, b, c]', 'The field `list` is 3 entries long, but it must have at most 2 entries. Keep 2 of them.'],
    ['group: {left: x, zebra: 1}', 'Unknown field `group.zebra`. The fields here are `left` and `right`.'],
    ['group: {}', 'The field `group.left` is missing. Add `left: …`; it must be text.'],
    ['rules: [{}]', 'The field `rules[0].cookie` is missing. Add `cookie: …`; it must be text.'],
    ['nested: {}', 'The field `nested.on` is missing. Add `on: …`; it must be a path or two URLs.'],
  ])('%s', (text, expected) => {
    const diagnostics = findings((report) => {
      const document = parseYaml('a.yaml', text, report);
      if (document !== undefined) validateFields(MORE, document, report);
    });
    expect(diagnostics.map(({ message, hint }) => `${message} ${hint}`)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it('does not report a field as missing that is probably misspelt', () => {
    const { diagnostics } = validate(
      'group: {left: x, right: 1, middle: y}\nrules: [{cooky: 1}, {header: 1, yb: 2}]\n',
    );
    expect(diagnostics).toEqual([
      'field/unknown 1:28 Unknown field `group.middle`.',
      'field/unknown 2:10 Unknown field `rules[0].cooky`.',
      'field/type 2:30 The field `rules[1].header` must be text, but it is the number `1`.',
      'field/unknown 2:33 Unknown field `rules[1].yb`.',
    ]);
  });

  it('takes the branch of a union that knows most of the fields', () => {
    expect(validate('rules: [{header: a, bye: b, zz: 1}]\n').diagnostics).toEqual([
      'field/unknown 1:21 Unknown field `rules[0].bye`.',
      'field/unknown 1:29 Unknown field `rules[0].zz`.',
    ]);
  });
});
