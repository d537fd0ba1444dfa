import { type OutputFile, textFile } from '../../../document/output-file.ts';
import type { Assignment } from '../../../mapping/assignments.ts';
import type { EdgeRules } from '../../../mapping/edge-rules.ts';
import { serviceVcl } from './service.ts';
import { TABLE_ITEMS, tables, tablesVcl } from './tables.ts';

/** The service once more, for a VCL service instead of Compute: its files, or why there are none. */
export type VclVariant = { files: OutputFile[] } | { files: []; because: string };

export function vclVariant(rules: EdgeRules, assignments: readonly Assignment[]): VclVariant {
  const tooLong = tables(rules, assignments).find(({ items }) => items.length > TABLE_ITEMS);
  const number = (value: number) => value.toLocaleString('en');
  if (tooLong !== undefined) {
    const { kind, items } = tooLong;
    return {
      files: [],
      because: `there are ${number(items.length)} ${kind}s, and a table of VCL holds ${number(TABLE_ITEMS)} items`,
    };
  }
  if (rules.identity.some(({ credential }) => credential.from !== 'cookie' && !('secret' in credential)))
    return { files: [], because: 'site.yaml has tokens verified, which is for Compute' };
  return {
    files: [vclFile('theme-service.vcl', serviceVcl(rules)), vclFile('tables.vcl', tablesVcl(rules, assignments))],
  };
}

function vclFile(name: string, text: string): OutputFile {
  return textFile(`vcl/${name}`, text, 'text/plain; charset=utf-8', 'config');
}
