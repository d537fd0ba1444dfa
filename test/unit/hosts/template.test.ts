import { describe, expect, it } from 'vitest';
import { fill } from '../../../src/hosts/template.ts';

describe('fill', () => {
  it.each([
    ['a hole', 'to {{place}}.', 'to sea.'],
    ['a value that looks like a hole', '{{odd}}', '{{place}} $& {{#yes}}'],
    ['a section in a line', 'a{{#yes}}, {{place}}{{/yes}}{{#no}} no{{/no}}{{^no}} else{{/no}}', 'a, sea else'],
    ['a section on lines of its own', 'a\n{{#yes}}\nb\n{{/yes}}\n{{#no}}\nc\n{{/no}}\nd\n', 'a\nb\nd\n'],
    ['a list', '{{#list}}\n- {{item}} at {{place}}\n{{/list}}\n', '- x at sea\n- y at sea\n'],
    ['a list of texts', '{{#texts}}\n- {{.}} at {{place}}\n{{/texts}}\n', '- x at sea\n- y at sea\n'],
    ['an empty list', '{{#none}}x{{/none}}{{^none}}nothing{{/none}}', 'nothing'],
    ['whether a list has anything', '{{#has_list}}yes{{/has_list}}{{#has_none}}no{{/has_none}}', 'yes'],
    ['a section within another', '{{#yes}}\n{{#list}}\n{{item}}\n{{/list}}\n{{/yes}}\n', 'x\ny\n'],
  ])('fills %s', (_, template, text) => {
    const list = [{ item: 'x' }, { item: 'y' }];
    const view = {
      place: 'sea',
      odd: '{{place}} $& {{#yes}}',
      yes: true,
      no: false,
      list,
      texts: ['x', 'y'],
      none: [],
    };
    expect(fill(template, view)).toBe(text);
  });

  it.each(['{{who}}', '{{#who}}x{{/who}}', '{{#has_who}}x{{/has_who}}'])(
    'throws for %s without a value',
    (template) => {
      expect(() => fill(template, {})).toThrow('who');
    },
  );
});
