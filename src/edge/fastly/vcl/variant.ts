import { type OutputFile, textFile } from '../../../document/output-file.ts';
import type { EdgeRules } from '../../../mapping/edge-rules.ts';
import type { Mapping } from '../../../mapping/mapping.ts';
import { serviceVcl } from './service.ts';
import { TABLE_ITEMS, tablesVcl } from './tables.ts';

/** The service once more, for a VCL service instead of Compute: its files, or why there are none. */
export type VclVariant = { files: OutputFile[] } | { files: []; because: string };

export function vclVariant(rules: EdgeRules, mapping: Mapping): VclVariant {
  if (mapping.shards !== undefined)
    return { files: [], because: 'site.yaml asks for keyed shards, which only Compute reads' };
  const counts = { ...mapping.counts, theme: rules.themes.length };
  const tooMany = rules.identity.find(({ names }) => counts[names] > TABLE_ITEMS)?.names;
  const number = (value: number) => value.toLocaleString('en');
  if (tooMany !== undefined) {
    return {
      files: [],
      because: `there are ${number(counts[tooMany])} ${tooMany}s, and a table of VCL holds ${number(TABLE_ITEMS)} items`,
    };
  }
  if (rules.identity.some(({ credential }) => credential.from !== 'cookie' && !('secret' in credential)))
    return { files: [], because: 'site.yaml has tokens verified, which is for Compute' };
  return {
    files: [vclFile('theme-service.vcl', serviceVcl(rules)), vclFile('tables.vcl', tablesVcl(rules, mapping))],
  };
}

function vclFile(name: string, text: string): OutputFile {
  return textFile(`vcl/${name}`, text, 'text/plain; charset=utf-8', 'config');
}
