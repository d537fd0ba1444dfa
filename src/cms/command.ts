import { defineCommand } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { readValidSite } from '../compiler/read-themes.ts';
import { visibleLines } from '../diagnostics/quote.ts';

export const command = defineCommand({
  examples: ['cms', 'cms --branch main --admin public/admin'],
  flags: {
    themes: FLAGS.themes,
    admin: {
      type: 'string',
      value: 'DIR',
      default: 'admin',
      inSiteRoot: true,
      about: 'Folder to write the page to',
    },
    branch: { type: 'string', value: 'NAME', about: 'Branch to merge changes into (default: the current branch)' },
    oauth: {
      type: 'string',
      value: 'CLIENT',
      about: 'OAuth client for editors: a URL (GitHub) or an id (GitLab)',
    },
    quiet: { ...FLAGS.quiet, about: 'Print errors only' },
  },
  async run({ quiet, ...options }) {
    const { checkAdmin, writeCms } = await import('./io/write-cms.ts');
    checkAdmin(options);
    const linked = await readValidSite(options.themes, 'The form needs a valid site.yaml: fix it first.');
    if (linked === undefined) return 1;
    const report = await writeCms(options, linked);
    if (!quiet) process.stdout.write(visibleLines(report));
    return 0;
  },
});
