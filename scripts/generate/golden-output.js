import { readFileSync } from 'node:fs';
import { codeBlock } from './markdown.js';

/**
 * Returns the output of a command from its golden file, with the call and without the exit code.
 *
 * @param {string} name
 */
export function commandOutput(name) {
  const golden = readFileSync(new URL(`../../test/golden/cli/${name}.txt`, import.meta.url), 'utf8');
  return codeBlock('console', golden.replace(/--- exit code \d+\n$/, '').trimEnd());
}
