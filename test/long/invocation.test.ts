import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BIN } from '../command-line.ts';
import { runScript as typeIn } from '../docs/shell.ts';
import { openBin } from '../package-copy.ts';
import { makeSite, removeSite, type SiteFolder } from '../site-folder.ts';

const REPOSITORY = path.dirname(path.dirname(path.dirname(BIN)));

let site: SiteFolder;
beforeEach(async () => {
  site = await makeSite();
});
afterEach(() => removeSite(site));

/** Runs a shell command in the site. */
const type = async (line: string, cwd = site.root): Promise<string> => (await typeIn(line, cwd)).stdout;

function nextCommand(printed: string): string {
  return /^Next: `(.*)` /m.exec(printed)?.[1] ?? '';
}

describe('suggested commands work as printed', { timeout: 120_000 }, () => {
  /** Runs `check`, and then the next command that it suggests. */
  async function follow(check: string, build: string, cwd = site.root): Promise<void> {
    const command = nextCommand(await type(check, cwd));
    expect(command).toBe(build);
    await type(command, cwd);
    expect(await readFile(path.join(cwd, 'dist/manifest.json'), 'utf8')).toContain('"files"');
  }

  test('in a project that depends on themecast', async () => {
    await mkdir(path.join(site.root, 'node_modules/.bin'), { recursive: true });
    await symlink(path.dirname(path.dirname(openBin())), path.join(site.root, 'node_modules/themecast'));
    await symlink('../themecast/lib/bundle/cli.js', path.join(site.root, 'node_modules/.bin/themecast'));
    await writeFile(
      path.join(site.root, 'package.json'),
      JSON.stringify({ name: 'themecast', scripts: { check: 'themecast check' } }),
    );
    await follow('npx themecast check', 'npx themecast build');
    for (const check of ['npm run --silent check', 'node node_modules/themecast/lib/bundle/cli.js check'])
      expect(nextCommand(await type(check))).toBe('npx themecast build');
    const byPnpm = 'npm_config_user_agent=pnpm/10.34.9 node node_modules/themecast/lib/bundle/cli.js check';
    expect(nextCommand(await type(byPnpm))).toBe('pnpm exec themecast build');
  });

  test('with a global installation', async () => {
    const binFolder = path.dirname(openBin());
    const command = nextCommand(await type(`PATH="${binFolder}:$PATH" themecast check`));
    expect(command).toBe('themecast build');
    await type(`PATH="${binFolder}:$PATH" ${command}`);
    // Without the folder in PATH.
    expect(nextCommand(await type(`${binFolder}/themecast check`))).toMatch(/^node \S+\/themecast build$/);
  });

  test('in a checkout of themecast', async () => {
    const copy = path.join(site.root, "someone's copy");
    for (const name of ['lib', 'package.json'])
      await cp(path.join(REPOSITORY, name), path.join(copy, name), { recursive: true });
    await symlink(path.join(REPOSITORY, 'node_modules'), path.join(copy, 'node_modules'));
    await follow(
      `node "someone's copy/lib/bundle/cli.js" check`,
      String.raw`node 'someone'\''s copy/lib/bundle/cli.js' build`,
    );
    // Skips compilation, which the test of the README covers.
    const manifest = path.join(copy, 'package.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll('npm run compile --silent && ', ''));
    await cp(site.themesDir, path.join(copy, 'themes'), { recursive: true });
    await follow('npm run --silent check', 'npm run build', copy);
    expect(nextCommand(await type('npm run --silent build', copy))).toBe('npm run serve');
    expect(nextCommand(await type(`npm run --silent build -- --out 'a b' --edge-out c`, copy))).toBe(
      `npm run serve -- --out 'a b' --edge-out c`,
    );
    await rm(path.join(copy, 'dist'), { recursive: true });
    const missing = await type('npm run --silent serve 2>&1 || true', copy);
    expect(missing).toContain('Run `npm run build` first.');
    const unknown = await type('npm run --silent check -- --nonsense 2>&1 || true', copy);
    expect(unknown).toContain('`npm run check -- --help` lists the flags.');
    expect(await type('npm run check -- --help', copy)).toContain('Usage');
  });
});
