import { availableParallelism } from 'node:os';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Redirect } from '../../hosts/redirects.ts';
import type { PlannedTheme } from '../../import/plan-themes.ts';
import { type AnyImageField, thumbnailSpecOf } from '../../theme/fields.ts';
import type { Site } from '../../theme/site.ts';
import { mapConcurrently } from '../concurrency.ts';
import type { Decoders } from '../decoder/pool.ts';
import { sha256Of } from '../files.ts';
import { repairOf } from './convert.ts';
import { extensionOf, inspect } from './inspect.ts';
import type { SourceImageResult } from './source.ts';
import type { ImportStore } from './store.ts';

/** An image that could not be taken over. */
export interface RefusedImage {
  slug: string;
  field: AnyImageField;
  url: string;
  /** Where its bytes are, below the root; nothing if there are none. */
  file: string | undefined;
  /** A sentence; or the errors of the checks. */
  problem: string | readonly Diagnostic[];
  /** What `--convert` would do about it. */
  repair: string | undefined;
}

/** An image that was changed so that it is accepted. Hashes are SHA-256, in hexadecimal. */
export interface ConvertedImage {
  file: string;
  what: string;
  before: string;
  after: string;
}

/** The images of one theme. */
export interface CheckedImages {
  /** Accepted files by name. */
  files: Map<string, Buffer>;
  /** The name of the file of each field that has one. */
  named: Map<AnyImageField, string>;
  refused: RefusedImage[];
  converted: ConvertedImage[];
  /** The paths of the images at the source. */
  moved: Redirect[];
}

/** What images are checked with. */
export interface Checker {
  fetched: ReadonlyMap<string, SourceImageResult>;
  limits: Site['limits'];
  store: ImportStore;
  decoders: Decoders;
  /** Whether images that are refused are repaired, where that is possible. */
  converts: boolean;
  /** What was accepted, by hash and by what a field asks of an image: themes share images. */
  accepted: Set<string>;
}

/** Checks the fetched images of a theme as a build does, and names their files. */
export async function checkImages(theme: PlannedTheme, checker: Checker): Promise<CheckedImages> {
  const { slug, images, thumbnails } = theme;
  const checked: CheckedImages = { files: new Map(), named: new Map(), refused: [], converted: [], moved: [] };
  const byContent = new Map<string, string>();
  const all = await mapConcurrently([...images], availableParallelism(), async ([field, url]) => ({
    field,
    url,
    found: await checkImage({ slug, field, url }, checker),
  }));
  for (const { field, url, found } of all) {
    if ('problem' in found) {
      checked.refused.push(found);
      continue;
    }
    const { bytes, converted } = found;
    const sha256 = sha256Of(bytes);
    // Fields with the same image share its file.
    const name = byContent.get(sha256) ?? fileName(field, bytes);
    byContent.set(sha256, name);
    checked.files.set(name, bytes);
    checked.named.set(field, name);
    if (converted !== undefined) checked.converted.push({ ...converted, file: `${slug}/${name}` });
    checked.moved.push(movedFrom(url, slug, field, false));
    const thumbnail = thumbnails.get(field);
    if (thumbnail !== undefined && thumbnailSpecOf(field) !== undefined)
      checked.moved.push(movedFrom(thumbnail, slug, field, true));
  }
  return checked;
}

type Place = Pick<RefusedImage, 'slug' | 'field' | 'url'>;

interface Usable {
  bytes: Buffer;
  converted: Omit<ConvertedImage, 'file'> | undefined;
}

async function checkImage(
  place: Place,
  { fetched, limits, store, decoders, converts, accepted }: Checker,
): Promise<Usable | RefusedImage> {
  const { slug, field, url } = place;
  const got = fetched.get(url) ?? { problem: 'It was not fetched.' };
  if ('problem' in got) return { ...place, file: undefined, problem: got.problem, repair: undefined };
  const bytes = await store.object(got.sha256, limits.picture_bytes);
  if (bytes === undefined)
    return { ...place, file: undefined, problem: 'Its bytes have vanished. Run the command again.', repair: undefined };
  const inspectAs = (content: Buffer): ReturnType<typeof inspect> =>
    inspect(content, `themes/${slug}/${fileName(field, content)}`, field, limits, decoders);
  const key = JSON.stringify([got.sha256, thumbnailSpecOf(field), field === 'favicon']);
  const errors = accepted.has(key) ? [] : await inspectAs(bytes);
  if (errors.length === 0) {
    accepted.add(key);
    return { bytes, converted: undefined };
  }
  const codes = errors.map(({ code }) => code);
  const repair = repairOf(codes, bytes, limits, decoders);
  const repaired = converts ? await repair?.make(bytes) : undefined;
  const again = repaired && (await inspectAs(repaired));
  if (repair !== undefined && repaired !== undefined && again?.length === 0) {
    const converted = { what: repair.what, before: sha256Of(bytes), after: sha256Of(repaired) };
    return { bytes: repaired, converted };
  }
  const file = await store.quarantine(slug, fileName(field, bytes), bytes);
  return { ...place, file, problem: errors, repair: converts ? undefined : repair?.what };
}

/** `group-banner.jpg` for `default_group_banner`: by the field and the bytes, never by the URL. */
function fileName(field: AnyImageField, bytes: Buffer): string {
  return `${field.replace(/^default_/, '').replaceAll('_', '-')}.${extensionOf(bytes)}`;
}

function movedFrom(url: string, theme: string, field: AnyImageField, isThumbnail: boolean): Redirect {
  return { from: new URL(url).pathname, theme, field, isThumbnail };
}
