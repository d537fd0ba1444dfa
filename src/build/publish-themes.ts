import { type BuildOptions, type BuildResult, NOTHING_PUBLISHED } from './api.ts';
import { buildFile } from '../document/build-file.ts';
import { type Documents, documents } from '../document/documents.ts';
import { manifest } from '../document/manifest.ts';
import { type FileFacts, type OutputFile, partsOf } from '../document/output-file.ts';
import type { Publication } from '../io/output/publish.ts';
import { schemaDocuments } from './openapi/documents.ts';
import { checkShrinkage } from '../io/output/shrinkage.ts';
import { openApiTemplate, pageStyle } from '../io/runtime.ts';
import { examine } from './examine.ts';
import { assign, type Assignments, readThemes, type ReadThemes } from './pipeline.ts';
import type { Run } from './resources.ts';
import { keyCount } from '../users/mapping.ts';

/** Every stage of a build: reads and checks the themes, renders their images, and publishes all of them or none. */
export async function publishThemes(
  publication: Publication,
  run: Run,
  options: PublishOptions,
): Promise<BuildResult & Pick<ReadThemes, 'content'>> {
  const { signal } = options;
  const onProgress = (done: number, all: number): void => {
    signal?.throwIfAborted();
    options.onProgress?.(done, all);
  };
  const decoding = { onProgress, stage: publication.stage.bind(publication) };
  const read = await readThemes(options, run, decoding);
  const assigned = await assign(read, options, run.diagnostics.report);
  try {
    const result = await publish(publication, run, read, assigned, { ...options, onProgress });
    return { ...result, content: read.content };
  } finally {
    assigned.users.close();
  }
}

interface PublishOptions extends BuildOptions {
  cwd: string;
  /** The identity of the public output as the last build left it, if that is known. */
  before: string | undefined;
}

async function publish(
  publication: Publication,
  run: Run,
  read: ReadThemes,
  assigned: Assignments,
  options: PublishOptions,
): Promise<BuildResult> {
  const { signal, allowShrink = false, before } = options;
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
      hasUsersFile: options.users !== undefined,
    });

  const { images, rendered, cached } = rendering;
  const { edgeFiles: hostFiles, publicFiles } = examined.written ?? assigned;
  const rows: FileFacts[] = [];
  const edgeFiles = [...hostFiles, buildFile(() => ({ commit: options.commit, manifest: rows.at(-1)?.sha256 }))];
  const files = function* (): Generator<OutputFile> {
    const texts = [
      ...documents(images.themes, site, pageStyle()),
      ...schemaDocuments(images.themes, site, rules, openApiTemplate),
    ];
    for (const list of [images.files, madeDocuments(texts, run), publicFiles]) {
      for (const file of list) {
        yield file;
        const { content: _, ...row } = file;
        rows.push(row);
      }
    }
    const last = manifest(rows, site);
    rows.push(last);
    yield last;
  };
  const hashes = incremental.files;
  const foreign = await publication.publish({ files: files(), edgeFiles, users, hashes, before, signal });
  if (run.cache.hasGrown || incremental.made.hasShards) await run.cache.prune();
  const bytes = rows.reduce((sum, file) => sum + file.bytes, 0);
  const figures = { files: rows.length, bytes, media: images.files.length };
  return { ...result, ...figures, hosts: site.edge, foreign, rendered, cached };
}

/** Documents with their sizes and hashes. Those whose inputs have not changed are only made if they are written. */
function* madeDocuments(groups: Iterable<Documents>, { incremental, diagnostics }: Run): Generator<OutputFile> {
  for (const { name, inputs, files } of groups) {
    const key = `documents ${name}`;
    const known = incremental.recall<FileFacts[]>(key, inputs, diagnostics.report);
    const facts: FileFacts[] = [];
    for (const [index, { make }] of files.entries()) {
      const fact = known?.[index];
      const made = fact === undefined ? make() : { ...fact, content: { parts: () => partsOf(make()) } };
      yield made;
      const { content: _, ...rest } = made;
      facts.push(rest);
    }
    if (known === undefined) incremental.remember(key, inputs, facts);
  }
}
