import type { BuildOptions, BuildResult, CheckResult } from './api.ts';
import { type Documents, documents } from '../document/documents.ts';
import { manifest } from '../document/manifest.ts';
import { type FileFacts, type OutputFile, partsOf } from '../document/output-file.ts';
import type { ImageUrls } from '../document/record.ts';
import { openApiTemplate, pageStyle } from '../io/runtime.ts';
import { keyCount } from '../users/mapping.ts';
import { LostThumbnail, mediaContent, readThumbnail } from './media-content.ts';
import type { Linked } from './link.ts';
import type { Memory } from './memory.ts';
import type { CompiledSite, LinkedHosts, MediaFile } from './model.ts';
import { schemaDocuments } from './openapi/documents.ts';
import type { LeftOutput, Publication } from './output/publish.ts';
import { checkShrinkage } from './output/shrinkage.ts';
import type { Run } from './resources.ts';

type Published = Omit<BuildResult, keyof CheckResult>;

/**
 * Publishes a site without errors: writes the difference to what is published.
 * @returns the figures; or the themes of which a thumbnail is lost, and nothing was published
 */
export async function publishSite(
  publication: Publication,
  { compiled, linked, hosts, last }: { compiled: CompiledSite; linked: Linked; hosts: LinkedHosts; last: LeftOutput | undefined },
  { memory, cache }: Run,
  options: BuildOptions,
): Promise<(Published & { left: LeftOutput }) | { lost: ReadonlySet<string> }> {
  const { allowShrink = false, signal } = options;
  const { site } = linked.settings;
  const users = keyCount(linked.users.compiled);
  if (!allowShrink)
    checkShrinkage(await publication.published(), {
      themes: linked.themes,
      users,
      hasUsersFile: options.users !== undefined,
    });
  const themes = linked.themes.map((theme) => ({ theme, urls: linked.urlsOf(theme) as ImageUrls }));
  const texts = [...documents(themes, site, pageStyle()), ...schemaDocuments(themes, site, linked.rules, openApiTemplate)];
  const media = linked.media();
  const known = texts.map((group) => memory.recall<FileFacts[]>(`documents ${group.name}`, group.inputs));
  const rows: FileFacts[] = [];
  const files = function* (): Generator<FileFacts | OutputFile | MediaFile> {
    for (const list of [media, madeDocuments(texts, known, memory), hosts.public])
      for (const file of list) {
        yield file;
        rows.push(file);
      }
    const last = manifest(rows, site);
    rows.push(last);
    yield last;
  };
  const isKnown = known.every((facts) => facts !== undefined);
  const allRows = isKnown ? [...media, ...known.flat(), ...hosts.public] : undefined;
  const whole = allRows && manifest(allRows, site);
  try {
    const { foreign, left } = await publication.publish({
      files: files(),
      contentOf: async (file) => {
        if ('slug' in file) return mediaContent(file, options.themesDir, cache);
        if ('content' in file) return partsOf(file);
        const made = (await hosts.make()).public.find(({ path: one }) => one === file.path);
        return made === undefined ? [] : partsOf(made);
      },
      manifest: whole?.sha256,
      privateFiles: hosts.private,
      privateContentOf: async (file) => partsOf((await privateFiles(hosts)).get(file) ?? { content: { text: '' } }),
      users,
      left: last,
      signal,
    });
    if (cache.hasGrown || memory.isMerged)
      await cache.prune(media.flatMap(({ thumbnail }) => (thumbnail ? [thumbnail.sha256] : [])));
    const all = rows.length > 0 ? rows : [...(allRows ?? []), ...(whole ? [whole] : [])];
    const decodings = new Set<string>();
    for (const { images } of compiled.themes.values())
      for (const { sha256, made } of Object.values(images)) for (const { method } of made) decodings.add(sha256 + method);
    return {
      files: all.length,
      bytes: all.reduce((sum, file) => sum + file.bytes, 0),
      media: media.length,
      hosts: site.edge,
      foreign,
      left,
      rendered: compiled.rendered,
      cached: decodings.size - compiled.rendered,
    };
  } catch (error) {
    if (!(error instanceof LostThumbnail)) throw error;
    const lost = media.filter(({ thumbnail }) => thumbnail && readThumbnail(thumbnail, cache) === undefined);
    return { lost: new Set(lost.map(({ slug }) => slug)) };
  }
}

const madeBy = new WeakMap<LinkedHosts, Promise<ReadonlyMap<string, Awaited<ReturnType<LinkedHosts['make']>>['private'][number]>>>();

/** The private files of hosts by their paths. */
function privateFiles(hosts: LinkedHosts) {
  const known = madeBy.get(hosts) ?? hosts.make().then((made) => new Map(made.private.map((file) => [file.path, file])));
  madeBy.set(hosts, known);
  return known;
}

/** Documents with their sizes and hashes. Those whose inputs have not changed are only made if they are written. */
function* madeDocuments(
  groups: readonly Documents[],
  known: readonly (readonly FileFacts[] | undefined)[],
  memory: Memory,
): Generator<OutputFile> {
  for (const [at, { name, inputs, files }] of groups.entries()) {
    const facts: FileFacts[] = [];
    for (const [index, { make }] of files.entries()) {
      const fact = known[at]?.[index];
      const made = fact === undefined ? make() : { ...fact, content: { parts: () => partsOf(make()) } };
      yield made;
      const { content: _, ...rest } = made;
      facts.push(rest);
    }
    if (known[at] === undefined) memory.remember(`documents ${name}`, inputs, facts);
  }
}
