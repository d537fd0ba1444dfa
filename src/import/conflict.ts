import { quote, visible } from '../diagnostics/quote.ts';
import { parsePlainYaml } from '../source/plain-yaml.ts';

/** A file that was changed here and at the service: as it was, if that is known, as it is here, and as it would be. */
export interface Conflict {
  base: string | undefined;
  here: string;
  there: string;
}

/** Fields that are named. */
const MAX_FIELDS = 5;

/** The fields of a `theme.yaml` that have changed at the service: `logo_height: 41 → 77 there, 99 here`. */
export function conflictFields({ base, here, there }: Conflict): string[] {
  const [was, ours, theirs] = [base, here, there].map((text) => fieldsOf(text));
  if (ours === undefined || theirs === undefined) return [];
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  const shown = names.flatMap((name) => {
    const [before, one, other] = [was, theirs, ours].map((fields) => valueOf(fields?.[name]));
    const isTheirs = one !== other && (was === undefined || one !== before);
    if (!isTheirs) return [];
    return [`${visible(name)}: ${was === undefined ? '' : `${before} → `}${one} there, ${other} here`];
  });
  return shown.length > MAX_FIELDS ? [...shown.slice(0, MAX_FIELDS), `and ${shown.length - MAX_FIELDS} more`] : shown;
}

function fieldsOf(text: string | undefined): Record<string, unknown> | undefined {
  const data = text === undefined ? undefined : parsePlainYaml(text);
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : undefined;
}

function valueOf(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? 'other values' : quote(value).slice(1, -1);
}
