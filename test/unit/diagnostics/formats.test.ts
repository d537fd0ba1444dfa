import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnosticOf } from '../../../src/core/diagnostics/diagnostic.ts';
import { formatGithub } from '../../../src/core/diagnostics/format-github.ts';
import { formatGitlab } from '../../../src/core/diagnostics/format-gitlab.ts';
import { formatJson } from '../../../src/core/diagnostics/format-json.ts';
import { formatReport } from '../../../src/core/diagnostics/format-report.ts';
import { formatText } from '../../../src/core/diagnostics/format-text.ts';
import { sampledRuns } from '../../long-test.ts';
import { diagnostic } from '../collect.ts';
import { hasControl, hasLogCommand } from './control.ts';

const locationOf = (line: number, column: number, end: number) => ({
  file: 'themes/a/theme.yaml',
  start: { line, column },
  end: { line, column: end },
});
const show = (location: ReturnType<typeof locationOf>, text: string): string =>
  formatText([diagnostic({ location })], () => text, false);

describe('formatGitlab', () => {
  it('shows paths from the root of the repository, and distinguishes equal messages of a file', () => {
    const location = locationOf(2, 1, 5);
    const entries = JSON.parse(
      formatGitlab([diagnostic({ location }), diagnostic({ location: locationOf(3, 1, 5) })], 'web'),
    );
    expect(entries).toMatchObject([
      {
        check_name: 'field/unknown',
        severity: 'major',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        location: { path: 'web/themes/a/theme.yaml', lines: { begin: 2 } },
      },
      { location: { lines: { begin: 3 } } },
    ]);
    expect(entries[0].fingerprint).not.toBe(entries[1].fingerprint);
  });
});

describe('every format', () => {
  const part = fc.constantFrom('::error::x', '##[add-path]x', '##vso[task.x]', '\n', '\r', '\u001b[2J', '\u202e', '#');
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  );

  it('is safe to print, whatever the files contain', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (text, file, source) => {
        const start = { line: 1, column: 1 };
        const diagnostics = [
          diagnosticOf('field/type', { file }, { field: text, expected: text, found: text, action: text }),
          diagnosticOf('image/corrupt', { file, start }, { path: text, reason: text }),
        ];
        for (const { message, hint = '' } of diagnostics) expect(hasControl(message + hint + '\n')).toBe(false);
        const json = formatJson(diagnostics, {});
        for (const output of [formatText(diagnostics, () => source, false), json])
          expect(hasControl(output) || hasLogCommand(output)).toBe(false);
        // `::` starts a line only in GitHub's own commands.
        const lines = formatGithub(diagnostics).trimEnd().split('\n');
        expect(lines.map((line) => hasLogCommand(line.slice(2)))).toEqual([false, false]);
      }),
      { numRuns: sampledRuns(500) },
    );
  });
});

describe('formatText', () => {
  it('keeps the underline below its characters after tabs and CRLF', () => {
    expect(show(locationOf(1, 3, 4), '\t\tx\r\ny\r\n')).toContain('  > 1 │   x\n      │   ^\n    2 │ y\n    =');
  });

  it('shows the part around a location at the far right, as an SVG may be a single line', () => {
    const line = `${'a'.repeat(140)}${'b'.repeat(10)}${'c'.repeat(50)}${'d'.repeat(100)}`;
    const frame = `  > 1 │ ${'a'.repeat(59)}${'b'.repeat(10)}${'c'.repeat(50)}d\n      │ ${' '.repeat(59)}${'^'.repeat(10)}\n`;
    expect(show(locationOf(1, 141, 151), line)).toContain(frame);
  });

  it('underlines to the end of the line if the location continues on the next', () => {
    const location = { ...locationOf(1, 3, 0), end: { line: 2, column: 2 } };
    expect(show(location, 'a: b\nc: d\n')).toContain('\n      │   ^^\n');
  });

  it('has no frame for a complete file, nor for a file that was not read', () => {
    const fileDiagnostic = diagnostic({ location: { file: 'themes' } });
    expect(formatText([fileDiagnostic], () => 'x', false)).not.toContain('│');
    expect(formatText([diagnostic()], () => undefined, false)).not.toContain('│');
  });
});

describe('formatReport', () => {
  it('prints up to 10 warnings and 30 errors, unless verbose', () => {
    const severities = ['warning', 'error'] as const;
    const all = severities.flatMap((severity) => Array.from({ length: 31 }, () => diagnostic({ severity })));
    const report = (style: object): string =>
      formatReport(all, () => undefined, { colour: false, verbose: false, ...style });
    expect(report({}).match(/\[field\/unknown\]/g)).toHaveLength(40);
    expect(report({})).toContain('\n31 warnings in 1 file; `--verbose` prints each\n');
    expect(report({ shownBy: 'the gallery shows each' })).toContain('; the gallery shows each\n');
    expect(report({ verbose: true }).match(/\[field\/unknown\]/g)).toHaveLength(62);
    expect(report({ verbose: true })).toContain('\n31 errors in 1 file\n');
  });
});

describe('formatGithub', () => {
  it('escapes characters that end a property or a command', () => {
    const { hint: _, ...withoutHint } = diagnostic({ message: '100 %, a:b\r\nc', location: { file: 'a,b:c%\n.yaml' } });
    expect(formatGithub([withoutHint])).toBe(
      '::error file=a%2Cb%3Ac%25\\n.yaml,title=field/unknown::100 %25, a:b%0D%0Ac\n',
    );
  });
});
