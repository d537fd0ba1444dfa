import type { CheckOptions, CheckResult } from './api.ts';
import { compileSite } from './compile/compile.ts';
import { linkHosts } from './link/link-hosts.ts';
import { link } from './link/link.ts';
import { linkThemes } from './link/link-themes.ts';
import { outcome } from './link/outcome.ts';
import { trackedOutput } from './publish/output-directory.ts';
import type { Run } from './store/resources.ts';

/** Compiles and links a site without publishing it; for a share, users and hosts are left out. */
export async function checkSite(options: CheckOptions & { cwd: string }, run: Run): Promise<CheckResult> {
  const { themesDir, cwd, outDir, edgeOutDir, shard, users } = options;
  const { diagnostics, memory } = run;
  const { report } = diagnostics;
  if (shard === undefined && outDir !== undefined && edgeOutDir !== undefined)
    await trackedOutput({ outDir, edgeOutDir }, themesDir, cwd, report);
  const compiled = await compileSite(options, run, report);
  // Users and hosts depend on all shares.
  if (shard !== undefined) return outcome(await linkThemes(compiled, report), diagnostics, options);
  const linked = await link(compiled, { users }, memory, report);
  await linkHosts(linked, memory, report);
  return outcome(linked, diagnostics, options);
}
