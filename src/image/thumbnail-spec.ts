import { FIELDS, type ImageSetField } from '../theme/fields.ts';

/** How a thumbnail is made. Everything that decides its bytes is here, and all of it is part of its cache key. */
export interface Recipe {
  /** Bounding box in pixels, as in the size marker of the URL: fit inside, keep the aspect ratio, never enlarge. */
  box: readonly [width: number, height: number];
  /** Quality of JPEG and WebP, 1 to 100; PNG has none. */
  quality: number | undefined;
  /** Format of the thumbnail, and the one for pictures with real transparency. */
  opaque: 'png' | 'jpeg';
  transparent: 'png' | 'webp';
  /** Raised when the same settings are to give other bytes. */
  revision: number;
}

const LOGO: Recipe = { box: [250, 250], quality: undefined, opaque: 'png', transparent: 'png', revision: 1 };
const BANNER: Recipe = { box: [2200, 2200], quality: 80, opaque: 'jpeg', transparent: 'webp', revision: 1 };

/** The recipe of each image set, by the size markers of the interface's §2. */
export const RECIPES: Record<ImageSetField, Recipe> = {
  logo_site: LOGO,
  default_group_banner: BANNER,
  default_event_banner: BANNER,
  default_user_profile_banner: BANNER,
};

export function recipeOf(field: keyof typeof FIELDS): Recipe | undefined {
  return FIELDS[field] === 'image_set' ? RECIPES[field as ImageSetField] : undefined;
}

/** `250x250`, `2200x2200-80`: the size marker in the name of a thumbnail. */
export function sizeMarker({ box, quality }: Recipe): string {
  return [box.join('x'), ...(quality === undefined ? [] : [quality])].join('-');
}
