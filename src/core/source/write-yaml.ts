import { Document, Scalar, visit } from 'yaml';

/** Matches a text that every YAML reader reads as that text, and that looks natural without quotes. */
const PLAIN = /^[\p{L}/][\p{L}\p{N} ._/-]*(?<! )$/u;

/**
 * Writes a mapping as YAML that {@link parseYaml} and readers of YAML 1.1 parse to the same values: YAML 1.1 would mistake an unquoted
 * `yes` or `12:30` for a boolean or a number.
 * @param fields - in the order of the file
 * @param comment - the first line, with its `#`
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
  // Writes one line per value: long lines are not folded, and line breaks in a text are escaped.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return comment === undefined ? text : `${comment}\n${text}`;
}
