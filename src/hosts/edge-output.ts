import type { Location } from '../diagnostics/diagnostic.ts';
import { type OutputFile, textFile } from '../document/output-file.ts';
import { type Assigned, keyCount } from '../users/mapping.ts';
import type { EdgeHost } from '../theme/site.ts';
import type { EdgeAdapter, EdgeFile, EdgeInput } from './adapter.ts';
import { capabilityList } from './capability-table.ts';
import {
  enforceCapabilities,
  enforceRedirects,
  reportHostGroups,
  reportIdentity,
  reportUnreadKeys,
} from './enforce.ts';
import { hostnamesSection } from './hostnames-readme.ts';
import { commonFiles } from './common-files.ts';
import { Inexpressible, TooManyKeys } from './inexpressible.ts';
import { loadAdapters } from './registry.ts';
import { redirectPairs } from './redirects.ts';

/**
 * The files of all requested hosts: the rules, the mapping, the files of each host, and those that some hosts read from `dist/`.
 * @param assigned - all assignments of the users files
 * @param locations - the locations of the hosts and of each identity rule in site.yaml, and of each old path in `redirects.csv`
 */
export async function edgeOutput(
  hosts: readonly EdgeHost[],
  input: EdgeInput,
  assigned: Assigned,
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
  reportHostGroups(input.rules, assigned, identity, input.report);
  const able = hosts.filter(
    (host) =>
      enforceCapabilities(adapters[host], input, assigned) && enforceRedirects(adapters[host], input, redirects),
  );
  const publicFiles: OutputFile[] = [];
  const edgeFiles: EdgeFile[] = commonFiles(input);
  for (const host of able) {
    const adapter = adapters[host];
    const written = write(adapter, host, input, assigned, location);
    for (const file of written.files) edgeFiles.push({ ...file, path: `${host}/${file.path}` });
    publicFiles.push(...written.publicFiles);
  }
  return { edgeFiles, publicFiles };
}

/** The files of one host; none, and a diagnostic, if the settings cannot be expressed for it. */
function write(
  adapter: EdgeAdapter,
  host: EdgeHost,
  input: EdgeInput,
  assigned: Assigned,
  location: Location,
): { files: EdgeFile[]; publicFiles: OutputFile[] } {
  try {
    return {
      files: [...adapter.files(input), readmeFile(adapter, host, input)],
      publicFiles: adapter.publicFiles?.(input) ?? [],
    };
  } catch (error) {
    const { title } = adapter;
    const first = assigned.first.user ?? assigned.first.group;
    if (error instanceof TooManyKeys && first !== undefined) {
      const { limit, because } = error;
      input.report('edge/too-many-users', first, { host: title, users: keyCount(input.mapping), limit, because });
    } else if (error instanceof Inexpressible) {
      input.report('edge/inexpressible', location, { host: title, reason: error.message });
    } else throw error;
    return { files: [], publicFiles: [] };
  }
}

/** Where requests for old paths must get to. */
function redirectsNote({ rules }: EdgeInput): string {
  const paths = redirectPairs(rules).map(([from]) => from);
  if (paths.length === 0) return '';
  const folders = new Set(paths.map((path) => path.split('/').slice(0, -1).slice(0, 3).join('/')));
  const named = [...folders].slice(0, 5).map((folder) => `\`${folder.replace(/\/?$/, '/')}\``);
  return `## Old paths of images

${paths.length} old paths, listed in \`themes/redirects.csv\`, redirect to the images of today. Requests for them must reach this host: route
${named.join(', ')}${folders.size > named.length ? ' and others' : ''} to it, as the paths above.

`;
}

/** Appends the capabilities of the host, and how to verify the deployment, to its README. */
function readmeFile(adapter: EdgeAdapter, host: EdgeHost, input: EdgeInput): OutputFile {
  const hasUsers = adapter.capabilities.maxKeys > 0;
  const ending = `${redirectsNote(input)}## Capabilities

${capabilityList(adapter)}

## Check it

    npx themecast verify ${input.rules.baseUrl} --wait 120${hasUsers ? '' : ` --host ${host}`}

Run this on the commit that was built. It compares the deployment with the build and every response with the contract${hasUsers ? '; add `--as USER` to\ncheck the theme of a user' : ''}.
`;
  const text = `${adapter.readme(input).trimEnd()}${hostnamesSection(host, input.rules)}\n\n${ending}`;
  return textFile('README.md', text, 'text/markdown', 'config');
}
