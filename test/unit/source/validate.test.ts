import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Validated, validateFields } from '../../../src/source/validate.ts';
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

function validate(text: string): { result: Validated<typeof SHAPE> | undefined; found: string[] } {
  let result: Validated<typeof SHAPE> | undefined;
  const found = findings((report) => {
    const document = parseYaml('a.yaml', text, report);
    if (document !== undefined) result = validateFields(SHAPE, document, report);
  });
  return {
    result,
    found: found.map(({ code, message, location: { start } }) => `${code} ${start?.line}:${start?.column} ${message}`),
  };
}

describe('validateFields', () => {
  it('gives the fields that are right, though others are wrong', () => {
    const { result, found } = validate('name: abc\nsize: 10\ngroup: {left: x}\n');
    expect(result?.values).toEqual({ name: 'abc', group: { left: 'x', right: 3 } });
    expect([...(result?.claimed ?? [])]).toEqual(['size']);
    expect(found).toEqual(['field/range 2:7 The field `size` is `10`, but it must be at most 9.']);
  });

  it('claims the field that a misspelt one was meant to be', () => {
    const { result, found } = validate('nmae: abc\nother_thing: 1\n');
    expect([...(result?.claimed ?? [])]).toEqual(['name']);
    expect(found).toEqual([
      'field/unknown 1:1 Unknown field `nmae`.',
      'field/unknown 2:1 Unknown field `other_thing`.',
    ]);
  });

  it('knows no field of the prototype', () => {
    expect(validate('constructor: 1\n__proto__: 2\n').found).toHaveLength(2);
  });

  it('looks into groups', () => {
    expect(validate('group:\n  right: x\n').found).toEqual([
      'field/missing 1:1 The field `group.left` is missing.',
      'field/type 2:10 The field `group.right` must be a whole number, but it is the text `x`.',
    ]);
    expect(validate('group: {lefft: x}\n').found).toEqual(['field/unknown 1:9 Unknown field `group.lefft`.']);
    expect(validate('group: {left: x, middle: y}\n').found).toEqual([
      'field/unknown 1:18 Unknown field `group.middle`.',
    ]);
  });

  it('tells which branch of a union was meant', () => {
    expect(validate('picture: {original: a}\n').found).toEqual([
      'field/missing 1:1 The field `picture.thumbnail` is missing.',
    ]);
    expect(validate('picture: [a]\n').found).toEqual([
      'field/type 1:10 The field `picture` must be a path or two URLs, but it is a list.',
    ]);
    expect(validate('rules:\n  - {header: x}\n  - {cooky: y}\n').found).toEqual([
      'field/missing 2:5 The field `rules[0].by` is missing.',
      'field/unknown 3:6 Unknown field `rules[1].cooky`.',
    ]);
  });

  it('says nothing of a value that was reported already', () => {
    expect(validate('name: 007\n').found).toEqual(['yaml/number-format 1:7 YAML reads `007` as the number 7.']);
    expect(validate('name: *x\ngroup: {left: *y}\n').found.map((line) => line.split(' ')[0])).toEqual([
      'yaml/anchor',
      'yaml/anchor',
    ]);
  });

  it.each([
    ['flag: yes', 'field/yes-no', 'Write `flag: true`.'],
    ['flag: Off', 'field/yes-no', 'Write `flag: false`.'],
    ['flag: 1', 'field/type', 'Write `true` or `false`.'],
    ['size: 4px', 'field/unit', 'Write `size: 4`.'],
    ['size: "4"', 'field/unit', 'Write `size: 4`.'],
    ['size: 4.0', undefined, undefined],
    ['size: 4em', 'field/unit', 'Write the length in pixels, as a bare number.'],
    ['size: 4.5px', 'field/unit', 'Write the length in pixels, as a bare number.'],
    ['size:', 'field/type', 'Write a value after the colon or dash, or delete the line.'],
    ['name: 42', 'field/type', 'Put it in quotes: "42"'],
    ['name: [a]', 'field/type', 'Write one value; put it in quotes if it starts with a bracket.'],
    ['kind: tow', 'field/value', 'Did you mean `two`?'],
    ['kind: 1', 'field/type', 'Put it in quotes: "1"'],
  ])('%s', (text, code, hint) => {
    const [found] = findings((report) => {
      const document = parseYaml('a.yaml', text, report);
      if (document !== undefined) validateFields(SHAPE, document, report);
    });
    expect([found?.code, found?.hint]).toEqual([code, hint]);
  });

  it('counts characters and entries', () => {
    expect(validate('name: ""\n').found).toEqual([
      'field/range 1:7 The field `name` is empty, but it must be at least 2 characters long.',
    ]);
    expect(validate('name: abcdef\n').found).toEqual([
      'field/range 1:7 The field `name` is 6 characters long, but it must be at most 5 characters long.',
    ]);
  });
});
