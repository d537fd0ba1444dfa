// Writes what is generated from the source and committed: the JSON schemas for editors, and the README's tables.
// `--check` writes nothing and fails if anything is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { z } from 'zod';
import { catalogue } from '../lib/diagnostics/catalogue.js';
import { meaningOf, SETTING_DEFAULTS, themeSchema } from '../lib/theme/schema.js';
import { CAPABILITY_COLUMNS, capabilityRow } from '../lib/hosts/capability-table.js';
import { adapters } from '../lib/hosts/registry.js';
import { siteSchema } from '../lib/theme/site.js';

const root = new URL('../', import.meta.url);

/**
 * @param {z.ZodType} schema
 * @param {string} title
 */
function jsonSchema(schema, title) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function table(head, rows) {
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|');
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/**
 * @param {z.ZodType} schema
 * @returns {string}
 */
function describe(schema) {
  const { innerType } = /** @type {{ innerType?: z.ZodType }} */ (schema.def);
  return z.globalRegistry.get(schema)?.description ?? (innerType === undefined ? '' : describe(innerType));
}

const tables = {
  capabilities: table([...CAPABILITY_COLUMNS], Object.values(adapters).map(capabilityRow)),
  diagnostics: table(
    ['code', 'severity', 'what it means'],
    Object.entries(catalogue).map(([code, { severity, about }]) => [`\`${code}\``, severity, about]),
  ),
  fields: table(
    ['field', 'default', 'meaning'],
    themeSchema
      .keyof()
      .options.map((field) => [
        `\`${field}\``,
        field in SETTING_DEFAULTS
          ? `\`${SETTING_DEFAULTS[/** @type {keyof typeof SETTING_DEFAULTS} */ (field)]}\``
          : field === 'is_default'
            ? '`false`'
            : 'none',
        meaningOf(field),
      ]),
  ),
  site: table(
    ['setting', 'default', 'meaning'],
    Object.entries(siteSchema.shape).map(([field, schema]) => {
      const [meaning = '', otherwise = 'required'] = describe(schema).split(' Default: ');
      return [`\`${field}\``, otherwise.replace(/\.$/, ''), meaning];
    }),
  ),
};

/** @typedef {{ dev?: boolean, optional?: boolean, hasInstallScript?: boolean, dependencies?: Record<string, string> }} Locked */
/** @type {{ packages: Record<string, Locked> }} */
const { packages } = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
const runtime = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);
const always = runtime.filter(([, { optional }]) => optional !== true);
const without = reachable(Object.keys(packages['']?.dependencies ?? {}).filter((name) => name !== 'http-server'));
const scripts = runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true);

/** The packages that these need, themselves among them: by name, since there is one version of nearly every one. @param {string[]} names */
function reachable(names) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const queue = [...names]; queue.length > 0;) {
    const name = queue.pop() ?? '';
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}));
  }
  return found;
}

const sentences = {
  packages: `A build has ${always.length} packages at run time, ${always.length - without.size} of them for \`http-server\`, and those of sharp's ${runtime.length - always.length} binaries that fit the platform; ${scripts.length === 0 ? 'none' : scripts.length} of them runs code when it is installed.`,
};

/** @param {string} readme */
function withTables(readme) {
  return Object.entries({ ...tables, ...sentences }).reduce((text, [name, content]) => {
    const marks = new RegExp(`(<!-- generated: ${name} -->)[^]*?(<!-- /generated -->)`);
    if (!marks.test(text)) throw new Error(`README.md has no place for the table \`${name}\`.`);
    return text.replace(marks, (_, start, end) => `${start}\n\n${content}\n\n${end}`);
  }, readme);
}

const readme = await readFile(new URL('README.md', root), 'utf8');
const files = {
  'themes/theme.schema.json': jsonSchema(themeSchema, 'A theme'),
  'themes/site.schema.json': jsonSchema(siteSchema, 'Settings of the site'),
  'README.md': withTables(readme),
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
