import { expect, it } from 'vitest';
import { fill } from '../../../src/hosts/adapter/template.ts';

// Golden files show how templates are filled; these tests are about missing values, and values that look like placeholders.

it('leaves a value unchanged that looks like a placeholder', () => {
  const view = { odd: '{{place}} $& {{#yes}}', list: [{ item: '{{odd}}' }] };
  expect(fill('{{odd}}{{#list}}\n- {{item}} {{odd}}{{/list}}', view)).toBe(
    '{{place}} $& {{#yes}}\n- {{odd}} {{place}} $& {{#yes}}',
  );
});

it.each(['{{who}}', '{{#who}}x{{/who}}', '{{#has_who}}x{{/has_who}}'])('throws for %s without a value', (template) => {
  expect(() => fill(template, {})).toThrow('who');
});
