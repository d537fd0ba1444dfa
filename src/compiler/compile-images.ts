import path from 'node:path';
import { catalogue } from '../diagnostics/catalogue.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type ImageReference, type InspectedImage, inspectImage, reportAtEach } from '../image/inspect.ts';
import { isPlaceholder } from '../image/placeholder.ts';
import { similarName } from '../image/similar-name.ts';
import type { DecodeBatch } from '../decoder/decode.ts';
import { type FileProblem, reportFileProblem, sha256Of } from '../disk/files.ts';
import { derivedSpecsOf, fieldsWhere, thumbnailSpecOf } from '../theme/fields.ts';
import type { Site } from '../theme/site.ts';
import { LOGO_THUMBNAIL } from '../theme/thumbnail-spec.ts';
import type { DecodeFailure, DecodingJob } from './decodings.ts';
import type { CompiledImage, Decoding } from './model.ts';
import type { ThemeFiles } from './theme-files.ts';
import type { Tools } from './tools.ts';

const LOGO_FIELDS: ReadonlySet<string> = new Set(fieldsWhere({ page: 'logos' }));

/** Bytes up to which an image is sent to a decoder, as many as a pipe holds; a larger one is read there. */
const SENT = 64 * 1024;

/** The images of a folder as they are compiled; and what was read. */
export interface CompiledImages {
  images: CompiledImage[];
  /** The files that were read, each with its SHA-256. */
  reads: [file: string, sha256: string][];
  /** Whether the next run would find the same, if no file has changed. */
  isFinal: boolean;
}

/** A theme folder whose images are compiled. */
export interface ImageFolder {
  files: ThemeFiles;
  /** The names of files in it. */
  listed: readonly string[];
  site: Pick<Site, 'limits' | 'derived' | 'manifest'>;
  /** A file as diagnostics name it. */
  display: (file: string) => string;
  tools: Tools;
  /** Takes the images that are decoded. */
  batch: DecodeBatch;
}

type References = readonly ImageReference[];

/** Checks the images of a theme folder, and decodes each once for each thumbnail spec. */
export async function compileImages(
  folder: ImageFolder,
  references: ReadonlyMap<string, References>,
  report: Report,
): Promise<CompiledImages> {
  const { files, listed } = folder;
  const limit = folder.site.limits.picture_bytes;
  const result: CompiledImages = { images: [], reads: [], isFinal: true };
  const placeholders: ImageReference[] = [];
  const decodings: (() => Promise<void>)[] = [];
  for (const [named, fields] of references) {
    const read = listed.includes(named) ? files.read(named, limit) : await files.readUnlisted(named, limit);
    if (!Buffer.isBuffer(read)) {
      result.isFinal = false;
      reportUnread(read, named, fields, folder, report);
      continue;
    }
    const source = sha256Of(read);
    result.reads.push([named, source]);
    const inspected = inspect(read, named, fields, folder, report);
    if (inspected === undefined) continue;
    if (inspected.format === 'svg' && isPlaceholder(read)) placeholders.push(...fields);
    decodings.push(await compileImage({ read, source, ...inspected }, named, fields, folder, result, report));
  }
  folder.batch.send();
  await Promise.all(decodings.map((decoded) => decoded()));
  reportPlaceholders(placeholders, report);
  // In whatever order they were decoded.
  result.images.sort((a, b) => (a.path < b.path ? -1 : 1));
  return result;
}

/** Checks an image without decoding it; nothing if it has errors. */
function inspect(
  bytes: Buffer,
  named: string,
  fields: References,
  { files: { slug }, listed, display }: ImageFolder,
  report: Report,
): InspectedImage | undefined {
  let hasErrors = false;
  const inspected = inspectImage(
    bytes,
    display(`${slug}/${named}`),
    fields,
    (code, location, args) => {
      hasErrors ||= catalogue[code].severity === 'error';
      report(code, location, args);
    },
    listed,
  );
  return hasErrors ? undefined : inspected;
}

/** Stages an image, and has it decoded. @returns what ends once it is */
async function compileImage(
  { read, source, format, published }: InspectedImage & { read: Buffer; source: string },
  named: string,
  fields: References,
  { files: { slug }, site, tools, batch }: ImageFolder,
  result: CompiledImages,
  report: Report,
): Promise<() => Promise<void>> {
  const isStripped = published !== read;
  const sha256 = isStripped ? sha256Of(published) : source;
  const image = { path: named, format, bytes: published.length, sha256, isStripped, made: [] as Decoding[] };
  await tools.stage?.original(slug, image, published);
  if (!tools.decodes) {
    result.images.push(image);
    return () => Promise.resolve();
  }
  // A drawing without its metadata is another text; of a photograph, the same pixels.
  const isSent = read.length <= SENT || format === 'svg' || !tools.isOnDisk;
  const file = { file: path.resolve(tools.themesDir, slug, named), bytes: read.length, sha256: source };
  const bytes = isSent ? published : file;
  const run = (job: DecodingJob) => batch.add({ bytes, format, ...job });
  const outcomes = jobsOf(fields, site).map((job) => tools.decodings.of(sha256, job, () => run(job)));
  return async () => {
    const made = await Promise.all(outcomes);
    const failure = made.find((one) => typeof one === 'string');
    if (failure !== undefined) {
      if (failure !== 'does not decode') result.isFinal = false;
      reportFailure(failure, named, fields, report);
      return;
    }
    image.made = made.filter((one) => typeof one !== 'string');
    result.images.push(image);
    for (const { thumbnail } of image.made) await (thumbnail && tools.stage?.thumbnail(slug, named, thumbnail));
  };
}

/** A job for each thumbnail spec of the fields that name an image. A thumbnail decodes the whole image, so nothing more has to be checked. */
function jobsOf(fields: readonly ImageReference[], site: ImageFolder['site']): DecodingJob[] {
  const derived = fields.flatMap(({ field }) => derivedSpecsOf(field, site));
  const specs = new Set([...derived, ...fields.flatMap(({ field }) => thumbnailSpecOf(field) ?? [])]);
  const jobs: DecodingJob[] = [...(specs.size === 0 ? [undefined] : specs)].map((spec) => ({
    spec,
    isLookedAt: false,
  }));
  // Once, whatever is made of it: through its bitmap, or else through the thumbnail of a logo.
  const isBitmap = ({ spec }: DecodingJob): boolean =>
    spec?.canvas === undefined && derived.some((one) => one === spec);
  const looked = jobs.find(isBitmap) ?? jobs.find(({ spec }) => spec === LOGO_THUMBNAIL) ?? jobs[0];
  if (looked !== undefined && fields.some(({ field }) => LOGO_FIELDS.has(field))) looked.isLookedAt = true;
  return jobs;
}

/** Reports all placeholders of a theme at once, at the first: a new theme has nine. */
function reportPlaceholders(placeholders: readonly ImageReference[], report: Report): void {
  const fields = new Set(placeholders.map(({ field }) => field));
  const [first] = placeholders;
  if (first !== undefined) report('image/placeholder', first.source.location, { fields: [...fields] });
}

/** Reports why an image file cannot be read. */
function reportUnread(
  problem: FileProblem | undefined,
  named: string,
  fields: References,
  { files: { slug }, listed, site, display }: ImageFolder,
  report: Report,
): void {
  const limit = site.limits.picture_bytes;
  const everywhere = reportAtEach(fields, report);
  if (problem === undefined || problem.problem === 'missing') {
    const isHidden = problem === undefined && /(?:^|\/)\./.test(named);
    everywhere('image/not-found', { path: named, ...similarName(named, listed), isHidden });
  } else if (problem.problem === 'too-large')
    everywhere('image/too-large', { path: named, bytes: problem.bytes, limit });
  else if (problem.problem === 'unreadable') reportFileProblem(problem, display(`${slug}/${named}`), limit, report);
  else everywhere('image/not-a-file', { path: named });
}

/** Never the message of the decoder: it may be pages long, and about another image. */
const REASONS = {
  'does not decode': 'it cannot be decoded completely',
  crashed: 'it crashes the decoder',
  changed: 'it changed while it was being read',
} as const;
const OVER = { 'too slow': '10 seconds', 'too much memory': '1 GB of memory' } as const;

function reportFailure(failure: DecodeFailure, named: string, fields: readonly ImageReference[], report: Report): void {
  const [first] = fields;
  if (first === undefined) return;
  const { location } = first.source;
  if (failure === 'ended') report('image/decoder-ended', location, { path: named });
  else if (failure in OVER)
    report('image/too-expensive', location, { path: named, limit: OVER[failure as keyof typeof OVER] });
  else report('image/corrupt', location, { path: named, reason: REASONS[failure as keyof typeof REASONS] });
}
