import { Document, Scalar, visit } from 'yaml';

/** A text that no reader of YAML takes for anything else, and that needs no quotes for people either. */
const PLAIN = /^[\p{L}/][\p{L}\p{N} ._/-]*(?<! )$/u;

/**
 * Writes a mapping as YAML that {@link parseYaml} reads back as it was given, and readers of YAML 1.1 too: they take `yes` and
 * `12:30` for something else if they are not in quotes.
 * @param fields - in the order in which they are written
 * @param comment - first line, with its `#`
 */
export function writeYaml(fields: readonly (readonly [name: string, value: unknown])[], comment?: string): string {
  const document = new Document(new Map(fields), {
    version: '1.2',
    schema: 'core',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && !PLAIN.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  // Long lines are not folded, nor are texts with line breaks spread over several: one value, one line.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return comment === undefined ? text : `${comment}\n${text}`;
}
