import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { ImageSet, LogoAlignment, LogoType, ThemeRecord } from '../../../src/client/types.ts';
import type { VALUE_LISTS, ValueList } from '../../../src/core/theme/fields/field-rows.ts';
import {
  type Field,
  type FIELDS,
  meaningOf,
  RECORD_FIELDS,
  ROWS,
  type ValueOf,
} from '../../../src/core/theme/fields/fields.ts';

const TYPES = readFileSync(path.join(import.meta.dirname, '../../../src/client/types.ts'), 'utf8');

/** The types of accepted values, by the name of the list. */
interface Choices {
  logo_types: LogoType;
  logo_alignments: LogoAlignment;
}
type Row<F extends Field> = (typeof FIELDS)[F];
type Open<V extends ValueList> = (typeof VALUE_LISTS)[V][number] | (string & {});
/** The record type derived from the table of fields. */
type Derived = {
  [F in Field]: Row<F> extends { values: infer V extends ValueList } ? Choices[V] : ValueOf<F, string, ImageSet>;
};
type Equal<A, B> = [A, B] extends [B, A] ? true : false;

// `npm run typecheck` proves that the types are equal: a missing, extra or different field is an error.
const isDerived: Equal<{ [F in keyof ThemeRecord]: ThemeRecord[F] }, Derived> = true;
const isOpen: Equal<Choices, { [V in ValueList]: Open<V> }> = true;

/** The members of the record in the file, with their comments. */
const members = [
  ...(/^export interface ThemeRecord \{\n([^]*?)^\}/m.exec(TYPES)?.[1] ?? '').matchAll(
    /^ {2}\/\*\* (.+) \*\/\n {2}(\w+): .+;$/gm,
  ),
].map(([, about = '', field = '']) => ({ about, field }));

it('the record has the fields of the table, in the same order and with the same types', () => {
  expect([isDerived, isOpen]).toEqual([true, true]);
  expect(members.map(({ field }) => field)).toEqual(RECORD_FIELDS);
});

it('every field is documented, with its unit and range', () => {
  const descriptions = new Map(members.map(({ field, about }) => [field, about]));
  for (const field of RECORD_FIELDS) {
    const row = ROWS[field];
    const about = descriptions.get(field) ?? '';
    if (row.kind === 'image_set') expect(about).toBe(meaningOf(field));
    else if (row.kind === 'image') expect(about).toMatch(/^URL of the /);
    else if (row.type === 'pixels') expect(about).toBe(`${row.about}, in CSS pixels: ${row.min} to ${row.max}.`);
    else if (row.type === 'choice') expect(about).toBe(`${row.about}.`);
    else if (row.type === 'line') expect(about).toContain(`to ${row.maxLength} characters`);
    else expect(about).toMatch(/^[A-Z].{20,}\.$/);
  }
});
