// The last step of `npm run compile`: writes `lib/index.d.ts` with every public type and nothing else. The
// declarations that tsc emits refer to every module, and so to the types of Node.js and of other packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { catalogue } from '../lib/core/diagnostics/catalogue.js';
import { EDGE_HOSTS } from '../lib/core/theme/site/site.js';

const lib = new URL('../lib/', import.meta.url);

/** Types whose declarations are derived from data. */
/** @type {Record<string, string>} */
const DATA = {
  Code: union(Object.keys(catalogue).toSorted()),
  EdgeHost: union(EDGE_HOSTS),
};

/** @param {readonly string[]} members */
function union(members) {
  return `\n${members.map((member) => `    | '${member}'`).join('\n')}`;
}

/**
 * Returns the declaration of an exported name with its documentation, as TypeScript emits it; its inner lines are indented.
 * @param {string} module
 * @param {string} name
 */
function declaration(module, name) {
  const text = readFileSync(new URL(module.replace(/\.ts$/, '.d.ts'), lib), 'utf8');
  const match = new RegExp(
    `^((?:/\\*\\*(?:[^*]|\\*(?!/))*\\*/\\n)?)export (?:declare )?(interface|class|function|type) ${name}\\b[^]*?(?=\\n\\S(?<!\\}))`,
    'm',
  ).exec(`${text}\nexport`);
  if (match === null) throw new Error(`${module} declares no public ${name}.`);
  const [code = '', comment = '', kind] = match;
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
