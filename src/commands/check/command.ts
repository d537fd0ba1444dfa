import { defineCommand, UsageError } from '../../system/command-line/command.ts';
import { FLAGS, shardOf } from '../../system/command-line/flags.ts';
import { checkOptions, printReport, progressLine, whyNot } from '../../compiler/report.ts';
import { outputsOf, repeatedFlags } from '../../system/command-line/site-root.ts';
import { count } from '../../core/diagnostics/quote.ts';
import { invocation, shellWord } from '../../system/command-line/invocation.ts';

export const command = defineCommand({
  examples: ['check', 'check --strict --format github'],
  flags: {
    themes: FLAGS.themes,
    users: FLAGS.users,
    cache: FLAGS.cache,
    'no-cache': { ...FLAGS['no-cache'], about: 'Read every image again and store nothing' },
    shard: { type: 'string', value: 'I/N', about: 'Decode images of share I of N of the themes, and read no users' },
    'base-url': FLAGS['base-url'],
    strict: FLAGS.strict,
    quiet: FLAGS.quiet,
    verbose: FLAGS.verbose,
    format: FLAGS.format,
  },
  details: `With --shard, several machines decode the images of one site, each its share into its own cache. Copy the caches into one for
\`build --cache DIR\`.
`,
  async run(flags) {
    const shard = flags.shard === undefined ? undefined : shardOf(flags.shard);
    if (shard !== undefined && flags.users !== undefined)
      throw new UsageError('--shard reads no users: leave out --users.');
    const startTime = performance.now();
    const library = await import('../../compiler/build.ts');
    const progress = progressLine(flags.quiet);
    const options = {
      ...(await checkOptions(flags)),
      ...outputsOf(flags.themes),
      shard,
      onProgress: progress.show,
    };
    const result = await library.check(options).finally(progress.clear);
    const { ok, themes, users } = result;
    const further = flags.users === undefined ? [] : ['--users', shellWord(flags.users)];
    const cache = shard === undefined ? [] : ['--cache DIR'];
    const seconds = ((performance.now() - startTime) / 1000).toFixed(1);
    const summary =
      shard === undefined
        ? `${count(themes, 'theme')} and ${count(users, 'user')} with an assigned theme checked`
        : `${count(themes, 'theme')} checked, the images of share ${shard.index} of ${shard.total} decoded`;
    const text = ok
      ? `✔ ${summary} in ${seconds} s\n\nNext: ${shard === undefined ? '' : 'copy the caches of all shares into one. '}\`${invocation('build', [...repeatedFlags({ themes: flags.themes }), ...cache, ...further])}\` publishes them.\n`
      : `✘ The themes cannot be published: ${whyNot(result)}.\n`;
    await printReport(result, flags, { ok, themes, users, shard }, text);
    return ok ? 0 : 1;
  },
});
