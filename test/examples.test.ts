import { execFileSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseCall } from '../src/system/command-line/parse.ts';
import { commands } from './commands.ts';
import { run } from './command-line.ts';
import { squareSvg } from './images.ts';
import { longCases } from './long-test.ts';
import { makeSite, removeSite, type SiteFolder } from './site-folder.ts';

/** Commands that need a server or another package, or run until they are stopped: only their arguments are parsed. */
const PARSED_ONLY = new Set(['import', 'verify', 'deploy', 'serve', 'dev']);
/** Calls that exit with 1 if they report a problem. */
const MAY_EXIT_WITH_1 = new Set(['diff HEAD~1 --html review.html']);

const EXAMPLES = Object.entries(commands).flatMap(([name, command]) =>
  command.examples.map((call) => [call, name] as const),
);

/** Returns the arguments of a call as a shell parses them, without redirections. */
function parseShellWords(call: string): string[] {
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
  it.each(EXAMPLES)('themecast %s has valid arguments', (call, name) => {
    const args = parseShellWords(call);
    expect(args[0]).toBe(name);
    const command = commands[name];
    if (command === undefined) throw new Error(`There is no command ${name}.`);
    expect(() => parseCall(name, command, args.slice(1))).not.toThrow();
  });

  it.each(longCases(...EXAMPLES.filter(([, name]) => !PARSED_ONLY.has(name))))(
    'themecast %s succeeds',
    async (call) => {
      const { code, stdout, stderr } = await run(parseShellWords(call), { cwd: site.root });
      expect(code, stdout + stderr).toBe(MAY_EXIT_WITH_1.has(call) ? code : 0);
    },
  );
});
