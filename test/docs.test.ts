import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOMS } from '../scripts/layers.js';
import { siteSchema } from '../src/theme/site.ts';
import { usersSchema } from '../src/users/users-yaml.ts';
import { unpackedPackage } from './docs/package.ts';
import { anchorsOf, codeBlocks, linksOf, PAGES, readPage, ROOT } from './docs/pages.ts';

const run = promisify(execFile);

describe('the documentation', () => {
  let unpacked: string;
  beforeAll(() => {
    unpacked = unpackedPackage();
  }, 60_000);
  afterAll(() => rmSync(unpacked, { recursive: true, force: true }));

  it('has links and images that resolve, in the repository', () => {
    expect(PAGES.flatMap((page) => brokenLinks(page, ROOT))).toEqual([]);
  });

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

  it('names files of the repository that exist', () => {
    const named = PAGES.flatMap((page) =>
      [...readPage(page).matchAll(/`((?:src|test|scripts|docs|\.ci)\/[\w./-]+)`/g)].map(([, file = '']) => ({
        page,
        file,
      })),
    );
    // The file that `themecast client` writes is one of the reader.
    expect(named.filter(({ file }) => file !== 'src/theme.ts' && !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it.each(['docs/site.md', 'docs/identity.md', 'docs/hosts.md'])(
    'has examples of site.yaml that are valid: %s',
    (page) => {
      const examples = codeBlocks(readPage(page), 'yaml').map((block) => parse(block) as object);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) siteSchema.parse({ base_url: 'https://community.example.org', ...example });
    },
  );

  it('has an example of users.yaml that is valid', () => {
    for (const block of codeBlocks(readPage('docs/users.md'), 'yaml')) usersSchema.parse(parse(block));
  });

  it('has images that are small enough for any connection', () => {
    const images = PAGES.flatMap((page) => localLinks(page)).filter((target) => target.endsWith('.webp'));
    const bytes = [...new Set(images)].map((file) => statSync(path.join(ROOT, file)).size);
    expect(bytes.length).toBeGreaterThan(3);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(400_000);
  });

  it('has generated parts and schemas that are up to date', async () => {
    await run('node', ['scripts/generate.js', '--check'], { cwd: ROOT });
  });
});

describe('the map of the source', () => {
  const map = readPage('src/README.md').replace(/<!-- generated: rooms -->[^]*<!-- \/generated -->/, '');

  it('names files that exist', () => {
    const named = [...map.matchAll(/`([\w./<>-]+\/[\w.<>-]*)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !/[<>]/.test(file));
    const missing = named.filter(
      (file) => !existsSync(path.join(ROOT, 'src', file)) && !existsSync(path.join(ROOT, file)),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it('names functions that are exported where it says', () => {
    const named = [...map.matchAll(/`(\w+)\(\)` in `([\w./-]+)`/g)];
    const wrong = named
      .filter(([, name, file = '']) => !new RegExp(`^export (?:async )?function ${name}\\b`, 'm').test(sourceOf(file)))
      .map(([text]) => text);
    expect(named.length).toBeGreaterThan(10);
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
