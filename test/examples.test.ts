import { execFileSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseCall } from '../src/command-line/parse.ts';
import { commands } from './commands.ts';
import { run } from './command-line.ts';
import { squareSvg } from './images.ts';
import { longCases } from './long-test.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

/** Those that need a server or another package, or go on until they are ended: their flags and arguments are read. */
const PARSED = new Set(['cms', 'import', 'compare', 'verify', 'deploy', 'serve', 'dev']);
/** Calls that end with 1 by what they find. */
const FINDS = new Set(['diff HEAD~1 --html review.html']);

const EXAMPLES = Object.entries(commands).flatMap(([name, command]) =>
  command.examples.map((call) => [call, name] as const),
);

/** The arguments of a call, as a shell reads them, without what becomes of its output. */
function wordsOf(call: string): string[] {
  const [words = ''] = call.split(/ [>|] /);
  return [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
}

let site: SiteFolder;
beforeAll(async () => {
  site = await makeSite({});
  const themes = path.join(site.root, 'themes');
  await rm(themes, { recursive: true });
  await cp(path.join(import.meta.dirname, '../themes'), themes, { recursive: true });
  await writeFile(path.join(site.root, 'logo.svg'), squareSvg(40, 40));
  await writeFile(path.join(site.root, 'export.csv'), 'user,theme\nu-9,meadow\n');
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['remote', 'add', 'origin', 'git@github.com:example/themes.git'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Themes'],
    ['commit', '--quiet', '--message', 'Nothing', '--allow-empty'],
    ['update-ref', 'refs/remotes/origin/main', 'HEAD'],
    ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main'],
  ])
    execFileSync('git', ['-c', 'user.name=Editor', '-c', 'user.email=editor@example.org', ...args], { cwd: site.root });
});
afterEach(() => {
  for (const args of [
    ['checkout', '--quiet', '--', '.'],
    ['clean', '--quiet', '--force', '-dx'],
  ])
    execFileSync('git', args, { cwd: site.root });
});
afterAll(() => removeSite(site));

describe('the examples of --help', () => {
  it.each(EXAMPLES)('themecast %s is a call', (call, name) => {
    const words = wordsOf(call);
    expect(words[0]).toBe(name);
    const command = commands[name];
    if (command === undefined) throw new Error(`There is no command ${name}.`);
    expect(() => parseCall(name, command, words.slice(1))).not.toThrow();
  });

  it.each(longCases(...EXAMPLES.filter(([, name]) => !PARSED.has(name))))('themecast %s runs', async (call) => {
    const { code, stdout, stderr } = await run(wordsOf(call), { cwd: site.root });
    expect(code, stdout + stderr).toBe(FINDS.has(call) ? code : 0);
  });
});
