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
    branch: { type: 'string', value: 'NAME', about: 'Branch that changes are merged into (the one checked out)' },
    oauth: {
      type: 'string',
      value: 'CLIENT',
      about: 'OAuth client that editors sign in with: a URL (GitHub) or an id (GitLab)',
    },
    quiet: { ...FLAGS.quiet, about: 'Print errors only' },
  },
  async run({ quiet, ...given }) {
    const { checkAdmin, writeCms } = await import('./io/write-cms.ts');
    checkAdmin(given);
    const linked = await readValidSite(given.themes, 'No form can be made without a valid site.yaml.');
    if (linked === undefined) return 1;
    const report = await writeCms(given, linked);
    if (!quiet) process.stdout.write(visibleLines(report));
    return 0;
  },
});
