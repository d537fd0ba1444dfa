import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ROOMS } from '../scripts/layers.js';
import { check } from '../src/compiler/build.ts';
import { parseCall } from '../src/command-line/parse.ts';
import { siteSchema } from '../src/theme/site.ts';
import { readHeader, splitRow } from '../src/users/csv.ts';
import { commands } from './commands.ts';
import { unpackedPackage } from './docs/package.ts';
import { allBlocks, anchorsOf, codeBlocks, linksOf, PAGES, readPage, ROOT } from './docs/pages.ts';

const run = promisify(execFile);

/** Pages whose blocks only people read: figures, excerpts of reports, and code for other programs. */
const FOR_PEOPLE =
  'src/README docs/architecture docs/benchmarks docs/dev docs/publishing docs/reliability docs/review docs/start';

describe('the documentation', () => {
  let unpacked: string;
  beforeAll(() => {
    unpacked = unpackedPackage();
  }, 60_000);
  afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

  it('has links and images that resolve, in the package', () => {
    expect(PAGES.flatMap((page) => brokenLinks(page, unpacked))).toEqual([]);
  });

  it('is reached from the README, every page', () => {
    const reached = new Set<string>();
    const visit = (page: string): void => {
      if (reached.has(page) || !page.endsWith('.md')) return;
      reached.add(page);
      for (const target of localLinks(page)) visit(target);
    };
    visit('README.md');
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('has a README that is read in a few minutes, with the product in its first screen', () => {
    const readme = readPage('README.md');
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8000);
    expect(readme.split('\n').slice(0, 10).join('\n')).toMatch(/!\[[^\]]+\]\(docs\/screenshots\/\w+\.webp\)/);
  });

  it('refers to files of the repository that exist', () => {
    // `themecast client` writes `src/theme.ts` in the project of the reader.
    const missing = PAGES.flatMap((page) =>
      [...readPage(page).matchAll(/`((?:src|test|scripts|docs|\.ci)\/[\w./-]+)`/g)]
        .map(([, file = '']) => file)
        .filter((file) => file !== 'src/theme.ts' && !existsSync(path.join(ROOT, file))),
    );
    expect(missing).toEqual([]);
  });

  it.each(['docs/site.md', 'docs/identity.md', 'docs/hosts.md', 'docs/operating.md'])(
    'has examples of site.yaml that are valid: %s',
    (page) => {
      const examples = codeBlocks(readPage(page), 'yaml').map((block) => parse(block) as object);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) siteSchema.parse({ base_url: 'https://community.example.org', ...example });
    },
  );

  it('has examples of a theme, of its address and of old paths that are valid', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'themecast-docs-'));
    const themesDir = path.join(folder, 'themes');
    await cp(path.join(ROOT, 'themes/harbor'), path.join(themesDir, 'harbor'), { recursive: true });
    const [theme = ''] = codeBlocks(readPage('docs/themes.md'), 'yaml');
    const own = parse(theme) as object;
    const all = parse(readFileSync(path.join(themesDir, 'harbor/theme.yaml'), 'utf8')) as object;
    const others = Object.entries(all).filter(([field]) => !(field in own));
    await writeFile(path.join(themesDir, 'harbor/theme.yaml'), theme + stringify(Object.fromEntries(others)));
    const origin = codeBlocks(readPage('docs/migrating.md'), 'yaml').find((block) => block.startsWith('origin:')) ?? '';
    await writeFile(path.join(themesDir, 'site.yaml'), `base_url: https://community.example.org\n${origin}`);
    const [redirects = ''] = codeBlocks(readPage('docs/migrating.md'), 'csv');
    await writeFile(path.join(themesDir, 'redirects.csv'), redirects);
    expect((await check({ themesDir })).diagnostics).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('has commands whose flags and arguments exist, also those that need a network', () => {
    const wrong = PAGES.flatMap((page) =>
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
    expect(wrong).toEqual([]);
  });

  // Blocks for a shell are run by `long/docs-commands.test.ts`, and calls of themecast are checked above.
  it('has no block of code that no test reads', () => {
    const files = fastGlob.sync('test/**/*.test.ts', {
      cwd: ROOT,
      ignore: ['**/node_modules/**', 'test/words.test.ts'],
    });
    const tests = files.map((file) => readPage(file)).join('\n');
    const unread = PAGES.filter((page) => {
      const languages = allBlocks(withoutGenerated(readPage(page))).filter(({ language }) => language !== 'sh');
      return languages.length > 0 && !tests.includes(page) && !FOR_PEOPLE.split(' ').includes(page.replace('.md', ''));
    });
    expect(unread).toEqual([]);
  });

  it('has an example of users.csv that is valid', () => {
    const [example = ''] = codeBlocks(readPage('docs/users.md'), 'csv');
    const [header = '', ...rows] = example.trim().split('\n');
    expect(readHeader(header)).toMatchObject({ kind: 'user', hasIds: false });
    expect(rows.map((row) => splitRow(row)?.length)).toEqual([2, 2]);
  });

  it('has images that are small enough for any connection', () => {
    const images = PAGES.flatMap((page) => localLinks(page)).filter((target) => target.endsWith('.webp'));
    const bytes = [...new Set(images)].map((file) => statSync(path.join(ROOT, file)).size);
    expect(bytes.length).toBeGreaterThan(1);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(400_000);
  });

  it('has generated parts and schemas that are up to date', async () => {
    await run('node', ['scripts/generate.js', '--check'], { cwd: ROOT });
  });
});

describe('the map of the source', () => {
  const map = readPage('src/README.md').replace(/<!-- generated: rooms -->[^]*<!-- \/generated -->/, '');

  it('names files that exist', () => {
    const named = [...map.matchAll(/[`\s(]([\w./<>-]+\/[\w<>-]*(?:\.\w+)?)(?=[`\s,)])/g)]
      .map(([, file = '']) => file)
      .filter((file) => !/[<>]/.test(file));
    const missing = named.filter(
      (file) => !existsSync(path.join(ROOT, 'src', file)) && !existsSync(path.join(ROOT, file)),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(missing).toEqual([]);
  });

  it('names functions that are exported where it says', () => {
    const named = [...map.matchAll(/`(\w+)\(\)` in `([\w./-]+)`/g)];
    const wrong = named
      .filter(([, name, file = '']) => !new RegExp(`^export (?:async )?function ${name}\\b`, 'm').test(sourceOf(file)))
      .map(([text]) => text);
    expect(named.length).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });

  it('has a row for every room', () => {
    const rooms = new Set(ROOMS.map(({ name }) => name));
    const entries = readdirSync(path.join(ROOT, 'src')).filter(
      (name) => !/^(?:README\.md|tsconfig\.json|index\.ts)$/.test(name),
    );
    expect(entries.filter((name) => !rooms.has(name))).toEqual([]);
  });
});

function sourceOf(file: string): string {
  return readFileSync(path.join(ROOT, 'src', file), 'utf8');
}

const withoutGenerated = (page: string): string => page.replaceAll(/<!-- generated: [^]*?<!-- \/generated -->/g, '');

/** The calls of themecast in blocks, and those in sentences that begin with `npx`; not those that are abridged. */
function callsIn(page: string): string[][] {
  const word = String.raw`(?:'[^']*'|"[^"]*"|[^\s'"#|&;<>()\x60…]+)`;
  const call = new RegExp(String.raw`(?:npx |--no-install |^)themecast(?:@[\d.]+)?((?: +${word})+)(?! *…)`, 'gm');
  const texts = [...allBlocks(withoutGenerated(page)).map(({ code }) => code), ...(page.match(/`npx [^`\n]+`/g) ?? [])];
  return texts.flatMap((text) =>
    [...text.matchAll(call)].map(([, words = '']) =>
      [...words.matchAll(new RegExp(word, 'g'))].map(([found]) => found.replaceAll(/^['"]|['"]$/g, '')),
    ),
  );
}

/** The targets within the repository, by path from its root. */
function localLinks(page: string): string[] {
  return linksOf(readPage(page))
    .filter((target) => !/^(?:https?:|#)/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(page), target.replace(/#.*/, '')));
}

/** The links of a page that lead nowhere. */
function brokenLinks(page: string, root: string): string[] {
  const broken = linksOf(readPage(page, root)).filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [, file = '', anchor] = /^([^#]*)(?:#(.*))?$/.exec(target) ?? [];
    const linked = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
    if (!existsSync(path.join(root, linked))) return true;
    return anchor !== undefined && !anchorsOf(readPage(linked, root)).has(anchor);
  });
  return broken.map((target) => `${page}: ${target}`);
}
