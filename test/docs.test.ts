import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ROOMS } from '../scripts/layers.js';
import { check } from '../src/compiler/build.ts';
import { parseCall } from '../src/system/command-line/parse.ts';
import { siteSchema } from '../src/core/theme/site/site.ts';
import { readHeader, splitRow } from '../src/core/users/csv.ts';
import { commands } from './commands.ts';
import { unpackedPackage } from './docs/package.ts';
import { allBlocks, anchorsOf, codeBlocks, linksOf, PAGES, readPage, ROOT } from './docs/pages.ts';

const run = promisify(execFile);

/** Pages whose code blocks are not run: figures, excerpts of reports, and code for other programs. */
const NOT_RUN = 'src/README docs/architecture docs/benchmarks docs/dev docs/publishing docs/review docs/start';

describe('the documentation', () => {
  let unpacked: string;
  beforeAll(() => {
    unpacked = unpackedPackage();
  });
  afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

  it('has links and images that resolve, in the package too', () => {
    expect(PAGES.flatMap((page) => brokenLinks(page, unpacked))).toEqual([]);
  });

  it('is linked from the README, directly or through other pages', () => {
    const visited = new Set<string>();
    const visit = (page: string): void => {
      if (visited.has(page) || !page.endsWith('.md')) return;
      visited.add(page);
      for (const target of localLinks(page)) visit(target);
    };
    visit('README.md');
    expect(PAGES.filter((page) => !visited.has(page))).toEqual([]);
  });

  it('refers to files of the repository that exist', () => {
    // `themecast client` writes `src/theme.ts` in the reader's project.
    const missing = PAGES.flatMap((page) =>
      [...readPage(page).matchAll(/`((?:src|test|scripts|docs|\.ci)\/[\w./-]+)`/g)]
        .map(([, file = '']) => file)
        .filter((file) => file !== 'src/theme.ts' && !existsSync(path.join(ROOT, file))),
    );
    expect(missing).toEqual([]);
  });

  it('names functions that are where the map of the source says', () => {
    const named = [...readPage('src/README.md').matchAll(/`(\w+)(?:\(\))?` in `([\w./-]+\.ts)`/g)];
    const missing = named.filter(([, name = '', file = '']) => {
      const source = path.join(ROOT, 'src', file);
      return !existsSync(source) || !new RegExp(`^export .*\\b${name}\\b`, 'm').test(readFileSync(source, 'utf8'));
    });
    expect(named.length).toBeGreaterThan(20);
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it.each(['docs/site.md', 'docs/identity.md', 'docs/hosts.md', 'docs/operating.md'])(
    'has valid examples of site.yaml: %s',
    (page) => {
      const examples = codeBlocks(readPage(page), 'yaml').map((block) => parse(block) as object);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) siteSchema.parse({ base_url: 'https://community.example.org', ...example });
    },
  );

  it('has valid examples of a theme, of its URL and of old paths', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'themecast-docs-'));
    const themesDir = path.join(folder, 'themes');
    await cp(path.join(ROOT, 'themes/harbor'), path.join(themesDir, 'harbor'), { recursive: true });
    const [theme = ''] = codeBlocks(readPage('docs/themes.md'), 'yaml');
    const exampleFields = parse(theme) as object;
    const baseFields = parse(readFileSync(path.join(themesDir, 'harbor/theme.yaml'), 'utf8')) as object;
    const baseOnly = Object.entries(baseFields).filter(([field]) => !(field in exampleFields));
    await writeFile(path.join(themesDir, 'harbor/theme.yaml'), theme + stringify(Object.fromEntries(baseOnly)));
    const origin = codeBlocks(readPage('docs/migrating.md'), 'yaml').find((block) => block.startsWith('origin:')) ?? '';
    await writeFile(path.join(themesDir, 'site.yaml'), `base_url: https://community.example.org\n${origin}`);
    const [redirects = ''] = codeBlocks(readPage('docs/migrating.md'), 'csv');
    await writeFile(path.join(themesDir, 'redirects.csv'), redirects);
    expect((await check({ themesDir })).diagnostics).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('has commands whose flags and arguments exist, even commands that need a network', () => {
    const invalidCalls = PAGES.flatMap((page) =>
      callsIn(readPage(page)).flatMap(([name = '', ...args]) => {
        try {
          const command = commands[name];
          if (command === undefined) throw new Error('is no command');
          parseCall(name, command, args);
          return [];
        } catch (error) {
          return [`${page}: ${[name, ...args].join(' ')}: ${(error as Error).message}`];
        }
      }),
    );
    expect(invalidCalls).toEqual([]);
  });

  // `long/docs-commands.test.ts` runs blocks for a shell, and the test above checks calls of themecast.
  it('has no code block that no test reads', () => {
    const files = fastGlob.sync('test/**/*.test.ts', {
      cwd: ROOT,
      ignore: ['**/node_modules/**', 'test/words.test.ts'],
    });
    const tests = files.map((file) => readPage(file)).join('\n');
    const untestedPages = PAGES.filter((page) => {
      const languages = allBlocks(withoutGenerated(readPage(page))).filter(({ language }) => language !== 'sh');
      return languages.length > 0 && !tests.includes(page) && !NOT_RUN.split(' ').includes(page.replace('.md', ''));
    });
    expect(untestedPages).toEqual([]);
  });

  it('has a valid example of users.csv', () => {
    const [example = ''] = codeBlocks(readPage('docs/users.md'), 'csv');
    const [header = '', ...rows] = example.trim().split('\n');
    expect(readHeader(header)).toMatchObject({ kind: 'user', hasIds: false });
    expect(rows.map((row) => splitRow(row)?.length)).toEqual([2, 2]);
  });

  it('has up-to-date generated parts and schemas', async () => {
    await run('node', ['scripts/generate.js', '--check'], { cwd: ROOT });
  });
});

describe('the map of the source', () => {
  const map = readPage('src/README.md').replace(/<!-- generated: rooms -->[^]*<!-- \/generated -->/, '');

  it('refers to files that exist', () => {
    const paths = [...map.matchAll(/[`\s(]([\w./<>-]+\/[\w<>-]*(?:\.\w+)?)(?=[`\s,)])/g)]
      .map(([, file = '']) => file)
      .filter((file) => !/[<>]/.test(file));
    const missing = paths.filter(
      (file) => !existsSync(path.join(ROOT, 'src', file)) && !existsSync(path.join(ROOT, file)),
    );
    expect(paths.length).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });

  it('has a row for every room', () => {
    const rooms = new Set(ROOMS.map(({ name }) => name));
    const drawers = new Set([...rooms].filter((name) => name.includes('/')).map((name) => name.split('/')[0] ?? ''));
    const entries = readdirSync(path.join(ROOT, 'src')).flatMap((name) => {
      if (/^(?:README\.md|tsconfig\.json|index\.ts)$/.test(name)) return [];
      return drawers.has(name) ? readdirSync(path.join(ROOT, 'src', name)).map((room) => `${name}/${room}`) : [name];
    });
    expect(entries.filter((name) => !rooms.has(name))).toEqual([]);
  });
});

const withoutGenerated = (page: string): string => page.replaceAll(/<!-- generated: [^]*?<!-- \/generated -->/g, '');

/** Returns the calls of themecast in code blocks and in sentences with `npx`, except abridged calls. */
function callsIn(page: string): string[][] {
  const word = String.raw`(?:'[^']*'|"[^"]*"|[^\s'"#|&;<>()\x60…]+)`;
  const call = new RegExp(String.raw`(?:npx |--no-install |^)themecast(?:@[\d.]+)?((?: +${word})+)(?! *…)`, 'gm');
  const commandTexts = [
    ...allBlocks(withoutGenerated(page)).map(({ code }) => code),
    ...(page.match(/`npx [^`\n]+`/g) ?? []),
  ];
  return commandTexts.flatMap((text) =>
    [...text.matchAll(call)].map(([, words = '']) =>
      [...words.matchAll(new RegExp(word, 'g'))].map(([string]) => string.replaceAll(/^['"]|['"]$/g, '')),
    ),
  );
}

/** Returns the link targets within the repository, by path from its root. */
function localLinks(page: string): string[] {
  return linksOf(readPage(page))
    .filter((target) => !/^(?:https?:|#)/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(page), target.replace(/#.*/, '')));
}

/** Returns the links of a page that are broken. */
function brokenLinks(page: string, root: string): string[] {
  const broken = linksOf(readPage(page, root)).filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [, file = '', anchor] = /^([^#]*)(?:#(.*))?$/.exec(target) ?? [];
    const linkedFile = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    if (!existsSync(path.join(root, linkedFile))) return true;
    return anchor !== undefined && !anchorsOf(readPage(linkedFile, root)).has(anchor);
  });
  return broken.map((target) => `${page}: ${target}`);
}
