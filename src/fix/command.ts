import { defineCommand } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { checkOptions } from '../build/report.ts';
import { outputsOf, repeatedFlags } from '../command-line/site-root.ts';
import { showsColours } from '../command-line/colours.ts';
import { count, visibleLine, visibleLines } from '../diagnostics/quote.ts';
import type { FixPlan } from './io/fix.ts';
import { invocation } from '../io/invocation.ts';

export const command = defineCommand({
  examples: ['fix', 'fix --write'],
  flags: {
    themes: FLAGS.themes,
    write: { type: 'boolean', about: 'Write the fixes; without it they are only shown' },
    cache: FLAGS.cache,
    'no-cache': { ...FLAGS['no-cache'], about: 'Read every image again and store nothing' },
    'base-url': FLAGS['base-url'],
  },
  details:
    'A fix replaces the text that a diagnostic points at, and that is what is shown; all else stays. Files of users are never changed. It may bring out another diagnostic: run the command until it has nothing to do. Exit code 1 means that there are fixes that were not written.',
  async run({ write, ...flags }) {
    const { planFixes, writeFixes } = await import('./io/fix.ts');
    const { formatFixes } = await import('./io/fixes.ts');
    const options = { ...(await checkOptions({ ...flags, format: 'text' })), ...outputsOf(flags.themes) };
    const call = (name: string, ...more: string[]): string =>
      `\`${invocation(name, [...repeatedFlags({ themes: flags.themes }), ...more])}\``;
    const plan = await planFixes(options);
    process.stdout.write(formatFixes(plan.files, showsColours()));
    const failed = write ? await writeFixes(flags.themes, plan.files) : [];
    const refused = [...plan.refused, ...failed];
    for (const { file, reason } of refused)
      process.stdout.write(visibleLine(`! ${file} is left as it is: ${reason}.`) + '\n');
    const written = write ? plan.files.length - failed.length : undefined;
    process.stdout.write(visibleLines(summary(plan, written, call)));
    return refused.length === 0 && (write || plan.files.length === 0) ? 0 : 1;
  },
});

/** @param written - how many files were written; nothing without `--write` */
function summary(
  { files, diagnostics }: FixPlan,
  written: number | undefined,
  call: (name: string, ...flags: string[]) => string,
): string {
  if (files.length === 0)
    return diagnostics.length === 0
      ? '✔ There is nothing to fix\n'
      : `✔ There is nothing that can be fixed without you: ${call('check')} lists ${count(diagnostics.length, 'problem')}.\n`;
  if (written === undefined)
    return `Nothing was written.\n\nNext: ${call('fix', '--write')} writes ${count(files.length, 'file')}.\n`;
  return `✔ ${count(written, 'file')} written\n\nNext: ${call('check')} lists what is left.\n`;
}
