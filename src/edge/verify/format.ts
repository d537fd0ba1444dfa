import { styleText } from 'node:util';
import { count } from '../../diagnostics/quote.ts';
import { CHECKS, GROUPS } from './checks.ts';
import type { Finding } from './finding.ts';
import type { Verification } from './verification.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Width of the column of group titles. */
const TITLE_WIDTH = 12;

/** A verification for people: a line a group, its faults below it, and the count. */
export function formatVerification(
  url: string,
  { checks, notes }: Verification,
  seconds: number,
  style: { colour: boolean; quiet: boolean },
): string {
  const paint: Paint = (name, text) => (style.colour ? styleText(name, text, { validateStream: false }) : text);
  const lines = GROUPS.flatMap(([title, areas]) => {
    const rows = checks.filter(({ id }) => areas.includes(id.split('/')[0] ?? ''));
    return rows.length === 0 ? [] : groupLines(title, rows, paint, style.quiet);
  });
  const remarks = style.quiet ? [] : notes.map((note) => `! ${note}`);
  const last = style.quiet && checks.every(({ ok }) => ok) ? [] : ['', countLine(url, checks, seconds, paint)];
  const text = [...lines, ...remarks, ...last];
  return text.length === 0 ? '' : `${text.join('\n').trimStart()}\n`;
}

/** A verification for programs. */
export function formatVerificationJson(url: string, { checks }: Verification): string {
  const rows = checks.map((check) => ({ ...check, label: undefined }));
  return `${JSON.stringify({ version: 1, ok: checks.every(({ ok }) => ok), url, checks: rows }, null, 2)}\n`;
}

function groupLines(title: string, rows: readonly Finding[], paint: Paint, quiet: boolean): string[] {
  const failed = new Set(rows.filter(({ ok }) => !ok).map(({ id }) => id)).size;
  const labels = rows
    .filter((row) => row.ok && row.found === undefined)
    .map(({ id, label }) => label ?? CHECKS[id].label);
  const sign = failed > 0 ? paint('red', '✘') : paint('green', '✔');
  const all = new Set(rows.map(({ id }) => id)).size;
  const faults = failed === 0 ? '' : `${failed} of ${all} failed${labels.length === 0 || quiet ? '' : '; fine: '}`;
  const line = `${sign} ${title.padEnd(TITLE_WIDTH)}${faults}${quiet ? '' : labels.join(', ')}`.trimEnd();
  const told = rows.filter((row) => row.found !== undefined && !(quiet && row.ok));
  return [...(quiet && failed === 0 ? [] : [line]), ...told.flatMap((row) => faultLines(row, paint))];
}

function faultLines({ id, ok, message, expected, found, hint, url }: Finding, paint: Paint): string[] {
  const sign = ok ? paint('yellow', '!') : paint('red', '✘');
  const row = (name: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : [`      ${paint('dim', name.padEnd(10))}${text}`];
  return [
    `  ${sign} ${message}  ${paint('dim', `[${id}]`)}`,
    ...row('at', url),
    ...row('expected', expected),
    ...row('found', found),
    ...(hint === undefined ? [] : [`      = ${hint}`]),
  ];
}

function countLine(url: string, checks: readonly Finding[], seconds: number, paint: Paint): string {
  const ids = new Set(checks.map(({ id }) => id)).size;
  const failed = new Set(checks.filter(({ ok }) => !ok).map(({ id }) => id)).size;
  const unmet = new Set(checks.filter(({ ok, found }) => ok && found !== undefined).map(({ id }) => id)).size;
  const remark = unmet === 0 ? '' : `, ${unmet} optional not met,`;
  const time = `${seconds.toFixed(1)} s`;
  return failed === 0
    ? paint('green', `✔ ${count(ids - unmet, 'check')} passed${remark} in ${time}: ${url} serves this build.`)
    : paint('red', `✘ ${failed} of ${count(ids, 'check')} failed in ${time}: ${url} is not as it should be.`);
}
