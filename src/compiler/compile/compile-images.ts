import path from 'node:path';
import { catalogue } from '../../core/diagnostics/catalogue.ts';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { type ImageReference, type InspectedImage, inspectImage, reportAtEach } from '../../core/image/inspect.ts';
import { iconSide } from '../../core/image/container/png.ts';
import { isPlaceholder } from '../../core/image/placeholder.ts';
import { similarName } from '../../core/image/similar-name.ts';
import { type DecodeBatch, reportUndecodable } from '../../system/decoder/decode.ts';
import { isUndecodable } from '../../system/decoder/job.ts';
import { type FileProblem, reportFileProblem, sha256Of } from '../../system/disk/files.ts';
import { derivedSpecsOf, fieldsWhere, thumbnailSpecOf } from '../../core/theme/fields/fields.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { ICON, LOGO_THUMBNAIL } from '../../core/theme/fields/thumbnail-spec.ts';
import type { DecodeFailure, DecodingJob } from './decodings.ts';
import type { CompiledImage, Decoding } from '../model.ts';
import type { ThemeFiles } from '../walk/theme-files.ts';
import type { Tools } from './compile-theme.ts';

const LOGO_FIELDS: ReadonlySet<string> = new Set(fieldsWhere({ page: 'logos' }));

/** Images up to this size are sent to a decoder, as many bytes as a pipe buffers; the decoder reads larger ones itself. */
const MAX_INLINE_BYTES = 64 * 1024;

/** The compiled images of a folder, and the files that were read. */
export interface CompiledImages {
  images: CompiledImage[];
  /** The files that were read, each with its SHA-256. */
  reads: [file: string, sha256: string][];
  /** Whether the next run would return the same as long as no file changes. */
  isFinal: boolean;
}

/** A theme folder, with the tools that compile its images. */
export interface ImageFolder {
  files: ThemeFiles;
  fileNames: readonly string[];
  site: Pick<Site, 'limits' | 'derived' | 'web_app'>;
  display: (file: string) => string;
  tools: Tools;
  batch: DecodeBatch;
}

type References = readonly ImageReference[];

/** Checks the images of a theme folder, and decodes each once for each thumbnail spec. */
export async function compileImages(
  folder: ImageFolder,
  references: ReadonlyMap<string, References>,
  report: Report,
): Promise<CompiledImages> {
  const { files, fileNames } = folder;
  const limit = folder.site.limits.picture_bytes;
  const result: CompiledImages = { images: [], reads: [], isFinal: true };
  const placeholders: ImageReference[] = [];
  const decodings: (() => Promise<void>)[] = [];
  for (const [imagePath, fields] of references) {
    const read = fileNames.includes(imagePath)
      ? files.read(imagePath, limit)
      : await files.readUnlisted(imagePath, limit);
    if (read === undefined || 'problem' in read) {
      result.isFinal = false;
      reportUnread(read, imagePath, fields, folder, report);
      continue;
    }
    const { bytes, sha256 } = read;
    result.reads.push([imagePath, sha256]);
    const inspected = inspect(bytes, imagePath, fields, folder, report);
    if (inspected === undefined) continue;
    if (inspected.format === 'svg' && isPlaceholder(bytes)) placeholders.push(...fields);
    decodings.push(
      compileImage({ read: bytes, source: sha256, ...inspected }, imagePath, fields, folder, result, report),
    );
  }
  folder.batch.send();
  await Promise.all(decodings.map((decoded) => decoded()));
  reportPlaceholders(placeholders, report);
  // Decoding finishes in any order.
  result.images.sort((a, b) => (a.path < b.path ? -1 : 1));
  return result;
}

/** Checks an image without decoding it; returns nothing if it has errors. */
function inspect(
  bytes: Buffer,
  imagePath: string,
  fields: References,
  { files: { slug }, fileNames, display }: ImageFolder,
  report: Report,
): InspectedImage | undefined {
  let hasErrors = false;
  const inspected = inspectImage(
    bytes,
    display(`${slug}/${imagePath}`),
    fields,
    (code, location, args) => {
      hasErrors ||= catalogue[code].severity === 'error';
      report(code, location, args);
    },
    fileNames,
  );
  return hasErrors ? undefined : inspected;
}

/** Adds an image to the batch. @returns a function that waits until it is decoded */
function compileImage(
  { read, source, format, published }: InspectedImage & { read: Buffer; source: string },
  imagePath: string,
  fields: References,
  { files: { slug }, site, tools, batch }: ImageFolder,
  result: CompiledImages,
  report: Report,
): () => Promise<void> {
  const isStripped = published !== read;
  const sha256 = isStripped ? sha256Of(published) : source;
  const jobs = jobsOf(fields, site);
  const icon = jobs.find(({ spec }) => spec === ICON);
  const side = icon && format === 'png' ? iconSide(published, ICON.box[0]) : undefined;
  const image = {
    path: imagePath,
    format,
    bytes: published.length,
    sha256,
    isStripped,
    ...(side !== undefined && { iconSide: side }),
    decodings: [] as Decoding[],
  };
  // The published SVG is another text; a published photograph has the same pixels as the file.
  const isInline = read.length <= MAX_INLINE_BYTES || format === 'svg' || !tools.isOnDisk;
  const file = { file: path.resolve(tools.themesDir, slug, imagePath), bytes: read.length, sha256: source };
  const bytes = isInline ? published : file;
  const run = (job: DecodingJob) => batch.add({ bytes, format, ...job });
  const outcomes = jobs
    .filter((job) => side === undefined || job !== icon)
    .map((job) => tools.decodings.resultOf(sha256, job, () => run(job)));
  return async () => {
    const results = await Promise.all(outcomes);
    const failure = results.find((result) => typeof result === 'string');
    if (failure !== undefined) {
      if (!isUndecodable(failure)) result.isFinal = false;
      reportFailure(failure, imagePath, fields, report);
      return;
    }
    image.decodings = results.filter((result) => typeof result !== 'string');
    result.images.push(image);
  };
}

/**
 * Returns a job for each thumbnail spec of the fields that use an image. Making a thumbnail decodes the whole image, so nothing else has to be
 * checked.
 */
function jobsOf(fields: readonly ImageReference[], site: ImageFolder['site']): DecodingJob[] {
  const derived = fields.flatMap(({ field }) => derivedSpecsOf(field, site));
  const specs = new Set([...derived, ...fields.flatMap(({ field }) => thumbnailSpecOf(field) ?? [])]);
  const jobs: DecodingJob[] = [...(specs.size === 0 ? [undefined] : specs)].map((spec) => ({
    spec,
    isAnalysed: false,
  }));
  // Analysed only once: with its bitmap if there is one, otherwise with the thumbnail of a logo.
  const isBitmap = ({ spec }: DecodingJob): boolean =>
    spec?.canvas === undefined && derived.some((derivedSpec) => derivedSpec === spec);
  const analysed = jobs.find(isBitmap) ?? jobs.find(({ spec }) => spec === LOGO_THUMBNAIL) ?? jobs[0];
  if (analysed !== undefined && fields.some(({ field }) => LOGO_FIELDS.has(field))) analysed.isAnalysed = true;
  return jobs;
}

/** Reports all placeholders of a theme together, at the first: a new theme has nine. */
function reportPlaceholders(placeholders: readonly ImageReference[], report: Report): void {
  const fields = new Set(placeholders.map(({ field }) => field));
  const [first] = placeholders;
  if (first !== undefined) report('image/placeholder', first.source.location, { fields: [...fields] });
}

function reportUnread(
  problem: FileProblem | undefined,
  imagePath: string,
  fields: References,
  { files: { slug }, fileNames, site, display }: ImageFolder,
  report: Report,
): void {
  const limit = site.limits.picture_bytes;
  const reportEach = reportAtEach(fields, report);
  if (problem === undefined || problem.problem === 'missing') {
    const isHidden = problem === undefined && /(?:^|\/)\./.test(imagePath);
    reportEach('image/not-found', { path: imagePath, ...similarName(imagePath, fileNames), isHidden });
  } else if (problem.problem === 'too-large')
    reportEach('image/too-large', { path: imagePath, bytes: problem.bytes, limit });
  else if (problem.problem === 'unreadable') reportFileProblem(problem, display(`${slug}/${imagePath}`), limit, report);
  else reportEach('image/not-a-file', { path: imagePath });
}

const CORRUPT_REASONS = {
  crashed: 'it crashes the decoder',
  changed: 'it changed while it was being read',
} as const;
const EXCEEDED_LIMITS = { 'too slow': '10 seconds', 'too much memory': '1 GB of memory' } as const;

function reportFailure(
  failure: DecodeFailure,
  imagePath: string,
  fields: readonly ImageReference[],
  report: Report,
): void {
  const [first] = fields;
  if (first === undefined) return;
  const { location } = first.source;
  if (failure === 'ended') report('image/decoder-ended', location, { path: imagePath });
  else if (failure in EXCEEDED_LIMITS)
    report('image/too-expensive', location, {
      path: imagePath,
      limit: EXCEEDED_LIMITS[failure as keyof typeof EXCEEDED_LIMITS],
    });
  else if (isUndecodable(failure)) reportUndecodable(failure, imagePath, location, report);
  else
    report('image/corrupt', location, {
      path: imagePath,
      reason: CORRUPT_REASONS[failure as keyof typeof CORRUPT_REASONS],
    });
}
