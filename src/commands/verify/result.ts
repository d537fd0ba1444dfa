import { firstOf, visible } from '../../core/diagnostics/quote.ts';
import type { Outcome, Request } from '../../system/http/exchange.ts';
import type { Deployment } from './build.ts';
import { type CheckId, CHECK_IDS, CHECKS } from './checks.ts';

export interface Details {
  expected?: string | undefined;
  found?: string | undefined;
  /** Default: the hint of the check */
  hint?: string | undefined;
  url?: string | undefined;
}

/** The result of one check for one request. */
export interface Result extends Details {
  id: CheckId;
  ok: boolean;
  message: string;
  /** What the report says about a passed check. Default: its name */
  label?: string | undefined;
  /** The name of alike faults, which become one: `LIST * Vary`. Default: the message */
  alike?: string | undefined;
  /** The reason for which the caller accepts the fault. */
  accepted?: string | undefined;
}

/** The result of one check for the report: one if it passed, or one per distinct fault. */
export interface CheckResult extends Details {
  id: CheckId;
  /** `tolerated`: a fault that does not fail the verification. */
  status: 'passed' | 'tolerated' | 'failed';
  /** Whether it is tolerated by the declared capabilities of the host or by the caller, and so even by --strict. */
  declared?: true | undefined;
  accepted?: string | undefined;
  /** The fault, if any, and how often it was found. */
  message?: string;
  times?: number;
  label?: string | undefined;
}

export interface Verification {
  checks: CheckResult[];
  /** What was omitted, each with the reason. */
  notes: string[];
}

/** Sends all requests, several at a time, and returns their outcomes in the same order; the caller owns the sockets. */
export type Send = (requests: readonly Request[]) => Promise<Outcome[]>;

export function passed(id: CheckId, label?: string): Result {
  return { id, ok: true, message: '', label };
}

export function fault(id: CheckId, message: string, details: Details): Result {
  // Escape the server's text before it reaches the terminal.
  return { id, ok: false, message, ...details, found: details.found && visible(details.found) };
}

/** {@link passed} or {@link fault}. */
export function verdict(id: CheckId, ok: boolean, message: string, details: Details): Result {
  return ok ? passed(id) : fault(id, message, details);
}

const MAX_LABELS = 6;

/** Merges results into one or more for each check, in the order of the catalogue. */
export function mergeResults(
  results: readonly Result[],
  { build, capabilities, tolerated }: Partial<Pick<Deployment, 'build' | 'capabilities' | 'tolerated'>> = {},
): CheckResult[] {
  return CHECK_IDS.flatMap((id): CheckResult[] => {
    const { hint: usual, isTolerated, needsRules } = CHECKS[id];
    const isLimit = capabilities?.hasRules === false && needsRules === true;
    const declared = tolerated?.has(id) === true || isLimit ? true : undefined;
    const all = results.filter((result) => result.id === id);
    const faults = mergeAlike(all.filter(({ ok }) => !ok)).map((fault): CheckResult => {
      const status = (declared ?? isTolerated ?? fault.accepted !== undefined) ? 'tolerated' : 'failed';
      const hint = usual === undefined || build === undefined ? undefined : `${usual} See ${build.rulesAt}.`;
      const { message, expected, found, url, times, accepted } = fault;
      return { id, status, declared, accepted, message, times, expected, found, hint: fault.hint ?? hint, url };
    });
    const labels = [...new Set(all.flatMap(({ label }) => label ?? []))];
    const label = labels.length === 0 ? undefined : firstOf(labels, MAX_LABELS);
    const isPassed = faults.length === 0 || build === undefined;
    return [...(all.some(({ ok }) => ok) && isPassed ? [{ id, status: 'passed', label } as const] : []), ...faults];
  });
}

/** Merges faults that differ only by their URL, or that have one name. */
function mergeAlike(faults: readonly Result[]): (Result & { times: number })[] {
  const kinds = new Map<string, Result[]>();
  for (const fault of faults) {
    const { url: _, message, alike = message, ...details } = fault;
    const key = JSON.stringify([alike, details]);
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, [fault]);
    else kind.push(fault);
  }
  return [...kinds.values()].map((kind) => {
    const first = kind[0] as Result;
    const urls = new Set(kind.map(({ url }) => url)).size;
    const message = kind.every((each) => each.message === first.message) ? first.message : (first.alike ?? '');
    const url = urls === 1 ? first.url : `${first.url} and ${(urls - 1).toLocaleString('en')} more`;
    return { ...first, message, url, times: kind.length };
  });
}

/**
 * Whether a deployment passes.
 * @param strict - whether tolerated faults fail too, except those that the host declares or the caller names
 */
export function passes({ checks }: { checks: readonly CheckResult[] }, strict: boolean): boolean {
  return checks.every(
    ({ status, declared, accepted }) =>
      status === 'passed' || (status === 'tolerated' && (!strict || declared === true || accepted !== undefined)),
  );
}
