import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG } from '../../document/endpoint.ts';
import { mapConcurrently } from '../concurrency.ts';
import { READERS, readRegularFile } from '../disk/files.ts';

/** Maximum size of a document that is read, in bytes: that of a theme has a few thousand. */
const LIMIT = 64 * 1024;
/** Maximum number of documents that are read. */
const MAX_DOCUMENTS = 1000;

/**
 * The ids of themes of the last build that no longer exist, by slug. Used only to suggest the new name of a renamed theme, so
 * whatever cannot be read is left out.
 * @param outDir - public output
 * @param slugs - of all current themes
 */
export async function idsBefore(outDir: string, slugs: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const folder = path.join(outDir, CONFIG.path);
  const names = await readdir(folder).catch(() => []);
  const gone = names
    .flatMap((name) => /^(?!(?:index|options)\.)([a-z0-9-]+)\.json$/.exec(name)?.[1] ?? [])
    .filter((slug) => !slugs.has(slug));
  const read = await mapConcurrently(gone.slice(0, MAX_DOCUMENTS), READERS, async (slug) => {
    const bytes = await readRegularFile(path.join(folder, `${slug}.json`), LIMIT, outDir).catch(() => undefined);
    const id = Buffer.isBuffer(bytes) ? idOf(bytes.toString()) : undefined;
    return id === undefined ? [] : [[slug, id] as const];
  });
  return new Map(read.flat());
}

function idOf(text: string): number | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return Number.isSafeInteger(id) ? (id as number) : undefined;
  } catch {
    return undefined;
  }
}
