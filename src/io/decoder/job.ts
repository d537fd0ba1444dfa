import type { Format } from '../../image/format.ts';
import type { Recipe } from '../../image/recipe.ts';

/** What a decoder is sent: a picture to make a thumbnail of, or, without a recipe, only to decode. */
export interface Job {
  bytes: Uint8Array;
  /** PNG for an icon of an ICO. */
  format: Format;
  /** Greatest width × height, in pixels. */
  pixelLimit: number;
  recipe: Recipe | undefined;
}

/** What a decoder answers; nothing to a job without a recipe. */
export type Answer = { data: Uint8Array; format: Format } | 'decodes' | 'does not decode';

/** What a decoder says when it is started: that it is ready, or why it cannot be. */
export type Greeting = 'ready' | { failure: string };
