import type { Decoders } from '../system/decoder/pool.ts';
import type { Decodings } from './decodings.ts';
import type { CompiledImage, Thumbnail } from './model.ts';

/** Tools for compiling a theme, besides its files and the settings. */
export interface Tools {
  themesDir: string;
  decoders: Decoders;
  decodings: Decodings;
  /** Whether images are compiled; otherwise only the text is. */
  images: boolean;
  decodes: boolean;
  /** Whether the files are on the disk, so that a decoder can read them itself. */
  isOnDisk: boolean;
  /** Stages published files while their bytes are in memory. Default: they are read again for the publication. */
  stage?: Stage | undefined;
}

export interface Stage {
  /** Whether any file of a theme has to be staged. */
  wants: (slug: string) => boolean;
  original: (slug: string, image: CompiledImage, published: Uint8Array) => Promise<void>;
  thumbnail: (slug: string, path: string, thumbnail: Thumbnail) => Promise<void>;
}
