import type { Decoders } from '../decoder/pool.ts';
import type { Decodings } from './decodings.ts';
import type { CompiledImage, Thumbnail } from './model.ts';

/** Helpers to compile a theme, besides its files and the settings. */
export interface Tools {
  themesDir: string;
  decoders: Decoders;
  decodings: Decodings;
  /** Whether images are looked at: without them, only the text is compiled. */
  images: boolean;
  /** Whether they are decoded. */
  decodes: boolean;
  /** Whether the files are those on the disk, so that a decoder can read them itself. */
  isOnDisk: boolean;
  /** Takes what is published while its bytes are in memory. Default: it is read again when it is published. */
  stage?: Stage | undefined;
}

export interface Stage {
  /** Whether anything of a theme is wanted. */
  wants: (slug: string) => boolean;
  original: (slug: string, image: CompiledImage, published: Uint8Array) => Promise<void>;
  thumbnail: (slug: string, path: string, thumbnail: Thumbnail) => Promise<void>;
}
