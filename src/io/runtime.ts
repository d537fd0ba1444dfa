import { readdir, readFile } from 'node:fs/promises';

/** The compiled handler for hosts that run code, by file name; without modules that hold types alone. */
export async function readRuntime(): Promise<Record<string, string>> {
  // From src/ (tests) and from lib/ alike: what is deployed is always what was compiled.
  const folder = new URL('../../lib/edge-runtime/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const modules = names.map((name, index) => [name, texts[index] ?? ''] as const);
  return Object.fromEntries(modules.filter(([, text]) => text.trim() !== 'export {};'));
}
