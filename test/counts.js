// Loaded before the command line (`node --import`): writes what the process opens, examines and loads to the file that COUNTS names.
import { appendFileSync } from 'node:fs';
import fs from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';

const { COUNTS = '' } = process.env;
/** @type {string[]} */
const lines = [];
for (const name of /** @type {const} */ (['openSync', 'lstatSync', 'statSync', 'readFileSync'])) {
  const original = fs[name];
  /** @type {any} */ (fs)[name] = (/** @type {[any]} */ ...args) => {
    lines.push(`${name} ${args[0]}`);
    return /** @type {any} */ (original)(...args);
  };
}
const { open } = fs.promises;
fs.promises.open = (file, ...rest) => {
  lines.push(`openSync ${/** @type {string} */ (file)}`);
  return open(file, ...rest);
};
syncBuiltinESMExports();
process.on('exit', () => appendFileSync(COUNTS, lines.map((line) => `${line}\n`).join('')));

const hook = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(${JSON.stringify(COUNTS)}, 'module ' + url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
