import { writeFile } from 'node:fs/promises';
import { checkOptions } from '../build/report.ts';
import { defineCommand, UsageError, type ValuesOf } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { repeatedFlags } from '../command-line/site-root.ts';
import { count, visibleLines } from '../diagnostics/quote.ts';
import { invocation } from '../io/invocation.ts';
import type { Decoders } from '../io/decoder/pool.ts';
import type { compareSites } from './io/compare-sites.ts';

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
  async run(values, name) {
    if (!FORMATS.has(values.format))
      throw new UsageError(`--format must be text, markdown or json, not \`${values.format}\`.`);
    if (!['breaking', 'never'].includes(values['fail-on']))
      throw new UsageError(`--fail-on must be breaking or never, not \`${values['fail-on']}\`.`);
    const { checkWritable } = await import('../command-line/writable-file.ts');
    if (values.html !== undefined) checkWritable('--html', values.html);
    const { BaseError, openBase } = await import('../changes/io/base.ts');
    const options = await checkOptions({ ...values, format: 'text' });
    try {
      // Git reads while modules are loaded.
      const [base, { withResources }, { compareSites }] = await Promise.all([
        openBase(name === '' ? undefined : name, options.themesDir),
        import('../build/resources.ts'),
        import('./io/compare-sites.ts'),
      ]);
      const isAccepted = values['fail-on'] === 'never';
      try {
        return await withResources(options, async (run) => {
          const context = { ...run, baseUrl: options.baseUrl };
          const compared = await compareSites(base, options.themesDir, context, isAccepted);
          return printed(compared, values, options.themesDir, run.decoders);
        });
      } finally {
        await base.close();
      }
    } catch (error) {
      if (error instanceof BaseError) throw new UsageError(error.message);
      throw error;
    }
  },
});

async function printed(
  { report, folders }: Awaited<ReturnType<typeof compareSites>>,
  { format, html, themes, 'fail-on': failOn }: ValuesOf<typeof flags>,
  themesDir: string,
  decoders: Decoders,
): Promise<number> {
  const errors = report.after.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) {
    // A theme with errors is not one that is removed.
    const command = invocation('check', repeatedFlags({ themes }));
    process.stderr.write(
      `✘ ${count(errors, 'error')} in the themes: \`${command}\` shows ${errors === 1 ? 'it' : 'them'}. Nothing was compared.\n`,
    );
    return 1;
  }
  if (html !== undefined) {
    const { htmlReport } = await import('./html-report.ts');
    const { smallImages } = await import('./io/small-images.ts');
    await writeFile(html, htmlReport(report, await smallImages(report, folders, decoders)));
  }
  if (format === 'json') process.stdout.write((await import('./format-json.ts')).formatJson(report));
  else if (format === 'text') process.stdout.write(visibleLines((await import('./format-text.ts')).formatText(report)));
  else {
    const { formatMarkdown } = await import('./format-markdown.ts');
    const { fileLinks } = await import('./io/file-links.ts');
    process.stdout.write(formatMarkdown(report, await fileLinks(themesDir)));
  }
  return report.breaking.length > 0 && failOn !== 'never' ? 1 : 0;
}
