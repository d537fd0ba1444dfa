import type { Mode } from '../../../core/image/backgrounds.ts';
import { tooWide } from '../../../core/image/advice-size.ts';
import { MAX_FAINT } from '../../../core/image/logo-analysis.ts';
import { modeOf } from '../../../core/document/logo-choice.ts';
import type { SourceLogo } from '../../../core/document/new-theme.ts';
import { isPlaceholder } from '../../../core/image/placeholder.ts';
import { plainBanner } from '../../../core/image/placeholders.ts';
import { logoFrom, type MadeLogo, versionsFor } from '../../../system/decoder/logo.ts';
import { writableFolder } from '../../../system/disk/checkout.ts';
import { type AnyImageField, ANY_IMAGE_FIELDS, fieldsWhere } from '../../../core/theme/fields/fields.ts';
import { hexOf } from '../../../core/theme/colour/palette.ts';
import { imageKey } from '../../../core/theme/image-source.ts';
import { RANKS } from '../pages/offers.ts';
import type { Payload } from './payload.ts';
import type { Session } from '../session/session.ts';

const BANNERS: readonly AnyImageField[] = fieldsWhere({ page: 'banners' });
/** A logo of a theme, and the field that has it. */
interface ThemeLogo {
  logo: SourceLogo;
  source: 'logo' | 'logo_inverse';
}

/** Reads the logo of a theme: the one for dark pages if the other is a placeholder. @returns the logo, or a problem */
export async function logoOfTheme(
  slug: string,
  { current, options, resources: { decoders } }: Session,
): Promise<ThemeLogo | string> {
  const { themes, settings } = current.linked;
  const images = themes.find((theme) => theme.slug === slug)?.images;
  for (const source of ['logo', 'logo_inverse'] as const) {
    const image = images?.[source];
    if (image === undefined || !('path' in image)) return 'The logo is not a file of this repository.';
    const bytes = await writableFolder(options.themesDir).read(imageKey(image), settings.site.limits.picture_bytes);
    if (bytes !== undefined && isPlaceholder(bytes)) continue;
    const logo = bytes && (await logoFrom(bytes, image.path, decoders, () => undefined));
    return logo === undefined ? 'The logo cannot be decoded.' : { logo, source };
  }
  return 'The logo is a placeholder: replace it first.';
}

/** What takes the place of an image: a value, such as the file of the logo, or a new file. */
type Drawn = { value: unknown } | { name: string; bytes: () => Promise<Buffer> };

/** What can be drawn for a theme. */
interface Drawable {
  /** The versions of its logo for the pages of each mode, at most one of each of {@link RANKS}. */
  versions: Readonly<Record<Mode, readonly MadeLogo[]>>;
  /** What fills each placeholder without a warning. */
  fills: ReadonlyMap<AnyImageField, Drawn>;
}

/**
 * Returns what can be drawn from the logo and the colours of a theme, or a problem with its logo.
 * @param isPicture - whether small pictures are enough
 */
export async function drawableFor(
  slug: string,
  data: Readonly<Record<string, unknown>>,
  session: Session,
  isPicture = false,
): Promise<Drawable | string> {
  const logo = await logoOfTheme(slug, session);
  if (typeof logo === 'string') return logo;
  const versionsOf = (mode: Mode) => versionsFor(mode, logo.logo, session.resources.decoders, isPicture);
  const versions = { light: await versionsOf('light'), dark: await versionsOf('dark') };
  const fills = new Map<AnyImageField, Drawn>();
  for (const field of await placeholdersOf(slug, data, session)) {
    const drawn = BANNERS.includes(field)
      ? plainBannerOf(slug, session)
      : suited(field, logo, data, versions[modeOf(field)][0]);
    if (drawn !== undefined) fills.set(field, drawn);
  }
  return { versions, fills };
}

/** Returns a picture of a version of the logo of a theme, by `MODE/RANK`; undefined if there is none. */
export async function pictureOfVersion(path: string, slug: string, session: Session): Promise<Buffer | undefined> {
  const [mode, rank] = path.split('/');
  if (session.view === undefined || (mode !== 'light' && mode !== 'dark')) return undefined;
  const logo = await logoOfTheme(slug, session);
  if (typeof logo === 'string') return undefined;
  const versions = await versionsFor(mode, logo.logo, session.resources.decoders, true);
  return versions[RANKS.findIndex((name) => name === rank)]?.png();
}

/**
 * Draws images from the logo and the colours of a theme.
 * @param request - a field and a version, such as `logo_inverse best` or `default_event_banner plain`; or `all`, for every placeholder
 * @returns the values and images of fields, or a problem
 */
export async function makeImages(
  request: string,
  slug: string,
  data: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<Payload | string> {
  const fields = new Map<string, unknown>();
  const files = new Map<string, { bytes: Buffer; name: string }>();
  const images = request === '' ? new Map<AnyImageField, Drawn>() : await requested(request, slug, data, session);
  if (typeof images === 'string') return images;
  for (const [field, drawn] of images) {
    if ('value' in drawn) fields.set(field, drawn.value);
    else files.set(field, { bytes: await drawn.bytes(), name: drawn.name });
  }
  return { fields, files };
}

/** Returns the requested images by field, or a problem. */
async function requested(
  request: string,
  ...[slug, data, session]: Parameters<typeof drawableFor>
): Promise<Drawable['fills'] | string> {
  const [name, version] = request.split(' ');
  const field = ANY_IMAGE_FIELDS.find((candidate) => candidate === name);
  const isBanner = field !== undefined && BANNERS.includes(field);
  // Plain banners need no logo.
  if (isBanner && version === 'plain') return new Map([[field, plainBannerOf(slug, session)]]);
  const drawable = await drawableFor(slug, data, session);
  if (typeof drawable === 'string') return drawable;
  if (request === 'all') return drawable.fills;
  const made = field && !isBanner && drawable.versions[modeOf(field)][RANKS.findIndex((rank) => rank === version)];
  return field && made ? new Map([[field, versionFile(made)]]) : 'There is no such image.';
}

const versionFile = ({ png }: MadeLogo): Drawn => ({ name: 'logo.png', bytes: png });

/** Returns what fills a placeholder without a warning: the logo itself, its icon, or its best version; undefined if nothing does. */
function suited(
  field: AnyImageField,
  { logo: { drawn, look, favicon }, source }: ThemeLogo,
  data: Readonly<Record<string, unknown>>,
  best: MadeLogo | undefined,
): Drawn | undefined {
  // The offsets of width and height in a PNG.
  if (tooWide(field, { width: drawn.readUInt32BE(16), height: drawn.readUInt32BE(20) }) !== undefined) return undefined;
  if (field === 'favicon') return { name: 'icon.png', bytes: async () => Buffer.from(favicon) };
  const mode = modeOf(field);
  if (look.faint[mode] <= MAX_FAINT && !(mode === 'dark' && look.isBoxed)) return { value: data[source] };
  return best?.isFaint === false ? versionFile(best) : undefined;
}

function plainBannerOf(slug: string, { view }: Session): Drawn {
  const theme = view?.themes.find((candidate) => candidate.slug === slug);
  const [from = '', to = from] = theme?.record.palette_preview.map(hexOf) ?? [];
  return { name: 'banner.svg', bytes: async () => Buffer.from(plainBanner(from, to)) };
}

/** Returns the fields of a theme with placeholder images. */
async function placeholdersOf(
  slug: string,
  data: Readonly<Record<string, unknown>>,
  { options, site }: Session,
): Promise<AnyImageField[]> {
  const folder = writableFolder(options.themesDir);
  const fields: AnyImageField[] = [];
  for (const field of ANY_IMAGE_FIELDS) {
    const name = data[field];
    if (typeof name !== 'string' || !/^[^/\\\0:]+$/.test(name)) continue;
    const bytes = await folder.read(`${slug}/${name}`, site.limits.picture_bytes);
    if (bytes !== undefined && isPlaceholder(bytes)) fields.push(field);
  }
  return fields;
}
