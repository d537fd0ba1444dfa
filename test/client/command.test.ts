import { expect, it } from 'vitest';
import { run } from '../command-line.ts';

it('prints one file without imports', async () => {
  const { code, stdout, stderr } = await run(['client']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\/\/ Written by `themecast client`: do not edit, run it again\.\n/);
  expect(stdout).toContain('MIT License');
  expect(stdout).not.toMatch(/^(?:import|export) .*from/m);
});
