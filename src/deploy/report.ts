import { count, firstOf, quoteList } from '../diagnostics/quote.ts';
import { type DeploymentRecord, liveSince } from '../document/deployment.ts';
import { fileSize } from '../document/file-size.ts';
import type { Built, LiveSite, Plan } from './plan.ts';

/** Returns the changes of a deployment, in numbers. @param name - the place: a server, or `base_url` */
export function planText(
  plan: Plan,
  { host, commit, difference }: Built,
  live: LiveSite | undefined,
  name: string,
): string {
  const { images, changed, gone, retained, goneThemes } = plan;
  const row = (name: string, files: number, listed: readonly { bytes: number }[] = []): string => {
    const size = fileSize(listed.reduce((sum, { bytes }) => sum + bytes, 0));
    return `  ${name.padEnd(28)}${String(files).padStart(8)}${listed.length === 0 ? '' : size.padStart(10)}`;
  };
  const lines = [
    `${name}, ${host}`,
    `  live   ${live === undefined ? 'nothing that is known' : liveSince(live.record)}`,
    `  build  ${commit.slice(0, 7)}`,
    row('new images', images.length, images),
    row('changed documents', changed.length, changed),
    row('documents that are gone', gone.length),
    row('images retained for caches', retained.length, retained),
  ];
  if (live !== undefined && live.files === undefined)
    lines.push('! A deployment was interrupted: every document is compared or uploaded again.');
  if (goneThemes.length > 0)
    lines.push(
      `! ${count(goneThemes.length, 'theme')} of the live site not in this build: ${firstOf(goneThemes, MAX_NAMED)}. Their users get what this build gives them: \`${difference(live?.record.commit.slice(0, 7) ?? '')}\` counts them.`,
    );
  return `${lines.join('\n')}\n`;
}

const MAX_NAMED = 5;

/** The environment variables that have to be set first. */
export function unsetText({ unset, host }: Pick<Built, 'unset' | 'host'>): string {
  return `${quoteList(unset, 'and')} ${unset.length === 1 ? 'is' : 'are'} not set. The README beside the rules for ${host} says what to set.`;
}

/** The commands that a deployment runs, for `--dry-run`. */
export function commandsText(built: Built, verify: readonly string[]): string {
  const unset = built.unset.length === 0 ? '' : `! ${unsetText(built)}\n`;
  return `${unset}\n  RECORD=… EXPECT=… DIST=… sh ${built.script}\n  themecast ${verify.join(' ')}\n\nNothing was changed. ${built.repeat} deploys it.\n`;
}

/** How to go back to what was live before. */
export function wayBack({ commit }: DeploymentRecord, { again, commit: own }: Built): string {
  return commit === own ? '' : `  Back to what was live before:\n  ${again(commit, '--allow-older')}\n`;
}
