import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

/** Returns the pages of the documentation, by path in the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'src/README.md',
  '.github/CONTRIBUTING.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.split(path.sep).join('/')}`)
    .toSorted(),
];

export function readPage(page: string, root = ROOT): string {
  return readFileSync(path.join(root, page), 'utf8');
}

/** Returns the code blocks in a language, including blocks in lists. */
export function codeBlocks(text: string, language: string): string[] {
  return allBlocks(text).flatMap((block) => (block.language === language ? [block.code] : []));
}

export function allBlocks(text: string): { language: string; code: string }[] {
  return [...text.matchAll(/^( *)(`{3,})(\w+)\n([^]*?)^\1\2$/gm)].map(
    ([, indent = '', , language = '', code = '']) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

export function prose(text: string): string {
  return text.replace(/^(`{3,})\w*\n[^]*?^\1$/gm, '');
}

export function linksOf(text: string): string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Returns the anchors of headings, as Git hosts derive them, and explicit anchors. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  const explicit = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);
  return new Set([
    ...explicit,
    ...headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  ]);
}
