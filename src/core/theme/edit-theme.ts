import { editYaml } from '../source/edit-yaml.ts';
import { parseYaml } from '../source/yaml.ts';
import { themeSchema } from './schema.ts';

/** The fields of theme.yaml, in the order for inserting new ones. */
const ORDER = Object.keys(themeSchema.shape);

/**
 * Changes fields of a theme.yaml and no other byte.
 * @returns undefined if the edited text would not parse to exactly the changed fields
 */
export function editTheme(text: string, changes: ReadonlyMap<string, unknown>): string | undefined {
  const read = (yaml: string) => parseYaml('', yaml, () => undefined)?.data;
  const expected = { ...read(text) };
  for (const [field, value] of changes) {
    if (value === undefined) delete expected[field];
    else expected[field] = value;
  }
  const edited = editYaml(text, changes, ORDER);
  const fields = (edited !== undefined && read(edited)) || {};
  const names = new Set([...Object.keys(expected), ...Object.keys(fields)]);
  const isExact = [...names].every((name) => JSON.stringify(expected[name]) === JSON.stringify(fields[name]));
  return isExact ? edited : undefined;
}
