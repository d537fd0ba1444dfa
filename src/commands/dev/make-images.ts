import { MAX_FAINT } from '../../core/image/logo-analysis.ts';
import type { SourceLogo } from '../../core/document/new-theme.ts';
import { LIGHT_VERSIONS, type LightVersion } from '../../core/image/light-version.ts';
import { isPlaceholder } from '../../core/image/placeholder.ts';
import { plainBanner } from '../../core/image/placeholders.ts';
import { lightVersion, logoFrom } from '../../system/decoder/logo.ts';
import { writableFolder } from '../../system/disk/checkout.ts';
import { type AnyImageField, ANY_IMAGE_FIELDS, fieldsWhere } from '../../core/theme/fields.ts';
import { hexOf } from '../../core/theme/palette.ts';
import { imageKey } from '../../core/theme/image-source.ts';
import type { Payload } from './payload.ts';
import type { Session } from './session.ts';

const BANNERS: readonly AnyImageField[] = fieldsWhere({ page: 'banners' });

/** Reads the logo of a theme: the one for dark pages if the other is a placeholder. @returns the logo, or a problem */
export async function logoOfTheme(
  slug: string,
  { current, options, resources: { decoders } }: Session,
): Promise<SourceLogo | string> {
  const { themes, settings } = current.linked;
  const images = themes.find((theme) => theme.slug === slug)?.images;
  for (const source of [images?.logo, images?.logo_inverse]) {
    if (source === undefined || !('path' in source)) return 'The logo is not a file of this repository.';
    const bytes = await writableFolder(options.themesDir).read(imageKey(source), settings.site.limits.picture_bytes);
    if (bytes !== undefined && isPlaceholder(bytes)) continue;
    return (bytes && (await logoFrom(bytes, source.path, decoders, () => undefined))) ?? 'The logo cannot be decoded.';
  }
  return 'The logo is a placeholder: replace it first.';
}

/** Draws a light version of the logo of a theme, as PNG; undefined if there is no such version, or no logo. */
export async function lightLogo(version: string, slug: string, session: Session): Promise<Buffer | undefined> {
  const kind = LIGHT_VERSIONS.find((name) => name === version);
  if (kind === undefined || session.view === undefined) return undefined;
  const logo = await logoOfTheme(slug, session);
  return typeof logo === 'string' ? undefined : lightVersion(logo, kind, session.resources.decoders);
}

/**
 * Draws images from the logo and the colours of a theme.
 * @param request - a field and a version, such as `logo_inverse white` or `default_event_banner plain`; or `all`, for every placeholder
 * @returns the values and images of fields, or a problem
 */
export async function makeImages(
  request: string,
  slug: string,
  data: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<Payload | string> {
  const payload = { fields: new Map<string, unknown>(), files: new Map<string, { bytes: Buffer; name: string }>() };
  if (request === '') return payload;
  const logo = await logoOfTheme(slug, session);
  // Plain banners need no logo.
  if (typeof logo === 'string' && !request.endsWith(' plain')) return logo;
  const add = async (field: AnyImageField, version: LightVersion | 'plain' | 'logo'): Promise<void> => {
    if (version === 'logo') payload.fields.set(field, data['logo']);
    else if (version === 'plain') {
      const theme = session.view?.themes.find((candidate) => candidate.slug === slug);
      const [from = '', to = from] = theme?.record.palette_preview.map(hexOf) ?? [];
      payload.files.set(field, { bytes: Buffer.from(plainBanner(from, to)), name: 'banner.svg' });
    } else if (typeof logo !== 'string') {
      const bytes = await lightVersion(logo, version, session.resources.decoders);
      if (bytes !== undefined) payload.files.set(field, { bytes, name: 'light.png' });
    }
  };
  if (request !== 'all') {
    const [field, version] = request.split(' ');
    const target = ANY_IMAGE_FIELDS.find((name) => name === field);
    const kind = [...LIGHT_VERSIONS, 'plain'].find((name) => name === version) as Parameters<typeof add>[1] | undefined;
    if (target === undefined || kind === undefined) return 'There is no such image.';
    await add(target, kind);
    return payload;
  }
  if (typeof logo === 'string') return logo;
  const isDarkFaint = logo.look.isBoxed || logo.look.faint.dark > MAX_FAINT;
  for (const field of await placeholdersOf(slug, data, session))
    await add(field, BANNERS.includes(field) ? 'plain' : field.endsWith('_inverse') && isDarkFaint ? 'white' : 'logo');
  return payload;
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
    if (field === 'logo' || typeof name !== 'string' || !/^[^/\\\0:]+$/.test(name)) continue;
    const bytes = await folder.read(`${slug}/${name}`, site.limits.picture_bytes);
    if (bytes !== undefined && isPlaceholder(bytes)) fields.push(field);
  }
  return fields;
}
