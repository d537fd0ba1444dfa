// The last step of `npm run compile`: `lib/index.d.ts` with every public type in it, and nothing else. What TypeScript writes there
// leads to the declarations of every module, and so to the types of Node.js and of the packages behind them.
import { readFileSync, writeFileSync } from 'node:fs';
import { catalogue } from '../lib/diagnostics/catalogue.js';
import { IMAGE_FIELDS, IMAGE_SET_FIELDS, RECORD_FIELDS, ROWS, SETTING_FIELDS } from '../lib/theme/fields.js';
import { EDGE_HOSTS } from '../lib/theme/site.js';

const lib = new URL('../lib/', import.meta.url);

/** Types that are made of data. */
/** @type {Record<string, string>} */
const DATA = {
  Code: union(Object.keys(catalogue).toSorted()),
  EdgeHost: union(EDGE_HOSTS),
  ImageField: union(IMAGE_FIELDS),
  ImageSetField: union(IMAGE_SET_FIELDS),
  ThemeSettings: members(SETTING_FIELDS),
  ThemeRecord: members(RECORD_FIELDS),
};

/** The members of an object type. @param {readonly (keyof typeof ROWS)[]} fields */
function members(fields) {
  return ` {\n${fields.map((field) => `    ${field}: ${typeOf(ROWS[field])};\n`).join('')}}`;
}

/** @param {import('../lib/theme/field-rows.js').FieldRow} row */
function typeOf(row) {
  if (row.kind !== 'setting') return row.kind === 'image' ? 'string' : 'ImageSet';
  const types = { integer: 'number', pixels: 'number', line: 'string', choice: 'string', boolean: 'boolean' };
  return row.type === 'colours' ? 'string[]' : types[row.type];
}

/** @param {readonly string[]} members */
function union(members) {
  return `\n${members.map((member) => `    | '${member}'`).join('\n')}`;
}

/**
 * The declaration of an exported name with its documentation, as TypeScript wrote it; the lines inside one are indented.
 * @param {string} module
 * @param {string} name
 */
function declaration(module, name) {
  const text = readFileSync(new URL(module.replace(/\.ts$/, '.d.ts'), lib), 'utf8');
  const found = new RegExp(
    `^((?:/\\*\\*(?:[^*]|\\*(?!/))*\\*/\\n)?)export (?:declare )?(interface|class|function|type) ${name}\\b[^]*?(?=\\n\\S(?<!\\}))`,
    'm',
  ).exec(`${text}\nexport`);
  if (found === null) throw new Error(`${module} declares no ${name} that is public.`);
  const [code = '', comment = '', kind] = found;
  if (name === 'ThemeRecord') return `${comment}export interface ${name}${DATA[name]}`;
  if (DATA[name] !== undefined) return `${comment}export type ${name} =${DATA[name]};`;
  return kind === 'class' || kind === 'function' ? code.replace(/^export (?!declare)/m, 'export declare ') : code;
}

const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8');
const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/(.*)';$/gm)].flatMap(
  ([, names = '', module = '']) =>
    names.split(',').map((name) => ({ module, name: name.trim().replace(/^type /, '') })),
);
const declarations = exported.filter(({ name }) => name !== '').map(({ module, name }) => declaration(module, name));
writeFileSync(new URL('index.d.ts', lib), `${declarations.join('\n\n')}\n`);
