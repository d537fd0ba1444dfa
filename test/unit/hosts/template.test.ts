import { expect, it } from 'vitest';
import { fill } from '../../../src/hosts/template.ts';

// Golden files show what templates are filled with; these tests are about values that look like holes, and about missing ones.

it('leaves a value unchanged that looks like a hole', () => {
  const view = { odd: '{{place}} $& {{#yes}}', list: [{ item: '{{odd}}' }] };
  expect(fill('{{odd}}{{#list}}\n- {{item}} {{odd}}{{/list}}', view)).toBe(
    '{{place}} $& {{#yes}}\n- {{odd}} {{place}} $& {{#yes}}',
  );
});

it.each(['{{who}}', '{{#who}}x{{/who}}', '{{#has_who}}x{{/has_who}}'])('throws for %s without a value', (template) => {
  expect(() => fill(template, {})).toThrow('who');
});
