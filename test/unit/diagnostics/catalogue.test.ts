import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Code } from '../../../src/diagnostics/catalogue.ts';
import { type Diagnostic, Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { formatGithub } from '../../../src/diagnostics/format-github.ts';
import { formatJson } from '../../../src/diagnostics/format-json.ts';
import { formatText } from '../../../src/diagnostics/format-text.ts';
import { hasControl, hasLogCommand } from './control.ts';
import { CHOICES, SAMPLES } from './samples.ts';
import { sampledRuns } from '../../long-test.ts';

/** Every code, with each of its samples. */
const ALL = Object.entries(SAMPLES as Readonly<Record<string, readonly unknown[]>>).flatMap(([code, samples]) =>
  samples.map((args) => ({ code: code as Code, args: args as object })),
);

function diagnosticOf(code: Code, args: object, file = 'themes/a/theme.yaml'): Diagnostic {
  const diagnostics = new Diagnostics();
  diagnostics.report(code, { file }, args);
  const [found] = diagnostics.sorted;
  if (found === undefined) throw new Error(`${code} reports nothing.`);
  return found;
}

it('the number 1 takes the singular in every message and hint', () => {
  const plural = ALL.flatMap(({ code, args }) => {
    const { message, hint = '' } = diagnosticOf(code, args);
    // Rejects `1 users`, `1 more users` and `1 user … are`, but not `1 to 64 characters` of a rule.
    const wrong = [message, hint].filter((text) =>
      /(?<![×\d])1 (?!(?:to|is)\b)(?:(?:more|drawn|filter) )?[a-z]+s\b/.test(text),
    );
    return wrong.map((text) => `${code}: ${text}`);
  });
  expect(plural).toEqual([]);
});

it('whatever a file brings into an argument, every format is safe to print', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '::error::x',
          '##[add-path]x',
          '##vso[task.x]',
          '\n',
          '\r',
          '\u001b[2J',
          '\u009b31m',
          '\u202e',
          '#',
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((parts) => parts.join('')),
  );
  const replaced = (args: object, text: string): object =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]: [string, unknown]) => [
        name,
        CHOICES.has(name) ? value : typeof value === 'string' ? text : Array.isArray(value) ? [text, text] : value,
      ]),
    );
  fc.assert(
    fc.property(fc.constantFrom(...ALL), hostile, hostile, hostile, ({ code, args }, text, file, source) => {
      const diagnostic = diagnosticOf(code, replaced(args, text), file);
      expect(hasControl(diagnostic.message + (diagnostic.hint ?? ''))).toBe(false);
      expect((diagnostic.message + (diagnostic.hint ?? '')).includes('\n')).toBe(false);
      const outputs = [
        ...[undefined, { line: 1, column: 1 }].map((start) =>
          formatText(
            [{ ...diagnostic, location: start === undefined ? { file } : { file, start } }],
            () => source,
            false,
          ),
        ),
        formatJson([diagnostic], {}),
      ];
      for (const output of outputs) {
        expect(hasControl(output)).toBe(false);
        expect(hasLogCommand(output)).toBe(false);
      }
      // Only the first line, GitHub's own command, starts with `::`.
      const lines = formatGithub([diagnostic]).split('\n');
      expect(lines).toHaveLength(2);
      expect(hasLogCommand((lines[0] ?? '').slice(2))).toBe(false);
    }),
    { numRuns: sampledRuns(2000) },
  );
});
