import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatVerification, formatVerificationJson } from '../../../src/commands/verify/report.ts';
import { hasControl, hasLogCommand } from '../diagnostics/control.ts';

it('the report of a verification is safe to print, whatever a server responds', () => {
  const part = fc.constantFrom('::error::x', '##[error]x', '##vso[x]', '\n', '\u001b[2J', '\u009b1m', '\u202e', 'a');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part).map((parts) => parts.join('')),
  );
  const check = fc.record({
    id: fc.constant('list/document' as const),
    status: fc.constantFrom('passed' as const, 'tolerated' as const, 'failed' as const),
    message: text,
    label: text,
    expected: text,
    found: text,
    hint: text,
    url: text,
  });
  fc.assert(
    fc.property(fc.array(check), fc.array(text), (checks, notes) => {
      const result = { checks, notes };
      const style = { colour: false, strict: true };
      const report = formatVerification({ url: 'https://example.org' }, result, 1, style);
      // Each result stays on its line, whatever text it contains.
      expect(report.split('\n').length).toBeLessThanOrEqual(checks.length * 5 + notes.length + 6);
      for (const output of [report, formatVerificationJson({ url: 'https://example.org' }, result, true)])
        expect(hasControl(output) || hasLogCommand(output)).toBe(false);
    }),
  );
});
