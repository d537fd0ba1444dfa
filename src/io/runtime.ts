import { readdir, readFile } from 'node:fs/promises';
import { scriptTemplates } from '../hosts/deploy-scripts.ts';
import type { ReadmeTemplates } from '../hosts/readme.ts';
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

/** The templates of the READMEs of hosts, and of their scripts. */
export async function readReadmes(hosts: readonly EdgeHost[]): Promise<ReadmeTemplates> {
  const read = (file: string): Promise<string> => readFile(new URL(`../../src/hosts/${file}`, import.meta.url), 'utf8');
  const texts = await Promise.all(hosts.map(async (host) => [host, await read(`${host}/README.md`)] as const));
  const names = scriptTemplates(hosts);
  const scripts = await Promise.all(names.map(async (name) => [name, await read(name)] as const));
  return { common: await read('common-readme.md'), hosts: Object.fromEntries(texts), scripts: new Map(scripts) };
}
