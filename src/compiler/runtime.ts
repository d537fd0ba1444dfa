import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Templates } from '../hosts/template.ts';
import { BACKGROUNDS } from '../image/backgrounds.ts';
import type { EdgeHost } from '../theme/site.ts';

/** The compiled handler for hosts that run code, by file name; without modules that hold types alone. */
export async function readRuntime(): Promise<Record<string, string>> {
  // From src/ (tests) and from lib/ alike: what is deployed is always what was compiled.
  const folder = new URL('../../lib/edge-runtime/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const modules = names.map((name, index) => [name, texts[index] ?? ''] as const);
  return Object.fromEntries(modules.filter(([, text]) => text.trim() !== 'export {};'));
}

/** The templates of hosts: their READMEs, scripts and configurations. */
export async function readHostTemplates(hosts: readonly EdgeHost[]): Promise<Templates> {
  const root = new URL('../hosts/', import.meta.url);
  const texts = new Map<string, string>();
  for (const folder of ['', ...hosts.map((host) => `${host}/`)])
    for (const entry of await readdir(new URL(folder, root), { withFileTypes: true }))
      if (entry.isFile() && /\.(?:md|mustache|sh)$/.test(entry.name))
        texts.set(folder + entry.name, await readFile(new URL(folder + entry.name, root), 'utf8'));
  return texts;
}

/** The template of the OpenAPI description. */
export function openApiTemplate(): string {
  return readFileSync(new URL('./openapi/openapi.json.mustache', import.meta.url), 'utf8');
}

/** The style sheet of the browsable page. */
export function pageStyle(): string {
  return styleOf('document/base.css', 'document/page.css');
}

/** `sha256-…` of it, for the Content-Security-Policy. */
export function pageStyleHash(): string {
  return `sha256-${createHash('sha256').update(pageStyle()).digest('base64')}`;
}

/** The style sheet of pages with the mock community. @param more - style sheets after it, by their places */
export function communityStyle(...more: string[]): string {
  return styleOf('document/base.css', 'document/preview/mock.css', ...more);
}

/** Style sheets one after another, without comments, on the backgrounds of the two modes. */
function styleOf(...files: string[]): string {
  const texts = files.map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  return `:root { --light: ${BACKGROUNDS.light}; --dark: ${BACKGROUNDS.dark}; }\n${texts.join('').replaceAll(/\/\*[^]*?\*\/\n/g, '')}`;
}
