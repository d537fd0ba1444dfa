import { editYaml } from '../source/edit-yaml.ts';
import { parseYaml } from '../source/yaml.ts';
import { themeSchema } from './schema.ts';

/** The fields of theme.yaml in the order in which new ones are inserted. */
const ORDER = Object.keys(themeSchema.shape);

/** What a comment says beside an image that is to be replaced. */
export const PLACEHOLDER_NOTE = 'placeholder';

/**
 * Changes fields of a theme.yaml and no other byte.
 * @param replaced - the fields of images that are no placeholders any more: the comments that say so are removed
 * @returns nothing if the file would have to be rewritten for that: the result would not be read back as exactly that
 */
export function editTheme(
  text: string,
  changes: ReadonlyMap<string, unknown>,
  replaced: ReadonlySet<string> = new Set(),
): string | undefined {
  const read = (yaml: string) => parseYaml('', yaml, () => undefined)?.data;
  const expected = { ...read(text) };
  for (const [field, value] of changes) {
    if (value === undefined) delete expected[field];
    else expected[field] = value;
  }
  const edited = editYaml(text, changes, ORDER)?.replaceAll(NOTED, (line, start: string, field: string) =>
    replaced.has(field) ? start : line,
  );
  const fields = (edited !== undefined && read(edited)) || {};
  const names = new Set([...Object.keys(expected), ...Object.keys(fields)]);
  const isExact = [...names].every((name) => JSON.stringify(expected[name]) === JSON.stringify(fields[name]));
  return isExact ? edited : undefined;
}

/** A line of an image with the note. */
const NOTED = new RegExp(`^(([a-z_]+):.*?)(?<![ \\t])[ \\t]+# ${PLACEHOLDER_NOTE}[ \\t]*(?=\\r?$)`, 'gm');
