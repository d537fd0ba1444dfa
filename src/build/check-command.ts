import { defineCommand } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { checkOptions, printReport, progressLine, whyNot } from './report.ts';
import { outputsOf, repeatedFlags } from '../command-line/site-root.ts';
import { count } from '../diagnostics/quote.ts';
import { invocation, shellWord } from '../io/invocation.ts';

export const command = defineCommand({
  examples: ['check', 'check --strict --format github'],
  flags: {
    themes: FLAGS.themes,
    users: FLAGS.users,
    cache: FLAGS.cache,
    'no-cache': { ...FLAGS['no-cache'], about: 'Read every image again and store nothing' },
    'no-images': { type: 'boolean', about: 'Decode no image: quicker, but less is found' },
    'base-url': FLAGS['base-url'],
    strict: FLAGS.strict,
    quiet: FLAGS.quiet,
    verbose: FLAGS.verbose,
    format: FLAGS.format,
  },
  async run(flags) {
    const started = performance.now();
    const library = await import('./build.ts');
    const progress = progressLine(flags.quiet);
    const decode = !flags['no-images'];
    const options = { ...(await checkOptions(flags)), ...outputsOf(flags.themes), decode, onProgress: progress.show };
    const result = await library.check(options).finally(progress.clear);
    const { ok, themes, users } = result;
    const further = flags.users === undefined ? [] : ['--users', shellWord(flags.users)];
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const text = ok
      ? `✔ ${count(themes, 'theme')} and ${count(users, 'user')} with an assigned theme checked in ${seconds} s\n${decode ? '' : NOT_DECODED}\nNext: \`${invocation('build', [...repeatedFlags({ themes: flags.themes }), ...further])}\` publishes them.\n`
      : `✘ The themes cannot be published: ${whyNot(result)}.\n`;
    await printReport(result, flags, { ok, themes, users, decoded: decode ? undefined : false }, text);
    return ok ? 0 : 1;
  },
});

const NOT_DECODED =
  '! No image was decoded: without `--no-images`, corrupt images and logos that are hard to see are found, too\n';
