import { expect, it } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { UsersBudget } from '../../../src/users/budget.ts';
import type { UsersSource } from '../../../src/users/source-rows.ts';
import { read, source } from '../users.ts';

/** Files that share a budget, as those of a site do. */
async function readWithin(limit: number, files: Readonly<Record<string, readonly string[]>>) {
  const diagnostics = new Diagnostics();
  const budget = new UsersBudget(limit);
  const sources = Object.entries(files).map(([file, parts]): UsersSource => {
    const open = async (): Promise<AsyncIterable<Buffer> | undefined> => {
      if (!budget.admits(0, file, diagnostics.report)) return undefined;
      const bytes = (async function* () {
        for (const part of parts) yield Buffer.from(part);
      })();
      return budget.spend(bytes, file, diagnostics.report);
    };
    return { ...source(file), form: 'rows', open };
  });
  const { found, user } = await read(sources, {}, { chunk: 1, alone: 1e6 });
  return { user, found: [...found, ...diagnostics.sorted].map(({ code, location }) => `${code} ${location.file}`) };
}

const FILES = { 'a.csv': ['user,theme\nann,meadow\n'], 'b.csv': ['user,theme\n', 'bob,meadow\n', 'cat,meadow\n'] };

it('files of users are read as long as all of them are within the limit', async () => {
  expect(await readWithin(55, FILES)).toEqual({ user: ['ann→meadow', 'bob→meadow', 'cat→meadow'], found: [] });
});

it('beyond it, one file is reported and no other is read', async () => {
  const { user, found } = await readWithin(34, { ...FILES, 'c.csv': ['user,theme\ndan,meadow\n'] });
  expect(found).toEqual(['mapping/too-large b.csv']);
  expect(user).not.toContain('cat→meadow');
  expect(user).not.toContain('dan→meadow');
});
