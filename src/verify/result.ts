import { visible } from '../diagnostics/quote.ts';
import { type CheckId, CHECKS, type Tolerance } from './checks.ts';

/** `tolerated`: deviates from the contract, but does not fail the verification. */
export type Status = 'passed' | 'tolerated' | 'failed';

/** The result of one check: one row if it passed, or one per distinct fault. */
export interface Row {
  id: CheckId;
  status: Status;
  /** Whether it is tolerated because of the declared capabilities of the host. */
  declared?: true;
  /** What holds when the check passes. */
  about: string;
  /** The fault, if any. */
  message?: string;
  /** The label of a passed check in the line of its group. */
  label?: string;
  expected?: string;
  found?: string;
  hint?: string;
  url?: string;
}

/** The result of one check for one request. */
export interface Result {
  id: CheckId;
  ok: boolean;
  message: string;
  /** The label of a passed check in the line of its group. */
  label?: string;
  expected?: string;
  found?: string;
  hint?: string;
  url?: string;
}

/** The details of a fault. */
export type Details = Pick<Result, 'expected' | 'found' | 'hint' | 'url'>;

/** Maximum number of distinct faults per check in a report; a broken host has thousands. */
const MAX_FAULTS_PER_CHECK = 8;

export function passed(id: CheckId, label?: string): Result {
  return { id, ok: true, message: CHECKS[id].about, ...(label === undefined ? {} : { label }) };
}

export function fault(id: CheckId, message: string, details: Details): Result {
  // Escape the server's text before it reaches the terminal.
  return { id, ok: false, message, ...details, ...(details.found && { found: visible(details.found) }) };
}

/** {@link passed} or {@link fault}. */
export function judged(id: CheckId, ok: boolean, message: string, details: Details): Result {
  return ok ? passed(id) : fault(id, message, details);
}

/** Merges results into rows, in the order of the catalogue. */
export function merged(results: readonly Result[], { optional, declared }: Tolerance): Row[] {
  return (Object.keys(CHECKS) as CheckId[]).flatMap((id): Row[] => {
    const { about } = CHECKS[id];
    const all = results.filter((result) => result.id === id);
    const faults = all.filter(({ ok }) => !ok);
    const status = optional.has(id) || declared.has(id) ? 'tolerated' : 'failed';
    if (faults.length > 0)
      return alike(faults).map(({ message, expected, found, hint, url }) => ({
        id,
        status,
        ...(declared.has(id) && { declared: true as const }),
        about,
        message,
        ...(expected !== undefined && { expected }),
        ...(found !== undefined && { found }),
        ...(hint !== undefined && { hint }),
        ...(url !== undefined && { url }),
      }));
    const labels = [...new Set(all.flatMap(({ label }) => label ?? []))];
    return all.length === 0 ? [] : [{ id, status: 'passed', about, ...(labels.length > 0 && { label: few(labels) }) }];
  });
}

/** Maximum number of labels per check in a report. */
const MAX_LABELS = 6;

function few(labels: readonly string[]): string {
  const more = labels.length - MAX_LABELS;
  return more <= 1
    ? labels.join(', ')
    : `${labels.slice(0, MAX_LABELS).join(', ')} and ${more.toLocaleString('en')} more`;
}

/** Merges faults that differ only by their URL. */
function alike(faults: readonly Result[]): Result[] {
  const kinds = new Map<string, Result[]>();
  for (const { url = '', ...rest } of faults) {
    const key = JSON.stringify(rest);
    kinds.set(key, [...(kinds.get(key) ?? []), { ...rest, url }]);
  }
  const rows = [...kinds.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const others = new Set(more.map(({ url }) => url).filter((url) => url !== first.url)).size;
    return [others === 0 ? first : { ...first, url: `${first.url} and ${others.toLocaleString('en')} more` }];
  });
  const shown = rows.slice(0, MAX_FAULTS_PER_CHECK);
  const last = shown.at(-1);
  const hidden = rows.length - shown.length;
  if (last === undefined || hidden === 0) return shown;
  return [
    ...shown.slice(0, -1),
    { ...last, message: `${last.message} ${hidden.toLocaleString('en')} more like this.` },
  ];
}
