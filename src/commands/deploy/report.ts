import { quoteList } from '../../core/diagnostics/quote.ts';
import { type DeploymentRecord, liveSince } from '../../core/document/files/deployment.ts';
import { fileSize } from '../../core/document/files/file-size.ts';
import type { BuildToDeploy, LiveSite, Plan } from './plan.ts';

/** Formats the number of changes of a deployment. @param name - the target: a server, or `base_url` */
export function planText(plan: Plan, { host, commit }: BuildToDeploy, live: LiveSite, name: string): string {
  const { images, changed, removed, retained } = plan;
  const row = (label: string, total: number, files: readonly { bytes: number }[] = []): string => {
    const size = fileSize(files.reduce((sum, { bytes }) => sum + bytes, 0));
    return `  ${label.padEnd(28)}${String(total).padStart(8)}${files.length === 0 ? '' : size.padStart(10)}`;
  };
  const lines = [
    `${name}, ${host}`,
    `  live   ${live.record === undefined ? 'unknown' : liveSince(live.record)}`,
    `  build  ${commit.slice(0, 7)}`,
    row('new images', images.length, images),
    row('changed documents', changed.length, changed),
    row('removed documents', removed.length),
    row('images retained for caches', retained.length, retained),
  ];
  if (live.record !== undefined && live.files === undefined)
    lines.push('! A deployment was interrupted: every document is compared or uploaded again.');
  return `${lines.join('\n')}\n`;
}

export function unsetText({ unset, host }: Pick<BuildToDeploy, 'unset' | 'host'>): string {
  return `${quoteList(unset, 'and')} ${unset.length === 1 ? 'is' : 'are'} not set. The README next to the rules for ${host} explains them.`;
}

/** Lists the commands of the deployment, for `--dry-run`. */
export function commandsText(built: BuildToDeploy, verify: readonly string[]): string {
  const unset = built.unset.length === 0 ? '' : `! ${unsetText(built)}\n`;
  return `${unset}\n  ${built.script.split('/').at(-1)}, which is part of themecast\n  themecast ${verify.join(' ')}\n\nNothing was changed. ${built.repeat} deploys it.\n`;
}

/** Returns the command that restores the previous commit. */
export function rollbackText({ commit }: DeploymentRecord, { again, commit: built }: BuildToDeploy): string {
  return commit === built ? '' : `  Back to the previous commit:\n  ${again(commit, '--allow-older')}\n`;
}
