import path from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type ImageReference, inspectImage, reportAtEach } from '../image/inspect.ts';
import { isPlaceholder } from '../image/placeholder.ts';
import { similarName } from '../image/similar-name.ts';
import { decode } from '../io/decoder/decode.ts';
import { type FileProblem, reportFileProblem, sha256Of } from '../io/disk/files.ts';
import { fieldsWhere, thumbnailSpecOf } from '../theme/fields.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import { LOGO_THUMBNAIL } from '../theme/thumbnail-spec.ts';
import type { Tools } from './compile-theme.ts';
import type { DecodeFailure, DecodingJob } from './decodings.ts';
import type { CompiledImage, Decoding } from './model.ts';
import type { ThemeFiles } from './theme-files.ts';

const LOGO_FIELDS: ReadonlySet<string> = new Set(fieldsWhere({ page: 'logos' }));

/** Bytes up to which an image is sent to a decoder, as many as a pipe holds; a larger one is read there. */
const SENT = 64 * 1024;

/** The images of a folder as they are compiled; and what was read. */
export interface CompiledImages {
  images: Record<string, CompiledImage>;
  /** SHA-256 of each file, by path. */
  reads: Record<string, string>;
  /** Whether the next run would find the same, if no file has changed. */
  isFinal: boolean;
}

/** Checks the images of a theme folder, and decodes each once for each thumbnail spec. */
export async function compileImages(
  files: ThemeFiles,
  references: ReadonlyMap<string, readonly ImageReference[]>,
  limit: number,
  display: (file: string) => string,
  tools: Tools,
  report: Report,
): Promise<CompiledImages> {
  const { slug } = files;
  const listed = files.entries.flatMap(({ path: file, kind }) => (kind === 'folder' || file === THEME_FILE ? [] : [file]));
  const result: CompiledImages = { images: {}, reads: {}, isFinal: true };
  const placeholders: ImageReference[] = [];
  const decodings: Promise<void>[] = [];
  for (const [named, fields] of references) {
    const read = listed.includes(named) ? files.read(named, limit) : await files.readUnlisted(named, limit);
    if (!Buffer.isBuffer(read)) {
      result.isFinal = false;
      reportUnread(read, { slug, named, fields, listed }, limit, display, report);
      continue;
    }
    const source = sha256Of(read);
    result.reads[named] = source;
    const inspected = inspectImage(read, display(`${slug}/${named}`), fields, report, listed);
    if (inspected === undefined) continue;
    const { format, published } = inspected;
    if (format === 'svg' && isPlaceholder(read)) placeholders.push(...fields);
    const isStripped = published !== read;
    const sha256 = isStripped ? sha256Of(published) : source;
    const image = { format, bytes: published.length, sha256, isStripped, made: [] as Decoding[] };
    await tools.stage?.original(slug, named, image, published);
    if (!tools.decodes) {
      result.images[named] = image;
      continue;
    }
    // A drawing without its metadata is another text; of a photograph, the same pixels.
    const isSent = read.length <= SENT || format === 'svg';
    const file = { file: path.resolve(tools.themesDir, slug, named), bytes: read.length, sha256: source };
    const bytes = isSent || !tools.isOnDisk ? published : file;
    const run = (job: DecodingJob) => decode({ bytes, format, ...job }, tools.decoders);
    const outcomes = jobsOf(fields).map((job) => tools.decodings.of(sha256, job, () => run(job)));
    decodings.push(
      Promise.all(outcomes).then(async (made) => {
        const failure = made.find((one) => typeof one === 'string');
        if (failure !== undefined) {
          if (failure !== 'does not decode') result.isFinal = false;
          return reportFailure(failure, named, fields, report);
        }
        image.made = made.filter((one) => typeof one !== 'string');
        result.images[named] = image;
        for (const { thumbnail } of image.made) await (thumbnail && tools.stage?.thumbnail(slug, named, thumbnail));
      }),
    );
  }
  await Promise.all(decodings);
  reportPlaceholders(placeholders, report);
  return result;
}

/** A job for each thumbnail spec of the fields that name an image. A thumbnail decodes the whole image, so nothing more has to be checked. */
function jobsOf(fields: readonly ImageReference[]): DecodingJob[] {
  const specs = new Set(fields.flatMap(({ field }) => thumbnailSpecOf(field) ?? []));
  const jobs: DecodingJob[] = [...(specs.size === 0 ? [undefined] : specs)].map((spec) => ({ spec, isLookedAt: false }));
  // Once, whatever is made of it; best of all through the thumbnail of a logo.
  const looked = jobs.find(({ spec }) => spec === LOGO_THUMBNAIL) ?? jobs[0];
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
  { slug, named, fields, listed }: { slug: string; named: string; fields: readonly ImageReference[]; listed: readonly string[] },
  limit: number,
  display: (file: string) => string,
  report: Report,
): void {
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
