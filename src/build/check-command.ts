import { defineCommand } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { checkOptions, printReport, whyNot } from './report.ts';
import { outputOf, repeatedFlags } from '../command-line/site-root.ts';
import { count } from '../diagnostics/quote.ts';
import { invocation, shellWord } from '../io/invocation.ts';

export const command = defineCommand({
  flags: {
    themes: FLAGS.themes,
    users: FLAGS.users,
    cache: FLAGS.cache,
    'no-cache': { ...FLAGS['no-cache'], about: 'Read every image again and store nothing' },
    'base-url': FLAGS['base-url'],
    strict: FLAGS.strict,
    quiet: FLAGS.quiet,
    format: FLAGS.format,
  },
  async run(flags) {
    const started = performance.now();
    const library = await import('./build.ts');
    const result = await library.check({ ...(await checkOptions(flags)), outDir: outputOf(flags.themes) });
    const { ok, themes, users } = result;
    const further = flags.users === undefined ? [] : ['--users', shellWord(flags.users)];
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const text = ok
      ? `✔ ${count(themes, 'theme')} and ${count(users, 'user')} with a theme of their own checked in ${seconds} s\n\nNext: \`${invocation('build', [...repeatedFlags({ themes: flags.themes }), ...further])}\` publishes them.\n`
      : `✘ The themes cannot be published: ${whyNot(result)}.\n`;
    await printReport(result, flags, { ok, themes: themes, users }, text);
    return ok ? 0 : 1;
  },
});
