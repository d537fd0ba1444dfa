// Writes what is generated from the source and committed: the JSON schemas for editors, and the tables of the documentation.
// `--check` writes nothing and fails if anything is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { themeSchema } from '../lib/theme/schema.js';
import { siteSchema } from '../lib/theme/site.js';
import { jsonSchema } from './generate/json-schema.js';
import { packageCount } from './generate/packages.js';
import { capabilityTable, diagnosticTable } from './generate/pages.js';
import { siteTable } from './generate/site-settings.js';
import { fieldTable } from './generate/theme-fields.js';

const root = new URL('../', import.meta.url);

const inserts = {
  capabilities: capabilityTable(),
  diagnostics: diagnosticTable(),
  fields: fieldTable(),
  site: siteTable(),
  packages: await packageCount(new URL('package-lock.json', root)),
};

/** @param {string} readme */
function withInserts(readme) {
  return Object.entries(inserts).reduce((text, [name, content]) => {
    const marks = new RegExp(`(<!-- generated: ${name} -->)[^]*?(<!-- /generated -->)`);
    if (!marks.test(text)) throw new Error(`README.md has no place for the table \`${name}\`.`);
    return text.replace(marks, (_, start, end) => `${start}\n\n${content}\n\n${end}`);
  }, readme);
}

const readme = await readFile(new URL('README.md', root), 'utf8');
const files = {
  'themes/theme.schema.json': jsonSchema(themeSchema, 'A theme'),
  'themes/site.schema.json': jsonSchema(siteSchema, 'Settings of the site'),
  'README.md': withInserts(readme),
};
const check = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, root);
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current === text) continue;
  if (check) {
    process.stderr.write(`${name} is out of date: run \`npm run generate\`.\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    process.stdout.write(`Wrote ${name}\n`);
  }
}
