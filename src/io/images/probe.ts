import path from 'node:path';
import type { Code, Report } from '../../diagnostics/diagnostic.ts';
import { acceptedFormats, extensionFits, type Format, FORMATS, isLfsPointer, sniffFormat } from '../../image/format.ts';
import { pixelLimit } from '../../image/limits.ts';
import { type Picture, pictureKey } from '../../image/picture.ts';
import { similarName } from '../../image/similar-name.ts';
import { readStructure, type Structure } from '../../image/container.ts';
import type { Damaged, Trailing } from '../../image/container/parsed.ts';
import { checkSvg } from '../../image/svg/check.ts';
import { checkSvgFile } from '../../image/svg/file.ts';
import { sizeOf } from '../../image/svg/size.ts';
import type { ImageSetField, PictureField } from '../../theme/fields.ts';
import type { PictureSource } from '../../theme/image-source.ts';
import type { Theme } from '../../theme/resolve.ts';
import type { Site } from '../../theme/site.ts';
import type { Cache } from './cache.ts';
import { mapConcurrently } from '../concurrency.ts';
import { type Content, displayPath, reportFileProblem } from '../themes/discover.ts';
import { READERS, readRegularFile, sha256Of } from '../files.ts';
import type { Memory } from './incremental-cache.ts';

/** A picture with fewer pixels than this on both sides is a placeholder, no logo. */
const SMALLEST = 8;
/** A picture with a side this many times the other is a line. */
const LONGEST = 50;
/** Pixels along a side of a favicon: 16 in a tab, on a screen with two pixels for each. */
const SMALLEST_FAVICON = 32;
/** How far the sides of a square drawing may be apart, as a share of the longer: editors round them. */
const SQUARE = 0.01;

interface Reference {
  field: PictureField | ImageSetField;
  source: Extract<PictureSource, { path: string }>;
}

export interface ProbeOptions {
  limits: Site['limits'];
  cache: Cache;
  memory: Memory;
}

export interface ProbeResult {
  /** By {@link pictureKey}. */
  pictures: Map<string, Picture>;
  /** The SVGs that findings point into, by file. */
  texts: Map<string, string>;
}

/** Reads every picture that a theme names, once, and checks what can be told without decoding it. */
export async function probePictures(
  themes: readonly Theme[],
  content: Content,
  { limits, cache, memory }: ProbeOptions,
  report: Report,
): Promise<ProbeResult> {
  const references = new Map<string, Reference[]>();
  for (const theme of themes) {
    for (const [field, source] of Object.entries(theme.pictures) as [Reference['field'], PictureSource][]) {
      if (!('path' in source)) continue;
      const same = references.get(pictureKey(source)) ?? [];
      // An inherited picture is named in one place only.
      if (!same.some((other) => other.field === field && other.source.location.file === source.location.file))
        same.push({ field, source });
      references.set(pictureKey(source), same);
    }
  }
  const probed = await mapConcurrently([...references], READERS, async ([key, same]) => {
    const [{ source }] = same as [Reference];
    const stamp = memory.stampOf(path.join(content.themesDir, source.slug, source.path));
    const { picture, texts } = await memory.recall(
      `picture ${key}`,
      [stamp, JSON.stringify([same, limits])],
      report,
      async (found) => {
        const shown = new Map<string, string>();
        return { picture: await probe(same, content, limits, cache, shown, found), texts: [...shown] };
      },
    );
    return { pictures: picture === undefined ? [] : ([[key, picture]] as const), texts };
  });
  return {
    pictures: new Map(probed.flatMap(({ pictures }) => pictures)),
    texts: new Map(probed.flatMap(({ texts }) => texts)),
  };
}

async function probe(
  references: readonly Reference[],
  content: Content,
  limits: Site['limits'],
  cache: Cache,
  texts: Map<string, string>,
  report: Report,
): Promise<Picture | undefined> {
  const source = references[0]?.source;
  if (source === undefined) return undefined;
  const { slug, path: shown, location } = source;
  const everywhere: Report = (code, _, args) => {
    for (const reference of references) report(code, reference.source.location, args);
  };
  const known = content.pictures.get(slug) ?? [];
  const file = path.join(content.themesDir, slug, shown);
  const bytes = await readRegularFile(file, limits.picture_bytes, path.join(content.themesDir, slug));
  // On file systems that ignore case the file opens under any name; most servers do not.
  if (!Buffer.isBuffer(bytes) ? bytes.problem === 'missing' : !known.includes(shown)) {
    everywhere('image/not-found', location, {
      path: shown,
      ...similarName(shown, known),
      isHidden: Buffer.isBuffer(bytes) && /(?:^|\/)\./.test(shown),
    });
    return undefined;
  }
  if (!Buffer.isBuffer(bytes)) {
    if (bytes.problem === 'too-large')
      everywhere('image/too-large', location, { path: shown, bytes: bytes.bytes, limit: limits.picture_bytes });
    else if (bytes.problem === 'unreadable') reportFileProblem(bytes, displayPath(file), limits.picture_bytes, report);
    else everywhere('image/not-a-file', location, { path: shown });
    return undefined;
  }
  const format = checkFormat(bytes, references, report);
  if (format === undefined) return undefined;
  if (format === 'svg' && !isGoodSvg(displayPath(file), bytes, texts, report)) return undefined;
  const picture = await cleaned(bytes, file, format, cache);
  if ('damage' in picture) {
    everywhere('image/corrupt', location, { path: shown, reason: picture.damage });
    return undefined;
  }
  if ('trailing' in picture) {
    everywhere('image/trailing-data', location, { path: shown, bytes: picture.trailing });
    return undefined;
  }
  const { width, height, frames, isCmyk = false, ...published } = picture;
  const limit = pixelLimit(format, limits);
  if (frames !== 1) everywhere('image/animated', location, { path: shown, frames });
  else if (width * height > limit) everywhere('image/too-many-pixels', location, { path: shown, width, height, limit });
  else {
    const isVector = format === 'svg';
    const [short, long] = [Math.min(width, height), Math.max(width, height)];
    if (long > 0 && long < SMALLEST) everywhere('image/too-small', location, { path: shown, width, height });
    else if (long > short * LONGEST) everywhere('image/aspect-ratio', location, { path: shown, width, height });
    else checkFavicon(references, isVector ? sizeOf(bytes.toString()) : { width, height }, isVector, report);
    if (isCmyk) everywhere('image/cmyk', location, { path: shown });
  }
  return { slug, path: shown, ...published, format, location };
}

/** The format of a picture by its bytes, if every field that names it accepts it. */
function checkFormat(bytes: Buffer, references: readonly Reference[], report: Report): Format | undefined {
  let accepted: Format | undefined;
  for (const { field, source } of references) {
    const { path: shown, location } = source;
    const sniffed = sniffFormat(bytes);
    const formats = acceptedFormats(field);
    if (bytes.length === 0) report('image/empty', location, { path: shown });
    else if (isLfsPointer(bytes)) report('image/lfs-pointer', location, { path: shown, bytes: bytes.length });
    else if (!('format' in sniffed) || !formats.includes(sniffed.format)) {
      const found = 'format' in sniffed ? `an ${FORMATS[sniffed.format].name} image` : sniffed.other;
      report('image/format', location, {
        path: shown,
        found,
        accepted: formats.map((format) => FORMATS[format].name).join(', '),
      });
    } else if (!extensionFits(shown, sniffed.format)) {
      const { name, extensions } = FORMATS[sniffed.format];
      report('image/extension', location, {
        path: shown,
        format: /^[AS]/.test(name) ? `an ${name}` : `a ${name}`,
        extension: extensions[0],
      });
    } else accepted = sniffed.format;
  }
  return accepted;
}

/** Checks the size of a favicon, in pixels; an SVG may have any, if it is square. */
function checkFavicon(
  references: readonly Reference[],
  size: { width: number; height: number } | undefined,
  isVector: boolean,
  report: Report,
): void {
  if (size === undefined) return;
  const { width, height } = size;
  const isSquare = Math.abs(width - height) <= Math.max(width, height) * (isVector ? SQUARE : 0);
  if (isSquare && (isVector || width >= SMALLEST_FAVICON)) return;
  for (const { field, source } of references) {
    if (field !== 'favicon') continue;
    report('image/favicon', source.location, { path: source.path, width, height, isSquare, isVector });
  }
}

/** Checks an SVG before anything draws it. Its findings point into the file itself. */
function isGoodSvg(file: string, bytes: Buffer, texts: Map<string, string>, report: Report): boolean {
  return checkSvgFile({ file, bytes }, (code, location, args) => {
    if (location.start !== undefined) texts.set(file, new TextDecoder().decode(bytes));
    report(code, location, args);
  });
}

/** What a picture file says of itself, and what of it is published. */
type Cleaned = Omit<Structure, 'published'> & Pick<Picture, 'bytes' | 'sha256' | 'file'>;

/**
 * What is published of a picture file: the file itself, or, if it has metadata, a copy without it in the cache. Looked at every time:
 * measured, that takes less than a note of it, and nobody can forge it.
 */
async function cleaned(
  source: Buffer,
  file: string,
  format: Format,
  cache: Cache,
): Promise<Cleaned | Damaged | Trailing> {
  const structure = readStructure(source, format);
  if (!('published' in structure)) return structure;
  const { published, ...header } = structure;
  if (format === 'svg' && published !== source && !isWholeWithoutMetadata(source, published))
    return { damage: 'it is not valid without its comments and metadata' };
  const sha256 = sha256Of(published);
  const kept = published === source ? file : ((await cache.object(sha256)) ?? (await cache.addObject(published)).file);
  return { ...header, bytes: published.length, sha256, file: kept };
}

/** What was checked of an SVG had comments and metadata, which are not published: neither CSS nor references may need them. */
function isWholeWithoutMetadata(source: Buffer, published: Buffer): boolean {
  const [before, after] = [source, published].map((bytes) => {
    const codes = new Set<Code>();
    const isAccepted = checkSvg('', bytes.toString(), (code) => codes.add(code));
    return { isAccepted, misses: codes.has('svg/missing-target') };
  });
  return after?.isAccepted === true && (before?.misses === true || !after.misses);
}
