import { type CheckId, CHECKS } from './checks.ts';

/** What one check came to, for one request or, when merged, for all that it looked at. */
export interface Finding {
  id: CheckId;
  ok: boolean;
  message: string;
  /** What a passed check adds to the line of its group. */
  label?: string;
  expected?: string;
  found?: string;
  hint?: string;
  url?: string;
}

/** What a fault says beside its message. */
export type Details = Pick<Finding, 'expected' | 'found' | 'hint' | 'url'>;

/** Distinct faults of one check that are told apart; a broken host has thousands. */
const FAULTS_PER_CHECK = 5;

export function passed(id: CheckId, label?: string): Finding {
  return { id, ok: true, message: CHECKS[id].about, ...(label === undefined ? {} : { label }) };
}

export function fault(id: CheckId, message: string, details: Details): Finding {
  return { id, ok: false, message, ...details };
}

/** {@link passed} or {@link fault}. */
export function judged(id: CheckId, ok: boolean, message: string, details: Details): Finding {
  return ok ? passed(id) : fault(id, message, details);
}

/**
 * One row a check, in the order of the catalogue, or one row for each way in which it failed.
 * @param optional - checks whose faults are reported with `ok: true`
 */
export function merged(findings: readonly Finding[], optional: ReadonlySet<CheckId>): Finding[] {
  return (Object.keys(CHECKS) as CheckId[]).flatMap((id) => {
    const all = findings.filter((finding) => finding.id === id);
    const faults = all.filter(({ ok }) => !ok);
    if (faults.length > 0) return alike(faults).map((row) => ({ ...row, ok: optional.has(id) }));
    const labels = [...new Set(all.flatMap(({ label }) => label ?? []))];
    return all.length === 0 ? [] : [labels.length === 0 ? passed(id) : told(passed(id, labels.join(', ')))];
  });
}

/** A passed check whose message holds what it adds to the line of its group. */
function told(finding: Finding): Finding {
  return { ...finding, message: `${finding.message.replace(/\.$/, '')}: ${finding.label}.` };
}

/** Faults that differ only by their URL, as one row that names the first. */
function alike(faults: readonly Finding[]): Finding[] {
  const kinds = new Map<string, Finding[]>();
  for (const { url = '', ...rest } of faults) {
    const key = JSON.stringify(rest);
    kinds.set(key, [...(kinds.get(key) ?? []), { ...rest, url }]);
  }
  const rows = [...kinds.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const others = new Set(more.map(({ url }) => url).filter((url) => url !== first.url)).size;
    return [others === 0 ? first : { ...first, url: `${first.url} and ${others.toLocaleString('en')} more` }];
  });
  const shown = rows.slice(0, FAULTS_PER_CHECK);
  const last = shown.at(-1);
  const hidden = rows.length - shown.length;
  if (last === undefined || hidden === 0) return shown;
  return [
    ...shown.slice(0, -1),
    { ...last, message: `${last.message} ${hidden.toLocaleString('en')} more like this.` },
  ];
}
