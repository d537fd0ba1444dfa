import { CAPABILITY_COLUMNS, capabilityRow } from '../../lib/hosts/capability-table.js';
import { adapters } from '../../lib/hosts/adapters.js';
import { table } from './markdown.js';

/** The hosts and what each can do: the columns in which hosts that run rules or code differ. */
export function capabilityTable() {
  const [first, ...others] = Object.values(adapters)
    .filter(({ capabilities }) => capabilities.maxKeys > 0)
    .map(capabilityRow);
  const differ = CAPABILITY_COLUMNS.map((_, index) => others.some((row) => row[index] !== first?.[index]));
  const cells = (/** @type {readonly string[]} */ row) => row.filter((_, index) => differ[index]);
  return table(cells(CAPABILITY_COLUMNS), Object.values(adapters).map(capabilityRow).map(cells));
}
