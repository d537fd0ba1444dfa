import path from 'node:path';
import { UsageError } from '../../command-line/command.ts';
import { partsOf } from '../../document/output-file.ts';
import type { EdgeRules } from '../../hosts/contract.ts';
import { deployScripts } from '../../hosts/deploy-scripts.ts';
import { loadAdapters } from '../../hosts/registry.ts';
import { ContainedFolder } from '../../disk/contained-folder.ts';
import { invocation } from '../../command-line/invocation.ts';
import { readHostTemplates } from '../../compiler/runtime.ts';
import type { EdgeHost } from '../../theme/site.ts';

const MAX_BYTES = 1024 * 1024;

/** Variables that `deploy` itself sets. */
const OWN_VARIABLES = new Set(['RECORD', 'EXPECT', 'LIVE', 'DEPLOY_SERVER']);

/**
 * Checks that the scripts of a build are exactly as this version of themecast writes them: an archive could contain others.
 * @returns the environment variables that they need
 * @throws {UsageError}
 */
export async function checkScripts(host: EdgeHost, edgeOutDir: string, rules: EdgeRules): Promise<string[]> {
  const { [host]: adapter } = await loadAdapters([host]);
  // Scripts do not depend on users.
  const mapping = { counts: { user: 0, group: 0 }, pairs: () => [], shards: undefined };
  const input = { rules, mapping, runtime: {}, templates: await readHostTemplates([host]), report: () => undefined };
  const edge = new ContainedFolder(edgeOutDir);
  const needed = new Set<string>();
  for (const script of deployScripts(adapter, host, input)) {
    const name = `${host}/${script.path}`;
    const text = [...partsOf(script)].join('');
    if ((await edge.read(name, MAX_BYTES))?.toString() !== text)
      throw new UsageError(
        `${path.join(edgeOutDir, name)} is not as this version of themecast writes it, so it is not run. Run \`${invocation('build')}\` again, or deploy with the version that built it.`,
      );
    for (const [, variable = ''] of text.matchAll(/\$\{(\w+):\?\}/g)) needed.add(variable);
  }
  return [...needed].filter((variable) => !OWN_VARIABLES.has(variable));
}
