import { expect, it } from 'vitest';
import { catalogue } from '../../../src/core/diagnostics/catalogue.ts';
import { Diagnostics } from '../../../src/core/diagnostics/diagnostic.ts';

it('sorts by file, line, column and code, in whatever order they are reported', () => {
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

it('has codes of the form `area/kebab-case`, each with a description', () => {
  for (const [code, { about: description }] of Object.entries(catalogue)) {
    expect(code).toMatch(/^[a-z]+\/[a-z]+(?:-[a-z]+)*$/);
    expect(description).toMatch(/[^.!]$/);
  }
});

it('keeps the first 100 errors of a file and counts the others, so that one file does not hide the next', () => {
  const diagnostics = new Diagnostics();
  for (let index = 0; index < 150; index++) diagnostics.report('image/unused', { file: 'a' }, { path: `${index}` });
  expect(diagnostics.hasErrors).toBe(false);
  for (let line = 1; line <= 102; line++) diagnostics.report('yaml/tab', { file: 'a', start: { line, column: 1 } }, {});
  diagnostics.report('yaml/empty', { file: 'b' }, {});
  const messages = diagnostics.sorted.map(({ severity, message }) => `${severity} ${message}`);
  expect(messages).toHaveLength(100 + 100 + 2 + 1);
  expect(messages).toContain('warning 50 more diagnostics in this file are not shown.');
  expect(messages).toContain('error 2 more diagnostics in this file are not shown.');
  expect(diagnostics.sorted.at(-1)?.location.file).toBe('b');
});
