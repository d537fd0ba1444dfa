import { editYaml } from '../source/edit-yaml.ts';
import { parseYaml } from '../source/yaml.ts';
import { themeSchema } from './schema.ts';

/** The fields of theme.yaml in the order in which new ones are inserted. */
const ORDER = Object.keys(themeSchema.shape);

/** The fields of a theme.yaml as texts, as a form shows them; a field with another structure is left out. */
export function fieldTexts(data: Readonly<Record<string, unknown>>, fields: readonly string[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const field of fields) {
    const value = Object.hasOwn(data, field) ? data[field] : undefined;
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    if (values.length > 0 && values.every((one) => ['string', 'number', 'boolean'].includes(typeof one)))
      texts.set(field, values.map(String));
  }
  return texts;
}

/**
 * What a form changes: the fields whose texts differ from those that it was shown with.
 * @param values - what was sent, converted to the types of theme.yaml
 */
export function changedFields(
  shown: ReadonlyMap<string, readonly string[]>,
  sent: ReadonlyMap<string, readonly string[]>,
  values: ReadonlyMap<string, unknown>,
  fields: readonly string[],
): Map<string, unknown> {
  const changes = new Map<string, unknown>();
  for (const field of fields) {
    const before = filled(shown.get(field));
    const after = filled(sent.get(field));
    if (field === 'is_default') {
      // An unchecked box sends nothing.
      const isChecked = after.includes('true');
      if (isChecked !== before.includes('true')) changes.set(field, isChecked || undefined);
    } else if (JSON.stringify(before) !== JSON.stringify(after)) {
      if (after.length > 0) changes.set(field, values.get(field));
      else changes.set(field, undefined);
    }
  }
  return changes;
}

function filled(texts: readonly string[] = []): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** What a comment says beside an image that is to be replaced. */
export const PLACEHOLDER_NOTE = 'placeholder';

/**
 * Changes fields of a theme.yaml and no other byte.
 * @param replaced - the fields of images that are no placeholders any more: the comments that say so are removed
 * @returns nothing if the result would not be read back as exactly that
 * @throws {EditYamlError} from `source/edit-yaml.ts`
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
  const edited = editYaml(text, changes, ORDER).replaceAll(NOTED, (line, start: string, field: string) =>
    replaced.has(field) ? start : line,
  );
  const found = read(edited) ?? {};
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const isExact = [...names].every((name) => JSON.stringify(expected[name]) === JSON.stringify(found[name]));
  return isExact ? edited : undefined;
}

/** A line of an image with the note. */
const NOTED = new RegExp(`^(([a-z_]+):.*?)(?<![ \\t])[ \\t]+# ${PLACEHOLDER_NOTE}[ \\t]*(?=\\r?$)`, 'gm');
