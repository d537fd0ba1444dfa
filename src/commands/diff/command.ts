import { writeFile } from 'node:fs/promises';
import { checkOptions } from '../../compiler/report.ts';
import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';
import { repeatedFlags } from '../../system/command-line/site-root.ts';
import { count, visibleLines } from '../../core/diagnostics/quote.ts';
import { invocation } from '../../system/command-line/invocation.ts';
import type { Decoders } from '../../system/decoder/pool.ts';
import type { Base } from '../changes/io/base.ts';
import { type DiffReport, errorsOf } from './report.ts';

const DETAILS = `BASE is a Git revision, or a folder of themes, written with \`./\`, \`../\` or \`/\` in front. The default is where the branch left the default branch of \`origin\`.
Nothing is checked out, and user keys are never shown.

Exits with 1 if a change could break clients or take users' themes away, unless \`--fail-on never\`.
`;

const flags = {
  themes: FLAGS.themes,
  'base-url': FLAGS['base-url'],
  html: { type: 'string', value: 'FILE', about: 'Write a page with the changes, before and after' },
  'fail-on': { type: 'string', value: 'KIND', default: 'breaking', about: 'Exit with 1 on breaking changes, or never' },
  cache: FLAGS.cache,
  'no-cache': { ...FLAGS['no-cache'], about: 'Read everything again and store nothing' },
  format: { ...FLAGS.format, about: 'Report as text or markdown' },
} as const;

/** Errors after the removal of a theme, about its users and hostnames; all other themes are valid. */
const REMOVAL_ERRORS: ReadonlySet<string> = new Set(['mapping/unknown-theme', 'edge/hostname-theme']);

export const command = defineCommand({
  examples: ['diff', 'diff HEAD~1 --html review.html'],
  argument: '[BASE]',
  flags,
  details: DETAILS,
  async run(values, name) {
    if (!['text', 'markdown'].includes(values.format))
      throw new UsageError(`--format must be text or markdown, not \`${values.format}\`.`);
    if (!['breaking', 'never'].includes(values['fail-on']))
      throw new UsageError(`--fail-on must be breaking or never, not \`${values['fail-on']}\`.`);
    const { checkWritable } = await import('../../system/command-line/writable-file.ts');
    if (values.html !== undefined) checkWritable('--html', values.html);
    const options = await checkOptions({ ...values, format: 'text' });
    // Modules are loaded while Git reads.
    const [base, { withResources }, { compareSites }] = await Promise.all([
      import('../changes/io/base.ts').then(({ openBase }) => openBase(name || undefined, options.themesDir)),
      import('../../compiler/store/resources.ts'),
      import('./io/compare-sites.ts'),
    ]);
    const isAccepted = values['fail-on'] === 'never';
    try {
      return await withResources(options, async (run) => {
        const reading = { ...run, baseUrl: options.baseUrl };
        const report = await compareSites(base, options.themesDir, reading, isAccepted);
        const errors = errorsOf(report);
        // A theme with errors must not be reported as removed.
        if (errors.some(({ code }) => !REMOVAL_ERRORS.has(code))) {
          const command = invocation('check', repeatedFlags({ themes: values.themes }));
          if (values.format === 'markdown')
            process.stdout.write((await import('./format-markdown.ts')).formatErrorsMarkdown(errors));
          process.stderr.write(`✘ Nothing was compared: \`${command}\` lists ${count(errors.length, 'error')}.\n`);
          return 1;
        }
        await print(report, values, base, run.decoders);
        return errors.length > 0 || (report.breaking.length > 0 && !isAccepted) ? 1 : 0;
      });
    } finally {
      await base.close();
    }
  },
});

async function print(
  report: DiffReport,
  { format, html, themes }: ValuesOf<typeof flags>,
  base: Base,
  decoders: Decoders,
): Promise<void> {
  if (html !== undefined) {
    const { htmlReport } = await import('./html-report.ts');
    const { smallImages } = await import('./io/small-images.ts');
    const { communityStyle } = await import('../../compiler/runtime.ts');
    const images = await smallImages(report, base, themes, decoders);
    await writeFile(html, htmlReport(report, images, communityStyle('commands/diff/review.css')));
  }
  process.stdout.write(
    format === 'text'
      ? visibleLines((await import('./format-text.ts')).formatText(report))
      : (await import('./format-markdown.ts')).formatMarkdown(report),
  );
}
