import { availableParallelism } from 'node:os';
import { compact } from '../../../core/diagnostics/compact.ts';
import { type Diagnostic, Diagnostics } from '../../../core/diagnostics/diagnostic.ts';
import type { Redirect } from '../../../hosts/contract/redirects.ts';
import { FORMATS, sniffFormat } from '../../../core/image/format.ts';
import type { PlannedTheme } from '../plan-themes.ts';
import {
  ANY_IMAGE_FIELDS,
  type AnyImageField,
  imageFileName,
  thumbnailSpecOf,
} from '../../../core/theme/fields/fields.ts';
import type { Site } from '../../../core/theme/site/site.ts';
import { mapConcurrently } from '../../../system/disk/concurrency.ts';
import type { Decoders } from '../../../system/decoder/pool.ts';
import { decodeImage } from '../../../system/decoder/logo.ts';
import type { Cache } from '../../../compiler/store/cache.ts';

/** An image that could not be imported. */
export interface RefusedImage {
  slug: string;
  field: AnyImageField;
  url: string;
  /** A sentence, or the errors of the image checks. */
  problem: string | readonly Diagnostic[];
}

/** The images of a theme. */
export interface CheckedImages {
  /** The SHA-256 of each accepted file, by name. */
  files: Map<string, string>;
  /** The file name of each accepted image, by field. */
  names: Map<AnyImageField, string>;
  refused: RefusedImage[];
  /** Redirects from the paths of the images at the source. */
  redirects: Redirect[];
}

/** The fetched images, and the tools to check them. */
export interface Checker {
  /** The digest of each fetched image by its URL, or why it was not fetched. */
  results: ReadonlyMap<string, { sha256: string } | { problem: string }>;
  limits: Site['limits'];
  /** The fetched images by digest. */
  fetched: Cache;
  decoders: Decoders;
  /** Accepted images, by digest and requirements of the field, because themes share images. */
  accepted: Set<string>;
}

/** Checks the fetched images of a theme as a build does, and chooses their file names. */
export async function checkImages(theme: PlannedTheme, checker: Checker): Promise<CheckedImages> {
  const { slug, id, images, thumbnails } = theme;
  const checked: CheckedImages = { files: new Map(), names: new Map(), refused: [], redirects: [] };
  const byContent = new Map<string, string>();
  const all = await mapConcurrently([...images], availableParallelism(), async ([field, url]) => ({
    field,
    url,
    image: await checkImage({ slug, field, url }, checker),
  }));
  for (const { field, url, image } of all) {
    if ('problem' in image) {
      checked.refused.push(image);
      continue;
    }
    const { sha256, extension } = image;
    // Fields with the same image share its file.
    const name = byContent.get(sha256) ?? imageFileName(field, extension);
    byContent.set(sha256, name);
    checked.files.set(name, sha256);
    checked.names.set(field, name);
    const thumbnail = thumbnailSpecOf(field) === undefined ? undefined : thumbnails.get(field);
    for (const from of compact([url, thumbnail]))
      checked.redirects.push({ from: new URL(from).pathname, theme: String(id), field, isThumbnail: from !== url });
  }
  return checked;
}

async function checkImage(
  place: Pick<RefusedImage, 'slug' | 'field' | 'url'>,
  { results, limits, fetched, decoders, accepted }: Checker,
): Promise<{ sha256: string; extension: string } | RefusedImage> {
  const { slug, field, url } = place;
  const image = results.get(url) ?? { problem: 'It was not fetched.' };
  if ('problem' in image) return { ...place, problem: image.problem };
  const bytes = fetched.read(image.sha256, limits.picture_bytes);
  if (bytes === undefined) return { ...place, problem: 'Its bytes have vanished. Run the command again.' };
  const extension = extensionOf(bytes);
  const key = JSON.stringify([image.sha256, thumbnailSpecOf(field), field === 'favicon']);
  if (!accepted.has(key)) {
    const diagnostics = new Diagnostics();
    const file = `themes/${slug}/${imageFileName(field, extension)}`;
    await decodeImage(bytes, file, field, decoders, diagnostics.report);
    if (diagnostics.hasErrors) return { ...place, problem: diagnostics.sorted.filter(isError) };
    accepted.add(key);
  }
  return { sha256: image.sha256, extension };
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** Returns the file extension of an image by its bytes. */
function extensionOf(bytes: Buffer): string {
  const sniffed = sniffFormat(bytes);
  return 'format' in sniffed ? (FORMATS[sniffed.format].extensions[0] ?? 'bin') : 'bin';
}

const IMPORTED_NAMES = new Set(
  ANY_IMAGE_FIELDS.flatMap((field) =>
    Object.values(FORMATS).flatMap(({ extensions }) => extensions.map((extension) => imageFileName(field, extension))),
  ),
);

/** Whether a file name is one that imports use for images. */
export function isImportedName(name: string): boolean {
  return IMPORTED_NAMES.has(name);
}
