import { expect, it } from 'vitest';
import { keyProblem } from '../../../src/core/users/key.ts';

it('a key has letters, digits and ._@+:|=/~-', () => {
  const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  const accepted = characters.filter((character) => keyProblem(`a${character}`) === undefined);
  expect(accepted.join('')).toBe('+-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz|~');
  expect([keyProblem('~a'), keyProblem('a'.repeat(129))]).not.toContain(undefined);
});
