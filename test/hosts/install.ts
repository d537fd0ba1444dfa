import path from 'node:path';
import type { EdgeAdapter } from '../../src/hosts/adapter.ts';
import { readme } from '../../src/hosts/readme.ts';
import { readRuntime } from '../../src/io/runtime.ts';
import type { EdgeHost } from '../../src/theme/site.ts';
import { contentOf, type PublishedSite, writeOutputFile, templates } from './site.ts';

/** What an adapter wrote for a site. */
export interface Installed {
  folder: string;
  /** The text of each file, by path below the folder. */
  files: ReadonlyMap<string, string>;
}

/** Writes the files of an adapter to where `themecast build` has them, those for `dist/` too. */
export async function install(host: EdgeHost, adapter: EdgeAdapter, site: PublishedSite): Promise<Installed> {
  const report = (code: string) => {
    throw new Error(`The adapter reports ${code}.`);
  };
  const input = { rules: site.rules, mapping: site.mapping, runtime: await readRuntime(), templates, report };
  const folder = path.join(site.folder, 'edge', host);
  const files = adapter.files(input);
  for (const file of files) await writeOutputFile(folder, file);
  for (const file of adapter.publicFiles?.(input) ?? []) await writeOutputFile(site.dist, file);
  return {
    folder,
    files: new Map([
      ...files.map((file) => [file.path, contentOf(file)] as const),
      ['README.md', readme(adapter, host, input)],
    ]),
  };
}
