import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';
import { hostnameFlag, searchedKeys } from '../../system/command-line/keys.ts';
import { checkOptions } from '../../compiler/report.ts';
import { repeatedFlags } from '../../system/command-line/site-root.ts';
import { compact } from '../../core/diagnostics/compact.ts';
import { count, visibleLines } from '../../core/diagnostics/quote.ts';
import { suggest } from '../../core/diagnostics/suggest.ts';
import { invocation } from '../../system/command-line/invocation.ts';
import type { Site, UsersOfTheme } from './io/lookup.ts';
import type { SearchedKey } from '../../core/users/mapping.ts';

const flags = {
  group: FLAGS.group,
  hostname: { type: 'string', value: 'NAME', about: 'The hostname of the request, where identity reads it' },
  theme: { type: 'string', value: 'SLUG', about: 'Show who gets this theme: how many, and a sample' },
  themes: FLAGS.themes,
  users: FLAGS.users,
  'base-url': FLAGS['base-url'],
} as const;

type WhoFlags = ValuesOf<typeof flags>;

export const command = defineCommand({
  examples: ['who u-1001', 'who --theme meadow'],
  argument: '[USER]',
  flags,
  async run(values, user) {
    const keys = searchedKeys(user === '' ? [] : [user], values.group);
    checkCall(values, keys);
    if (values.hostname !== undefined) hostnameFlag(values.hostname);
    const { isFolder } = await import('../../system/disk/files.ts');
    const options = await checkOptions({ ...values, format: 'text' });
    if (!(await isFolder(options.themesDir))) {
      process.stderr.write(
        visibleLines(`The themes folder ${options.themesDir} does not exist. Name another with \`--themes DIR\`.\n`),
      );
      return 1;
    }
    const { Diagnostics } = await import('../../core/diagnostics/diagnostic.ts');
    const { openSite } = await import('./io/lookup.ts');
    const diagnostics = new Diagnostics();
    const site = await openSite(options, diagnostics.report);
    const warn = (): void => warnAboutErrors(diagnostics.sorted, values);
    if (values.theme === undefined) return showUser(site, keys, values, warn);
    await showTheme(site, values.theme);
    warn();
    return 0;
  },
});

function checkCall({ theme, hostname }: WhoFlags, keys: readonly SearchedKey[]): void {
  if ((keys.length === 0 && hostname === undefined) === (theme === undefined))
    throw new UsageError(
      'Name a user, a `--group`, both, or a `--hostname`; or use `--theme` to show who gets a theme.',
    );
}

/** Prints which theme a user or group gets. */
async function showUser(
  site: Site,
  keys: readonly SearchedKey[],
  { group, hostname }: WhoFlags,
  warn: () => void,
): Promise<number> {
  const { readsHostGroups } = await import('../../hosts/contract/hostnames.ts');
  if (group !== undefined && hostname !== undefined && readsHostGroups(site.linked.settings.site.identity))
    throw new UsageError('Name a `--group` or a `--hostname`, not both: the group of a hostname is the hostname.');
  const { explain } = await import('./io/lookup.ts');
  const { formatExplanation } = await import('../../hosts/explain/explain.ts');
  const explained = await explain(site, keys, hostname === undefined ? undefined : hostnameFlag(hostname));
  process.stdout.write(visibleLines(formatExplanation(explained)));
  warn();
  return 0;
}

async function showTheme(site: Site, theme: string): Promise<void> {
  const { whoGets } = await import('./io/lookup.ts');
  const { slugs } = site.linked.walk;
  if (!slugs.includes(theme)) {
    const close = suggest(theme, slugs);
    throw new UsageError(`There is no theme \`${theme}\`.${close === undefined ? '' : ` Did you mean \`${close}\`?`}`);
  }
  process.stdout.write(visibleLines(usersText(theme, await whoGets(site, theme))));
}

const MAX_HOSTNAMES = 10;

function usersText(theme: string, { counts, hostnames, sample, isDefault }: UsersOfTheme): string {
  const totals = (['user', 'group'] as const).flatMap((kind) =>
    counts[kind] === 0 ? [] : [count(counts[kind], kind)],
  );
  const more = counts.user + counts.group - sample.length;
  if (hostnames.length > 0) totals.push(count(hostnames.length, 'hostname'));
  const holders = totals.length === 0 ? 'no user' : new Intl.ListFormat('en-GB').format(totals);
  return compact([
    `${theme} is assigned to ${holders}${isDefault ? '; everyone else gets it too: it is the default theme' : ''}.`,
    ...sample.map(({ kind, key }) => `  ${kind}  ${key}`),
    more > 0 && `  … and ${more.toLocaleString('en')} more`,
    ...hostnames.slice(0, MAX_HOSTNAMES).map((name) => `  hostname  ${name}`),
    hostnames.length > MAX_HOSTNAMES && `  … and ${hostnames.length - MAX_HOSTNAMES} more`,
    '',
  ]).join('\n');
}

/** Warns on stderr about errors in the themes; `check` shows them. */
function warnAboutErrors(diagnostics: readonly { severity: string }[], { themes }: WhoFlags): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return;
  process.stderr.write(
    `! ${count(errors, 'error')} in the themes or files of users: \`${invocation('check', repeatedFlags({ themes }))}\` shows them; nothing is published until they are fixed.\n`,
  );
}
