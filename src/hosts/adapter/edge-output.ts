import type { Location } from '../../core/diagnostics/diagnostic.ts';
import { type OutputFile, textFile } from '../../core/document/files/output-file.ts';
import type { AssignmentSummary } from '../../core/users/mapping.ts';
import type { EdgeHost } from '../../core/theme/site/site.ts';
import type { EdgeAdapter, EdgeFile, EdgeInput } from './adapter.ts';
import { enforceCapabilities, enforceRedirects, reportIdentity, reportUnreadKeys } from '../contract/enforce.ts';
import { commonFiles } from './common-files.ts';
import { rulesScript } from './deploy-scripts.ts';
import { Inexpressible } from '../contract/inexpressible.ts';
import { loadAdapters } from './registry.ts';
import { readme } from './readme.ts';

/**
 * Returns the files of all requested hosts: rules, mapping and host files, and the files for `dist/`.
 * @param assigned - all assignments in the users files
 * @param locations - of the hosts and identity rules in site.yaml, and of old paths in `redirects.csv`
 */
export async function edgeOutput(
  hosts: readonly EdgeHost[],
  input: EdgeInput,
  assigned: AssignmentSummary,
  {
    edge: location,
    identity,
    redirects = () => location,
  }: { edge: Location; identity: (rule: number) => Location; redirects?: (path: string) => Location },
): Promise<{ edgeFiles: EdgeFile[]; publicFiles: OutputFile[] }> {
  reportUnreadKeys(input.rules, assigned, input.report);
  const adapters = await loadAdapters(hosts);
  const requested = hosts.map((host) => adapters[host]);
  reportIdentity(requested, input.rules, identity, input.report);
  const able = hosts.filter(
    (host) =>
      enforceCapabilities(adapters[host], input, assigned) && enforceRedirects(adapters[host], input, redirects),
  );
  const publicFiles: OutputFile[] = [];
  const edgeFiles: EdgeFile[] = commonFiles(input);
  for (const host of able) {
    const adapter = adapters[host];
    const written = write(adapter, host, input, location);
    for (const file of written.files) edgeFiles.push({ ...file, path: `${host}/${file.path}` });
    publicFiles.push(...written.publicFiles);
  }
  return { edgeFiles, publicFiles };
}

/** Returns the files of one host. Reports settings that it cannot express, and then returns none. */
function write(
  adapter: EdgeAdapter,
  host: EdgeHost,
  input: EdgeInput,
  location: Location,
): { files: EdgeFile[]; publicFiles: OutputFile[] } {
  try {
    const text = readme(adapter, host, input);
    return {
      files: [...adapter.files(input), ...rulesScript(adapter, host, input), textFile('README.md', text)],
      publicFiles: adapter.publicFiles?.(input) ?? [],
    };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    input.report('edge/inexpressible', location, { host: adapter.title, reason: error.message });
    return { files: [], publicFiles: [] };
  }
}
