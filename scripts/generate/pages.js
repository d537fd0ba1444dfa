import { CAPABILITY_COLUMNS, capabilityRow } from '../../lib/hosts/capability-table.js';
import { adapters } from '../../lib/hosts/registry.js';
import { catalogue } from '../../lib/diagnostics/catalogue.js';
import { table } from './markdown.js';

/** The hosts and what each can do. */
export function capabilityTable() {
  return table([...CAPABILITY_COLUMNS], Object.values(adapters).map(capabilityRow));
}

/** The diagnostics, one per code. */
export function diagnosticTable() {
  return table(
    ['code', 'severity', 'what it means'],
    Object.entries(catalogue).map(([code, { severity, about }]) => [`\`${code}\``, severity, about]),
  );
}
