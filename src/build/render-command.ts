import { defineCommand } from '../command-line/command.ts';
import { FLAGS, shardOf } from '../command-line/flags.ts';
import { checkOptions, printReport, progressLine, whyNot } from './report.ts';
import { outputsOf } from '../command-line/site-root.ts';
import { count } from '../diagnostics/quote.ts';

export const command = defineCommand({
  examples: ['render', 'render --shard 1/4 --cache .cache'],
  flags: {
    themes: FLAGS.themes,
    shard: { type: 'string', value: 'I/N', about: 'Render shard I of N' },
    cache: FLAGS.cache,
    'base-url': FLAGS['base-url'],
    strict: FLAGS.strict,
    quiet: FLAGS.quiet,
    verbose: FLAGS.verbose,
    format: FLAGS.format,
  },
  details: `Several machines can render one site: each renders its shard into a cache of its own. Copy the caches into one, and
publish with \`themecast build --cache DIR --expect-cached\`.
`,
  async run(flags) {
    const shard = flags.shard === undefined ? undefined : shardOf(flags.shard);
    const options = { ...(await checkOptions(flags)), ...outputsOf(flags.themes) };
    const library = await import('./render.ts');
    const progress = progressLine(flags.quiet);
    const result = await library.render({ ...options, shard, onProgress: progress.show }).finally(progress.clear);
    const { ok, themes, rendered, cached, left } = result;
    const figures = { ok, themes, rendered, cached, left, ...(shard && { shard }) };
    const lines = [
      `✔ ${count(themes, 'theme')} checked${shard === undefined ? '' : `; shard ${shard.index} of ${shard.total}`}`,
      `✔ ${count(rendered, 'image')} rendered, ${cached} from the cache${shard === undefined ? '' : `, ${left} left to the other shards`}`,
      '',
    ];
    const text = ok ? lines.join('\n') : `✘ Not everything was rendered: ${whyNot(result)}.\n`;
    await printReport(result, flags, figures, text);
    return ok ? 0 : 1;
  },
});
