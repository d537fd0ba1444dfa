import { writeFile } from 'node:fs/promises';
import { checkOptions } from '../build/report.ts';
import { defineCommand, UsageError, type ValuesOf } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { repeatedFlags } from '../command-line/site-root.ts';
import { count, visibleLines } from '../diagnostics/quote.ts';
import { invocation } from '../io/invocation.ts';
import type { DiffReport } from './report.ts';

const DETAILS = `BASE is a folder of themes or a Git revision. Without one, it is where the branch left the default branch of \`origin\`.
A revision is read from Git's objects: nothing is checked out, fetched or run. User keys are never shown.

Exits with 1 if a change breaks clients or takes the theme of users from them, unless \`--fail-on never\`.
`;

const flags = {
  themes: FLAGS.themes,
  'base-url': FLAGS['base-url'],
  html: { type: 'string', value: 'FILE', about: 'Write a page that shows what changes, before and after' },
  'fail-on': { type: 'string', value: 'KIND', default: 'breaking', about: 'Exit with 1 on breaking changes, or never' },
  cache: FLAGS.cache,
  'no-cache': { ...FLAGS['no-cache'], about: 'Read everything again and store nothing' },
  format: { ...FLAGS.format, about: 'Report as text, markdown or json' },
} as const;

const FORMATS = new Set(['text', 'markdown', 'json']);

export const command = defineCommand({
  examples: ['diff', 'diff HEAD~1 --html review.html'],
  argument: '[BASE]',
  flags,
  details: DETAILS,
  async run(values, base) {
    if (!FORMATS.has(values.format))
      throw new UsageError(`--format must be text, markdown or json, not \`${values.format}\`.`);
    if (!['breaking', 'never'].includes(values['fail-on']))
      throw new UsageError(`--fail-on must be breaking or never, not \`${values['fail-on']}\`.`);
    const { BaseError } = await import('../changes/io/base.ts');
    try {
      return await diff(values, base === '' ? undefined : base);
    } catch (error) {
      if (error instanceof BaseError) throw new UsageError(error.message);
      throw error;
    }
  },
});

async function diff(values: ValuesOf<typeof flags>, name: string | undefined): Promise<number> {
  const { openBase } = await import('../changes/io/base.ts');
  const { checkWritable } = await import('../command-line/writable-file.ts');
  if (values.html !== undefined) checkWritable('--html', values.html);
  const { compareSites } = await import('./io/compare-sites.ts');
  const { withResources } = await import('../build/resources.ts');
  const options = await checkOptions({ ...values, format: 'text' });
  const base = await openBase(name, options.themesDir);
  try {
    return await withResources(options, async (run) => {
      const isAccepted = values['fail-on'] === 'never';
      const reading = { ...run, baseUrl: options.baseUrl };
      const { report, folders } = await compareSites(base, options.themesDir, reading, isAccepted);
      const errors = report.after.diagnostics.filter(({ severity }) => severity === 'error').length;
      if (errors > 0) {
        // A theme with errors is not one that is removed.
        const command = invocation('check', repeatedFlags({ themes: values.themes }));
        process.stderr.write(
          `✘ ${count(errors, 'error')} in the themes: \`${command}\` shows ${errors === 1 ? 'it' : 'them'}. Nothing was compared.\n`,
        );
        return 1;
      }
      if (values.html !== undefined) {
        const { htmlReport } = await import('./html-report.ts');
        const { smallImages } = await import('./io/small-images.ts');
        const images = await smallImages(report, folders, run.decoders);
        await writeFile(values.html, htmlReport(report, images));
      }
      process.stdout.write(await printed(report, values.format, options.themesDir));
      return report.breaking.length > 0 && !isAccepted ? 1 : 0;
    });
  } finally {
    await base.close();
  }
}

async function printed(report: DiffReport, format: string, themesDir: string): Promise<string> {
  if (format === 'json') return (await import('./format-json.ts')).formatJson(report);
  if (format === 'text') return visibleLines((await import('./format-text.ts')).formatText(report));
  const { formatMarkdown } = await import('./format-markdown.ts');
  const { fileLinks } = await import('./io/file-links.ts');
  return formatMarkdown(report, await fileLinks(themesDir));
}
