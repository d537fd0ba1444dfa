import { firstOf, visible } from '../../core/diagnostics/quote.ts';
import { type HttpResponse, type Outcome, type Request, urlOf } from '../../system/http/exchange.ts';
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
  /** The text of a passed check in the report. Default: its name */
  label?: string | undefined;
}

/** A request, and the check that fails without the right response. */
export interface Row {
  id: CheckId;
  request: Request;
  /** Whether the host may refuse the request. */
  isOdd?: boolean;
}

/** The result of one check for the report: one if it passed, or one per distinct fault. */
export interface CheckResult extends Details {
  id: CheckId;
  /** `tolerated`: deviates from the contract, but does not fail the verification. */
  status: 'passed' | 'tolerated' | 'failed';
  /** Whether it is tolerated by the declared capabilities of the host or by the caller, and so even by --strict. */
  declared?: true | undefined;
  /** The statement that is true when the check passes. */
  about: string;
  /** The fault, if any. */
  message?: string;
  label?: string | undefined;
}

export function passed(id: CheckId, label?: string): Result {
  return { id, ok: true, message: CHECKS[id].about, label };
}

export function fault(id: CheckId, message: string, details: Details): Result {
  // Escape the server's text before it reaches the terminal.
  return { id, ok: false, message, ...details, found: details.found && visible(details.found) };
}

/** {@link passed} or {@link fault}. */
export function verdict(id: CheckId, ok: boolean, message: string, details: Details): Result {
  return ok ? passed(id) : fault(id, message, details);
}

/** Sends all requests, several at a time, and returns their outcomes in the same order; the caller owns the sockets. */
export type Send = (requests: readonly Request[]) => Promise<Outcome[]>;

/** Judges an outcome. Faults get the URL of the request, unless they have one; a missing response is a fault. */
export function resultsOf<R extends Row>(
  row: R,
  outcome: Outcome | undefined,
  judge: (row: R, response: HttpResponse) => readonly Result[],
): Result[] {
  const { id, request, isOdd } = row;
  const url = urlOf(request);
  if (outcome !== undefined && !('noResponse' in outcome))
    return judge(row, outcome).map((result) => (result.ok ? result : { url, ...result }));
  if (isOdd === true) return [];
  const found = outcome?.noResponse ?? 'no response';
  const hint = 'The rest of the site responds: check the component that handles only this request.';
  return [fault(id, `${request.method} got no response.`, { expected: 'a response', found, hint, url })];
}

/** Limits the distinct faults and the labels per check: a broken host has thousands. */
const MAX_FAULTS_PER_CHECK = 8;
const MAX_LABELS = 6;

/** Merges results into one or more for each check, in the order of the catalogue. */
export function mergeResults(
  results: readonly Result[],
  { build: { rulesAt }, capabilities, tolerated }: Pick<Deployment, 'build' | 'capabilities' | 'tolerated'>,
): CheckResult[] {
  const isDeclared = (id: CheckId): boolean =>
    tolerated?.has(id) === true ||
    (capabilities?.hasRules === false && CHECKS[id].needsRules === true) ||
    (id === 'config/host-case' && capabilities?.hostnames === 'lower case');
  return CHECK_IDS.flatMap((id): CheckResult[] => {
    const { about, hint: usual, isTolerated } = CHECKS[id];
    const all = results.filter((result) => result.id === id);
    const faults = all.filter(({ ok }) => !ok);
    if (faults.length > 0) {
      const declared = isDeclared(id) ? true : undefined;
      const status = declared || isTolerated ? 'tolerated' : 'failed';
      return mergeAlike(faults).map(({ message, expected, found, url, hint = `${usual} See ${rulesAt}.` }) => {
        return { id, status, declared, about, message, expected, found, hint, url };
      });
    }
    const labels = [...new Set(all.flatMap(({ label }) => label ?? []))];
    const label = labels.length === 0 ? undefined : firstOf(labels, MAX_LABELS);
    return all.length === 0 ? [] : [{ id, status: 'passed', about, label }];
  });
}

/**
 * Whether a deployment passes.
 * @param strict - whether tolerated faults fail too, except those that the host declares or the caller names
 */
export function passes({ checks }: { checks: readonly CheckResult[] }, strict: boolean): boolean {
  return checks.every(
    ({ status, declared }) => status === 'passed' || (status === 'tolerated' && (!strict || declared)),
  );
}

/** Merges faults that differ only by their URL. */
function mergeAlike(faults: readonly Result[]): Result[] {
  const kinds = new Map<string, { fault: Result; urls: Set<string> }>();
  for (const fault of faults) {
    const { url = '', ...details } = fault;
    const key = JSON.stringify(details);
    const kind = kinds.get(key) ?? { fault: { ...details, url }, urls: new Set() };
    kinds.set(key, kind);
    kind.urls.add(url);
  }
  const rows = [...kinds.values()].map(({ fault, urls }) =>
    urls.size === 1 ? fault : { ...fault, url: `${fault.url} and ${(urls.size - 1).toLocaleString('en')} more` },
  );
  const hidden = rows.splice(MAX_FAULTS_PER_CHECK).length;
  const last = rows.at(-1);
  if (last !== undefined && hidden > 0) last.message += ` ${hidden.toLocaleString('en')} more like this.`;
  return rows;
}
