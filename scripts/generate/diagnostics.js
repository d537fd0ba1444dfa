import { readFileSync } from 'node:fs';
import { catalogue } from '../../lib/core/diagnostics/catalogue.js';
import { codeBlock } from './markdown.js';

const FIXTURES = new URL('../../test/fixtures/invalid/', import.meta.url);

/** @typedef {[code: string, entry: { severity: string, about: string }]} Entry */

/** Lists the codes of each area, and its subject. */
export function diagnosticCodes() {
  /** @type {Entry[]} */
  const entries = Object.entries(catalogue);
  return Object.entries(AREA_SUBJECTS)
    .map(([area, subject]) => {
      /** @param {string} severity */
      const codes = (severity) =>
        entries
          .filter(([code, entry]) => areaOf(code) === area && entry.severity === severity)
          .map(([code]) => `\`${code}\``)
          .join(', ');
      const [errors, warnings] = [codes('error'), codes('warning')];
      return `- **${area}**: ${subject}${errors && ` Errors: ${errors}.`}${warnings && ` Warnings: ${warnings}.`}`;
    })
    .join('\n');
}

/** The subject of the codes in each area. @type {Readonly<Record<string, string>>} */
const AREA_SUBJECTS = {
  yaml: 'YAML that is not well-formed, has another meaning than it seems to have, or uses features which themes do not need.',
  file: 'A file that cannot be read, or has a name that some systems do not support.',
  field: 'A field of `theme.yaml` or `site.yaml` that is unknown, missing, of another type, or outside its range.',
  theme: 'The set of themes: folder names, ids, parents, and the default theme.',
  schema: 'Schemas for editors that another version wrote.',
  palette: 'The nine colours: their number and notation.',
  image: 'An image that a field refers to: its path, format, size and appearance.',
  svg: 'SVG features that a static image does not need (scripts, links, external references), or that other machines draw differently.',
  mapping: 'The files that assign themes to users: headers, columns, keys and themes.',
  redirect: 'The lines of `redirects.csv`: each redirects an old path to a published image.',
  edge: 'Settings that a host of `edge` does not support, exceeded limits of a host, and rules of `identity` that no request can match.',
  output: 'Build output that is tracked by Git.',
};

/**
 * Returns the first diagnostic with a code that its fixture prints.
 *
 * @param {string} code
 */
export function diagnosticExample(code) {
  const printed = readFileSync(new URL(`${code.replace('/', '.')}/want.txt`, FIXTURES), 'utf8').split(/\n\n(?=\S)/);
  const example = printed.find((text) => text.split('\n')[0]?.endsWith(`[${code}]`));
  return codeBlock('text', (example ?? '').trimEnd());
}

/** @param {string} code */
function areaOf(code) {
  return code.split('/')[0] ?? '';
}
