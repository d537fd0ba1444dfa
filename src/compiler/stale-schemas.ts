import type { Report } from '../diagnostics/diagnostic.ts';
import type { Site } from '../theme/site.ts';
import { readBytes, reportFileProblem, sha256Of } from '../disk/files.ts';
import { unixLines } from '../git/git.ts';
import type { Memory } from './memory.ts';
import type { Walk } from './walk.ts';

/** Greatest size of a schema, in bytes; they have some 20,000. */
const LIMIT = 1_000_000;

/** Reports schemas for editors that another version, or other values in site.yaml, made. */
export async function reportStaleSchemas({ schemas }: Walk, site: Site, memory: Memory, report: Report): Promise<void> {
  if (schemas.length === 0) return;
  const hashes = await memory.memoize('schemas', [site.logo_types, site.logo_alignments], report, async () => {
    const { editorSchemas } = await import('../theme/json-schema.ts');
    const texts = Object.entries(editorSchemas(site));
    return Object.fromEntries(texts.map(([name, text]) => [name, sha256Of(text)]));
  });
  for (const { name, file, path } of schemas) {
    const read = readBytes(path, LIMIT);
    if ('problem' in read && read.problem === 'unreadable') reportFileProblem(read, file, LIMIT, report);
    else if ('problem' in read || sha256Of(unixLines(read.bytes)) !== hashes[name])
      report('schema/stale', { file }, { name });
  }
}
