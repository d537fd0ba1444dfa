import { type BuildOptions, type BuildResult, NOTHING_PUBLISHED } from './api.ts';
import { type Document, documents } from '../document/documents.ts';
import { manifest } from '../document/manifest.ts';
import { type OutputFile, partsOf } from '../document/output-file.ts';
import type { Publication } from '../io/output/publish.ts';
import { schemaDocuments } from './openapi/documents.ts';
import type { RenderOptions } from '../io/images/render-jobs.ts';
import { checkShrinkage } from '../io/output/shrinkage.ts';
import { examine } from './examine.ts';
import { assign, type Assignments, readThemes, type ReadThemes } from './pipeline.ts';
import type { Run } from './resources.ts';
import { keyCount } from '../users/mapping.ts';

/** Every stage of a build: reads and checks the themes, renders their images, and publishes all of them or none. */
export async function publishThemes(
  publication: Publication,
  run: Run,
  options: BuildOptions & { cwd: string },
): Promise<BuildResult & Pick<ReadThemes, 'content' | 'site'>> {
  const { signal } = options;
  const onProgress = (done: number, all: number): void => {
    signal?.throwIfAborted();
    options.onProgress?.(done, all);
  };
  const stage: RenderOptions['stage'] = async (...file) => publication.early.add(...file);
  const decoding = { onProgress, stage };
  const read = await readThemes(options, run, options.expectCached === true ? undefined : decoding);
  const assigned = await assign(read, options, run.diagnostics.report);
  try {
    return {
      ...(await publish(publication, run, read, assigned, { ...options, onProgress })),
      content: read.content,
      site: read.site,
    };
  } finally {
    assigned.users.close();
  }
}

async function publish(
  publication: Publication,
  run: Run,
  read: ReadThemes,
  assigned: Assignments,
  options: BuildOptions & { cwd: string },
): Promise<BuildResult> {
  const { signal, allowShrink = false, cacheMax } = options;
  const { incremental } = run;
  const { site, rules } = read;
  const users = keyCount(assigned.users.mapping);
  const examined = await examine(read, users, run, options, assigned.redirected);
  const { result, rendered: rendering } = examined;
  if (rendering === undefined) return { ...result, ...NOTHING_PUBLISHED };
  if (!allowShrink)
    checkShrinkage(await publication.published(), {
      themes: read.themes,
      users,
      renamed: read.renamed,
      hasUsersFile: options.users !== undefined,
    });

  const { images, rendered, cached } = rendering;
  const { edgeFiles, publicFiles } = examined.written ?? assigned;
  const texts: OutputFile[] = [];
  let retained = 0;
  for (const document of [...documents(images, site), ...schemaDocuments(images.themes, site, rules)]) {
    const { file, fresh } = await measuredDocument(document, run);
    retained += fresh?.bytes ?? 0;
    texts.push(fresh !== undefined && retained <= RETAINED ? fresh : file);
  }
  const published = [...images.files, ...texts, ...publicFiles];
  const files = [...published, manifest(published, site)];
  const hashes = incremental.files;
  const foreign = await publication.publish({ files, edgeFiles, users, hashes, signal });
  const prunes = cacheMax !== undefined || run.cache.hasGrown;
  const size = prunes ? await run.cache.prune(cacheMax) : undefined;
  const cacheBytes = cacheMax === undefined ? undefined : size;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const figures = { files: files.length, bytes, media: images.files.length };
  return { ...result, ...figures, hosts: site.edge, foreign, rendered, cached, cacheBytes };
}

/** Bytes of documents that are retained until they are written; of 10,000 themes, the others are made again. */
const RETAINED = 64 * 1024 * 1024;

/** A document with its size and hash, made again when it is written; and as it was made, if its inputs have changed. */
async function measuredDocument({ path, inputs, make }: Document, { incremental, diagnostics }: Run) {
  let fresh: OutputFile | undefined;
  const facts = await incremental.memoize(`document ${path}`, [inputs], diagnostics.report, () => {
    fresh = make();
    const { content: _, ...rest } = fresh;
    return rest;
  });
  return { file: { ...facts, content: { parts: () => partsOf(make()) } }, fresh };
}
