// The sets of themes that benchmarks build. Every run writes the same bytes.
import { writePhotoThemes } from './photo-themes.js';
import { writeSmallThemes } from './small-themes.js';

/** @typedef {'photos-12' | 'photos-48' | 'small-100' | 'small-1000' | 'small-10000'} SetName */

/** @type {Readonly<Record<SetName, { photos: boolean, write: (target: string, photos: string) => Promise<void> }>>} */
export const SETS = {
  'photos-12': { photos: true, write: (target, photos) => writePhotoThemes(photos, target, 1) },
  'photos-48': { photos: true, write: (target, photos) => writePhotoThemes(photos, target, 4) },
  'small-100': { photos: false, write: (target) => writeSmallThemes(target, 100) },
  'small-1000': { photos: false, write: (target) => writeSmallThemes(target, 1000) },
  'small-10000': { photos: false, write: (target) => writeSmallThemes(target, 10_000) },
};
