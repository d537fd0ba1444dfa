import { printedJson } from '../../core/diagnostics/format-json.ts';
import { count } from '../../core/diagnostics/quote.ts';
import { formatReport, type Section, type Style } from './report.ts';
import { passes, type CheckResult } from './result.ts';
import type { Verification } from './verification.ts';

export interface VerificationStyle extends Style {
  strict: boolean;
  /** Whether to name harmless headers. */
  verbose?: boolean;
}

/** Formats a verification as text: a line per area with its faults, then the count. */
export function formatVerification(
  url: string,
  result: Verification,
  seconds: number,
  { strict, verbose = false, ...style }: VerificationStyle,
): string {
  const { checks, furtherHeaders } = result;
  const names = furtherHeaders.join(', ');
  const notes = verbose && names !== '' ? [...result.notes, `Added in front of the host: ${names}.`] : result.notes;
  const areas = [...new Set(checks.map(({ id }) => id.split('/')[0] ?? ''))];
  const sections = areas.map((area) => sectionOf(area, checks, strict));
  const isFine = passes(result, strict);
  const [failed, tolerated, all] = [idsOf(checks, 'failed').size, idsOf(checks, 'tolerated').size, idsOf(checks).size];
  const time = `${seconds.toFixed(1)} s`;
  const passed = `${count(all - tolerated, 'check')} passed${tolerated === 0 ? '' : `, ${tolerated} tolerated,`} in ${time}: ${url} serves this build.`;
  const text =
    failed > 0
      ? `${failed} of ${count(all, 'check')} failed in ${time}: ${url} does not meet the contract.`
      : isFine
        ? passed
        : `${tolerated} of ${count(all, 'check')} tolerated, which --strict rejects unless \`--tolerate ID\` names it, in ${time}: ${url}.`;
  return formatReport({ sections, notes, isFine, count: text }, style);
}

export function formatVerificationJson(url: string, result: Verification, strict: boolean): string {
  const { checks, notes, furtherHeaders } = result;
  const status = passes(result, strict) ? 'passed' : 'failed';
  return printedJson({ version: 2, status, url, checks, notes, further_headers: furtherHeaders });
}

function idsOf(rows: readonly CheckResult[], status?: CheckResult['status']): ReadonlySet<string> {
  return new Set(rows.filter((row) => status === undefined || row.status === status).map(({ id }) => id));
}

function sectionOf(area: string, checks: readonly CheckResult[], strict: boolean): Section {
  const rows = checks.filter(({ id }) => id.startsWith(`${area}/`));
  const labels = rows.filter(({ status }) => status === 'passed').map(({ id, label }) => label ?? id.split('/')[1]);
  const failed = idsOf(rows, 'failed').size;
  return {
    name: area,
    isFine: failed === 0,
    faults: failed === 0 ? '' : `${failed} of ${idsOf(rows).size} failed`,
    summary: `${failed > 0 && labels.length > 0 ? 'passed: ' : ''}${labels.join(', ')}`,
    entries: rows
      .filter(({ status }) => status !== 'passed')
      .map(({ id, status, declared, message = '', expected, found, hint, url }) => ({
        id,
        isTolerated: status === 'tolerated',
        isLoud: strict && declared !== true,
        text: message,
        details: [
          ['at', url],
          ['expected', expected],
          ['found', found],
        ],
        hint,
      })),
  };
}
