import { CAPABILITY_COLUMNS, capabilityRow } from '../../lib/hosts/contract/capability-table.js';
import { adapters } from '../../lib/hosts/adapter/adapters.js';
import { table } from './markdown.js';

/** Lists the hosts and their capabilities. */
export function capabilityTable() {
  return table(CAPABILITY_COLUMNS, Object.values(adapters).map(capabilityRow));
}
