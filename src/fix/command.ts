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
    'A fix replaces the text that a diagnostic points at; all else stays. It may bring out another diagnostic: run the command until it has nothing to do. Fixes of user files are shown without the lines, which contain user keys. Exit code 1 means that there are fixes that were not written.',
  async run({ write, ...flags }) {
    const { planFixes, writeFixes } = await import('./io/fix.ts');
    const { formatFixes } = await import('./io/fixes.ts');
    const options = { ...(await checkOptions({ ...flags, format: 'text' })), ...outputsOf(flags.themes) };
    const call = (name: string, ...more: string[]): string =>
      `\`${invocation(name, [...repeatedFlags({ themes: flags.themes }), ...more])}\``;
    const plan = await planFixes(options);
    process.stdout.write(formatFixes(plan.files, showsColours()));
    const refused = [...plan.refused, ...(write ? await writeFixes(flags.themes, plan.files) : [])];
    for (const { file, reason } of refused)
      process.stdout.write(visibleLine(`! ${file} is left as it is: ${reason}.`) + '\n');
    const isDone = refused.length === 0 && (write || plan.files.length === 0);
    const changed = plan.files.filter(({ file }) => !refused.some((one) => one.file === file));
    const left = write && changed.length > 0 ? await planFixes(options) : plan;
    const text = write ? writtenLines(changed, left, call) : shownLines(plan, call);
    process.stdout.write(visibleLines(text));
    return isDone ? 0 : 1;
  },
});

type Call = (name: string, ...flags: string[]) => string;

function shownLines({ files, diagnostics }: FixPlan, call: Call): string {
  if (files.length === 0) return nothingLines(diagnostics.length, call);
  return `${changes(files)} Nothing was written.\n\nNext: ${call('fix', '--write')} writes ${count(files.length, 'file')}.\n`;
}

function nothingLines(problems: number, call: Call): string {
  if (problems === 0) return '✔ There is nothing to fix\n';
  return `✔ There is nothing that can be fixed without you: ${call('check')} lists ${count(problems, 'problem')}.\n`;
}

function writtenLines(files: FixPlan['files'], left: FixPlan, call: Call): string {
  const remaining = left.diagnostics.length;
  if (files.length === 0) return nothingLines(remaining, call);
  const written = `✔ ${count(files.length, 'file')} written\n`;
  if (remaining === 0) return `${written}\nNext: ${call('build')} publishes the themes.\n`;
  const remain = `${count(remaining, 'problem')} ${remaining === 1 ? 'remains' : 'remain'}`;
  return left.files.length === 0
    ? `${written}${remain}: ${call('check')}\n`
    : `${written}${remain}, and more can be fixed now: ${call('fix', '--write')}\n`;
}

function changes(files: FixPlan['files']): string {
  const edits = files.reduce((sum, file) => sum + file.edits.length, 0);
  return `${count(edits, 'fix', 'fixes')} in ${count(files.length, 'file')}.`;
}
