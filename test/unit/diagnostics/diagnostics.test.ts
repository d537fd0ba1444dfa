import { expect, it } from 'vitest';
import { catalogue } from '../../../src/diagnostics/catalogue.ts';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';

it('sorts by file, line, column and code, whatever the order of the reports', () => {
  const places: [string, number, number][] = [
    ['b', 1, 1],
    ['a', 10, 1],
    ['a', 2, 3],
    ['a', 2, 1],
  ];
  const diagnostics = new Diagnostics();
  for (const [file, line, column] of places) diagnostics.report('yaml/tab', { file, start: { line, column } }, {});
  diagnostics.report('yaml/empty', { file: 'a' }, {});
  expect(diagnostics.sorted.map(({ location: { file, start } }) => [file, start?.line, start?.column])).toEqual([
    ['a', undefined, undefined],
    ['a', 2, 1],
    ['a', 2, 3],
    ['a', 10, 1],
    ['b', 1, 1],
  ]);
});

it('has an error only when an error was reported', () => {
  const diagnostics = new Diagnostics();
  diagnostics.report('image/unused', { file: 'a' }, { path: 'a' });
  expect(diagnostics.hasErrors).toBe(false);
  diagnostics.report('yaml/empty', { file: 'a' }, {});
  expect(diagnostics.hasErrors).toBe(true);
});

it('names codes `area/kebab-case`, and says what each is about in a phrase', () => {
  for (const [code, { about }] of Object.entries(catalogue)) {
    expect(code).toMatch(/^[a-z]+\/[a-z]+(?:-[a-z]+)*$/);
    expect(about).toMatch(/[^.!]$/);
  }
});
