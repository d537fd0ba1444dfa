import { describe, expect, it } from 'vitest';
import type { Arguments, Code } from '../../../src/diagnostics/catalogue.ts';
import { withoutKeys } from '../../../src/users/without-keys.ts';
import { THEMES, diagnosticsOf } from './messages.ts';

const diagnosticsOfYaml = (yaml: string): Promise<string[]> => diagnosticsOf({}, yaml);

describe('messages about users', () => {
  it.each([
    [
      'users: {tom@example.org: meadow}',
      'field/type The field `users.…` must be a list, but it is the text `…`. Write a list: each entry on a line of its own, after two spaces and `- `.',
    ],
    [
      'users: {tom@example.org: [meadow]}',
      'mapping/unknown-theme There is no theme with this name. Write the folder name of a theme in the second column, after the key.',
    ],
    ['tom: meadow', 'field/unknown Unknown field `…`. The fields here are `users` and `groups`.'],
    ['user: {}', 'field/unknown Unknown field `user`. Did you mean `users`?'],
    [
      'users: {meadow: [@tom]}',
      'yaml/unquoted-start In YAML, a value that starts with `@` must be quoted. Put the whole value in quotes: "@…"',
    ],
  ])('%s', async (yaml, expected) => {
    expect(await diagnosticsOfYaml(yaml)).toEqual([expected]);
  });
});

describe('withoutKeys', () => {
  /** What is passed on of the arguments of a finding. */
  const passed = <C extends Code>(code: C, args: Arguments<C>): unknown => {
    let seen: unknown;
    const report = withoutKeys((_, __, given) => void (seen = given), THEMES);
    report(code, { file: 'users.yaml' }, args);
    return seen;
  };

  it('lets findings of the mapping through, which name no key', () => {
    expect(passed('mapping/user-key', { reason: 'is long' })).toEqual({ reason: 'is long' });
  });

  it('leaves out what the parser says', () => {
    expect(passed('yaml/syntax', { reason: '`ann` is not expected here' })).toEqual({
      reason: 'what stands here is not expected',
    });
  });

  it('keeps the fields that are no keys, each of several', () => {
    expect(
      passed('field/missing', { fields: ['users', 'ann', 'users.meadow[12]'], action: 'Add `ann: …`; …' }),
    ).toEqual({ fields: ['users', '…', 'users.meadow[12]'], action: 'Add it.' });
    const field = (text: string): unknown =>
      passed('field/unknown', { field: text, suggestion: undefined, known: ['users', 'groups'] });
    const rest = { suggestion: undefined, known: ['users', 'groups'] };
    expect(field('users.ann[0]')).toEqual({ field: 'users.…', ...rest });
    expect(field('groups.harbor')).toEqual({ field: 'groups.harbor', ...rest });
    expect(field('my.users.meadow')).toEqual({ field: '…', ...rest });
  });

  it('keeps of a text the mark that it starts with, and of numbers nothing', () => {
    expect(passed('yaml/anchor', { source: '*ann' })).toEqual({ source: '*…' });
    expect(passed('yaml/anchor', { source: '*' })).toEqual({ source: '*' });
    expect(passed('yaml/anchor', { source: 'a*nn' })).toEqual({ source: '…' });
    expect(passed('yaml/anchor', { source: '<<' })).toEqual({ source: '<<' });
    expect(passed('yaml/number-format', { source: '0123', value: '123' })).toEqual({ source: '…', value: '…' });
    expect(passed('yaml/duplicate-key', { key: 'meadow' })).toEqual({ key: 'meadow' });
  });

  it('keeps our own words up to where foreign ones begin', () => {
    const type = (found: string, action: string): unknown =>
      passed('field/type', { field: 'users', expected: 'a list', found, action });
    expect(type('the text `ann`\nbob', 'Put it in quotes: "ann"\nbob')).toEqual({
      field: 'users',
      expected: 'a list',
      found: 'the text `…`',
      action: 'Put it in quotes: "…"',
    });
    expect(passed('yaml/too-deep', { limit: 8 })).toEqual({ limit: 8 });
  });
});
