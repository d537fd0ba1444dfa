// Writes the committed files that are generated from the source: JSON schemas for editors, workflows, and parts of the
// documentation. `--check` writes nothing and fails if anything is out of date.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { editorSchemas } from '../lib/core/theme/json-schema.js';
import { commandSections, commandList, generalFlags } from './generate/commands.js';
import { diagnosticCodes, diagnosticExample } from './generate/diagnostics.js';
import { clientFixtures } from './generate/fixtures.js';
import { capabilityTable } from './generate/hosts.js';
import { commandOutput } from './generate/golden-output.js';
import { replaceParts } from './generate/markdown.js';
import { packageCount } from './generate/packages.js';
import { roomTable } from './generate/rooms.js';
import { siteTable } from './generate/site-settings.js';
import { fieldTable } from './generate/theme-fields.js';
import { exampleWorkflows } from './generate/workflows.js';

const root = new URL('../', import.meta.url);

/** The generated parts of pages, by the name in their markers. */
const parts = {
  capabilities: capabilityTable(),
  'command-list': commandList(),
  commands: commandSections(),
  'general-flags': generalFlags(),
  'diagnostic-example': diagnosticExample('field/unknown'),
  diagnostics: diagnosticCodes(),
  fields: fieldTable(),
  packages: await packageCount(new URL('package-lock.json', root)),
  rooms: roomTable(),
  site: siteTable(),
  'who-output': commandOutput('who-user'),
};

const docs = (await readdir(new URL('docs/', root))).filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'src/README.md', ...docs.map((name) => `docs/${name}`)];
const pageTexts = await Promise.all(pages.map((name) => readFile(new URL(name, root), 'utf8')));
const unusedParts = Object.keys(parts).filter(
  (name) => !pageTexts.some((text) => text.includes(`<!-- generated: ${name} -->`)),
);
if (unusedParts.length > 0) throw new Error(`No page has a place for ${unusedParts.join(', ')}.`);

const files = {
  ...exampleWorkflows(),
  ...clientFixtures(),
  ...Object.fromEntries(Object.entries(editorSchemas()).map(([name, text]) => [`themes/${name}`, text])),
  ...Object.fromEntries(pages.map((name, index) => [name, replaceParts(pageTexts[index] ?? '', parts)])),
};
const check = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, root);
  const oldText = await readFile(file, 'utf8').catch(() => '');
  if (oldText === text) continue;
  if (check) {
    process.stderr.write(`${name} is out of date: run \`npm run generate\`.\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    process.stdout.write(`Wrote ${name}\n`);
  }
}
