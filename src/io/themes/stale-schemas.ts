import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Site } from '../../theme/site.ts';
import { reportFileProblem, sha256Of } from '../disk/files.ts';
import { unixLines } from '../git.ts';
import type { IncrementalCache } from '../incremental/incremental-cache.ts';
import type { Content } from './discover.ts';

/** Greatest size of a schema, in bytes; they have some 20,000. */
const LIMIT = 1_000_000;

/** Reports schemas for editors that another version, or other values in site.yaml, made. */
export async function reportStaleSchemas(
  { schemas }: Content,
  site: Site,
  incremental: IncrementalCache,
  report: Report,
): Promise<void> {
  if (schemas.length === 0) return;
  const hashes = await incremental.memoize('schemas', [site.logo_types, site.logo_alignments], report, async () => {
    const { editorSchemas } = await import('../../theme/json-schema.ts');
    const texts = Object.entries(editorSchemas(site));
    return Object.fromEntries(texts.map(([name, text]) => [name, sha256Of(text)]));
  });
  for (const { name, file, path } of schemas) {
    const content = incremental.files.contentOf(path, LIMIT);
    if ('problem' in content && content.problem === 'unreadable') reportFileProblem(content, file, LIMIT, report);
    else if ('problem' in content || ![content.sha256, sha256Of(unixLines(content.bytes()))].includes(hashes[name] ?? ''))
      report('schema/stale', { file }, { name });
  }
}
