import { firstOf, visible } from '../diagnostics/quote.ts';
import type { Capabilities } from '../hosts/adapter.ts';
import { type CheckId, CHECKS, OF_RULES, OPTIONAL } from './checks.ts';

/** The details of a fault. */
export interface Details {
  expected?: string | undefined;
  found?: string | undefined;
  hint?: string | undefined;
  url?: string | undefined;
}

/** The result of one check for one request. */
export interface Result extends Details {
  id: CheckId;
  ok: boolean;
  message: string;
  /** What a passed check is called in its line. Default: its name */
  label?: string | undefined;
}

/** The result of one check: one row if it passed, or one per distinct fault. */
export interface Row extends Details {
  id: CheckId;
  /** `tolerated`: deviates from the contract, but does not fail the verification. */
  status: 'passed' | 'tolerated' | 'failed';
  /** Whether it is tolerated because of the declared capabilities of the host. */
  declared?: true | undefined;
  /** What holds when the check passes. */
  about: string;
  /** The fault, if any. */
  message?: string;
  label?: string | undefined;
}

/** Maximum number of distinct faults per check in a report; a broken host has thousands. */
const MAX_FAULTS_PER_CHECK = 8;

export function passed(id: CheckId, label?: string): Result {
  return { id, ok: true, message: CHECKS[id], label };
}

export function fault(id: CheckId, message: string, details: Details): Result {
  // Escape the server's text before it reaches the terminal.
  return { id, ok: false, message, ...details, found: details.found && visible(details.found) };
}

/** {@link passed} or {@link fault}. */
export function judged(id: CheckId, ok: boolean, message: string, details: Details): Result {
  return ok ? passed(id) : fault(id, message, details);
}

/**
 * Merges results into rows, in the order of the catalogue.
 * @param capabilities - those of the host; what it does not have is tolerated
 */
export function merged(results: readonly Result[], capabilities: Capabilities | undefined): Row[] {
  const isDeclared = (id: CheckId): boolean =>
    (capabilities?.hasRules === false && OF_RULES.has(id)) ||
    (capabilities?.etagOfCodings === 'shared' && id === 'compression/etag');
  return (Object.keys(CHECKS) as CheckId[]).flatMap((id): Row[] => {
    const about = CHECKS[id];
    const all = results.filter((result) => result.id === id);
    const faults = all.filter(({ ok }) => !ok);
    if (faults.length > 0) {
      const declared = isDeclared(id) ? true : undefined;
      const status = declared || OPTIONAL.has(id) ? 'tolerated' : 'failed';
      return alike(faults).map(({ message, expected, found, hint, url }) => {
        return { id, status, declared, about, message, expected, found, hint, url };
      });
    }
    const labels = [...new Set(all.flatMap(({ label }) => label ?? []))];
    const label = labels.length === 0 ? undefined : firstOf(labels, MAX_LABELS);
    return all.length === 0 ? [] : [{ id, status: 'passed', about, label }];
  });
}

/** Maximum number of labels per check in a report. */
const MAX_LABELS = 6;

/** Merges faults that differ only by their URL. */
function alike(faults: readonly Result[]): Result[] {
  const kinds = new Map<string, { fault: Result; urls: Set<string> }>();
  for (const fault of faults) {
    const { url = '', ...rest } = fault;
    const key = JSON.stringify(rest);
    const kind = kinds.get(key) ?? { fault: { ...rest, url }, urls: new Set() };
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
