import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from './messages.ts';
import { sampledRuns } from '../../long-test.ts';

describe('messages about users', () => {
  it('repeat no key, wherever one stands and whatever is wrong', async () => {
    const secret = fc.constantFrom('4711471', 'zq7.zq7', 'zq7zq7@example.org');
    const mark = fc.constantFrom(
      '',
      ...'@ * & ! ` "'.split(' '),
      "'",
      '- ',
      '-',
      '#',
      '%',
      '~',
      ': ',
      '|',
      '>',
      '0',
      ' ',
      '“',
      'rgb(',
      '\\',
      '"\\q',
      '<<: ',
      '? ',
    );
    const yamlFrame = fc.constantFrom(
      '§',
      '§: meadow',
      'users: §',
      'users: [§]',
      'users: {§: meadow}',
      'users: {§: [§]}',
      'users: {§: [meadow]}',
      'users:\n  §: ann\n  §: bob',
      'users:\n  meadow: §',
      'users:\n  meadow:\n    - §\n    - §: §',
      'users:\n  meadow: [§, {a: §}, [§]]',
      'users:\n  meadow:\n  - ann\n §',
      'users:\n  meadow: [ann\n§',
      'users:\n\t§: [ann]',
      '§\n---\n§',
      '%§\n---\nusers: {}',
      'groups:\n  §:\n    §: [§]',
      'users:\n  meadow: "§" §',
      'users:\n  meadow:\n    - ann: §: §',
      '? [§]\n: §',
      '? {§: §}\n: 1',
      'users:\n  meadow: |§\n   ann',
    );
    const csvFrame = fc.constantFrom(
      'user,theme\n§,meadow',
      'user,theme\nmeadow,§',
      'user,theme\nann,§\nbob,§',
      'user,theme\n§',
      'user,theme\n§,§,§',
      '§,meadow',
      'user;theme\n§;meadow',
      'theme,user\nmeadow,§',
      'user,theme\n"§,meadow',
      'user,theme\n§,meadow\n§,medow',
      '§',
    );
    const filled = (frame: fc.Arbitrary<string>) =>
      fc
        .tuple(frame, mark, secret, mark)
        .map(([text, before, key, after]) => text.replaceAll('§', () => before + key + after));
    await fc.assert(
      fc.asyncProperty(filled(csvFrame), filled(yamlFrame), async (csv, yaml) => {
        const diagnostics = await diagnosticsOf({ 'users.csv': csv }, yaml);
        expect(diagnostics.join('\n')).not.toMatch(/4711|zq7/i);
      }),
      { numRuns: sampledRuns(400) },
    );
  });
});
