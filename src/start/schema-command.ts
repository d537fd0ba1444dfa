import { defineCommand } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { readValidSite } from '../compiler/read-themes.ts';
import { visibleLines } from '../diagnostics/quote.ts';

export const command = defineCommand({
  examples: ['schema', 'schema --out editor'],
  flags: {
    themes: FLAGS.themes,
    out: { type: 'string', value: 'DIR', about: 'Folder to write them to (the folder of the themes)' },
    quiet: { ...FLAGS.quiet, about: 'Print errors only' },
  },
  details:
    'Run the command again after an update, and after changing a list of values in site.yaml: `check` warns when a schema is out of date.',
  async run({ themes, out, quiet }) {
    const { editorSchemas } = await import('../theme/json-schema.ts');
    const { writeSchemas } = await import('./io/schemas.ts');
    const linked = await readValidSite(themes, 'The schemas contain values of site.yaml: fix it first.');
    if (linked === undefined) return 1;
    const files = await writeSchemas(out ?? themes, editorSchemas(linked.settings.site));
    const text = files.length === 0 ? '✔ The schemas are up to date\n' : `✔ Written: ${files.join(', ')}\n`;
    if (!quiet) process.stdout.write(visibleLines(text));
    return 0;
  },
});
