import { editYaml } from '../source/edit-yaml.ts';
import { parseYaml } from '../source/yaml.ts';
import { themeSchema } from './schema.ts';

/** The fields of theme.yaml, in the order for inserting new ones. */
const ORDER = Object.keys(themeSchema.shape);

/** The comment beside an image that is a placeholder. */
export const PLACEHOLDER_NOTE = 'placeholder';

/**
 * Changes fields of a theme.yaml and no other byte.
 * @param replaced - fields whose images are no longer placeholders: their placeholder comments are removed
 * @returns undefined if the edited text would not parse to exactly the changed fields
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
  const edited = editYaml(text, changes, ORDER)?.replaceAll(PLACEHOLDER_LINE, (line, start: string, field: string) =>
    replaced.has(field) ? start : line,
  );
  const fields = (edited !== undefined && read(edited)) || {};
  const names = new Set([...Object.keys(expected), ...Object.keys(fields)]);
  const isExact = [...names].every((name) => JSON.stringify(expected[name]) === JSON.stringify(fields[name]));
  return isExact ? edited : undefined;
}

/** Matches the line of an image with a placeholder comment. */
const PLACEHOLDER_LINE = new RegExp(`^(([a-z_]+):.*?)(?<![ \\t])[ \\t]+# ${PLACEHOLDER_NOTE}[ \\t]*(?=\\r?$)`, 'gm');
