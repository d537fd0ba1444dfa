import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Templates } from '../hosts/adapter/template.ts';
import { BACKGROUNDS } from '../core/image/backgrounds.ts';
import type { EdgeHost } from '../core/theme/site/site.ts';

/** Reads the compiled handler for hosts that run code, by file name; modules with types alone are left out. */
export async function readRuntime(): Promise<Record<string, string>> {
  // The path is right from src/ (tests) and from lib/: compiled code is deployed in both cases.
  const folder = new URL('../../lib/core/edge-runtime/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const modules = names.map((name, index) => [name, texts[index] ?? ''] as const);
  return Object.fromEntries(modules.filter(([, text]) => text.trim() !== 'export {};'));
}

export async function readHostTemplates(hosts: readonly EdgeHost[]): Promise<Templates> {
  const root = new URL('../hosts/', import.meta.url);
  const texts = new Map<string, string>();
  for (const folder of ['', ...hosts.map((host) => `${host}/`)])
    for (const entry of await readdir(new URL(folder, root), { withFileTypes: true }))
      if (entry.isFile() && /\.(?:md|mustache|sh)$/.test(entry.name))
        texts.set(folder + entry.name, await readFile(new URL(folder + entry.name, root), 'utf8'));
  return texts;
}

export function pageStyle(): string {
  return styleOf('core/document/base.css', 'core/document/page.css');
}

/** Returns the `sha256-…` of the style sheet for the Content-Security-Policy. */
export function pageStyleHash(): string {
  return `sha256-${createHash('sha256').update(pageStyle()).digest('base64')}`;
}

/** Returns the style sheet of pages with the mock community. @param more - paths of further style sheets */
export function communityStyle(...more: string[]): string {
  return styleOf('core/document/base.css', 'core/document/preview/mock.css', ...more);
}

/** Joins style sheets without comments, after the background colours of both modes. */
function styleOf(...files: string[]): string {
  const texts = files.map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  return `:root { --light: ${BACKGROUNDS.light}; --dark: ${BACKGROUNDS.dark}; }\n${texts.join('').replaceAll(/\/\*[^]*?\*\/\n/g, '')}`;
}
