import path from 'node:path';
import type { EdgeAdapter, EdgeFile } from '../../src/hosts/adapter/adapter.ts';
import { readme } from '../../src/hosts/adapter/readme.ts';
import { readRuntime } from '../../src/compiler/runtime.ts';
import type { EdgeHost } from '../../src/core/theme/site/site.ts';
import { contentOf, type PublishedSite, writeOutputFile, templates } from './site.ts';

export interface InstalledFiles {
  folder: string;
  /** The text of each file, by path relative to the folder. */
  files: ReadonlyMap<string, string>;
}

/** Returns the files of an adapter for a site. Throws if the adapter reports a diagnostic. */
export function filesOf(
  adapter: EdgeAdapter,
  { rules, mapping }: Pick<PublishedSite, 'rules' | 'mapping'>,
  runtime: Readonly<Record<string, string>> = {},
): EdgeFile[] {
  return adapter.files({ rules, mapping, runtime, templates, report: throwDiagnostic });
}

const throwDiagnostic = (code: string): void => {
  throw new Error(`The adapter reports ${code}.`);
};

/** Returns the files for a server that listens on a port and serves `dist/` of the site. */
export function serverFiles(adapter: EdgeAdapter, site: PublishedSite, port: number): EdgeFile[] {
  const origin = { listen: `127.0.0.1:${port}`, document_root: site.dist };
  return filesOf(adapter, { ...site, rules: { ...site.rules, origin } });
}

/** Writes the files of an adapter as `themecast build` does, including its files in `dist/`. */
export async function install(host: EdgeHost, adapter: EdgeAdapter, site: PublishedSite): Promise<InstalledFiles> {
  const { rules, mapping } = site;
  const input = { rules, mapping, runtime: await readRuntime(), templates, report: throwDiagnostic };
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
