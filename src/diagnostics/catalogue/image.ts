import { count, printable, quote } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './entry.ts';
import { pathHint } from './path-hint.ts';

/** `1 megapixel`, `16.5 megapixels` */
function megapixels(pixels: number): string {
  const millions = (pixels / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${millions} ${millions === '1' ? 'megapixel' : 'megapixels'}`;
}

/** Findings about pictures and the fields that name them. */
export const imageCatalogue = {
  'image/path': error('a picture path that is not relative, or leaves the folder of its theme', {
    message: ({ value }: { value: string; written: string }) =>
      `${quote(value)} is not a plain path inside the folder of this theme.`,
    hint: ({ written }) => pathHint(written),
  }),
  'image/not-found': error('a picture that does not exist', {
    message: ({
      path,
      isHidden,
    }: {
      path: string;
      suggestion: string | undefined;
      differsBy: 'case' | 'composition' | undefined;
      isHidden: boolean;
    }) =>
      isHidden
        ? `${quote(path)} is passed over, because a name in it starts with a dot.`
        : `There is no file ${quote(path)} beside this one.`,
    hint: ({ path, suggestion, differsBy, isHidden }) => {
      if (isHidden) return 'Rename it without the dot: such names are those of tools.';
      if (differsBy === 'case') return `Write ${quote(suggestion)}: upper and lower case differ on most servers.`;
      return differsBy === 'composition'
        ? `Rename the file to ${quote(path)}: its name looks the same, but its letters are composed differently (Unicode NFD, as macOS writes names, and NFC).`
        : (didYouMean(suggestion) ?? 'Add the picture to the folder, or correct the name.');
    },
  }),
  'image/not-a-file': error('a path that is a folder, a link or a device', {
    message: ({ path }: { path: string }) => `${quote(path)} is a folder or a link, not a picture.`,
    hint: () => 'Put a copy of the picture here; links and folders are not followed.',
  }),
  'image/url-insecure': error('a picture URL that is not a plain https URL', {
    message: ({ url }: { url: string; suggestion: string | undefined; imageSet: string | undefined }) =>
      `The picture URL ${quote(url)} is not a plain https URL.`,
    hint: ({ suggestion, imageSet }) =>
      imageSet !== undefined
        ? `Give both as https URLs; or name the picture beside this file alone, like ${quote(`${imageSet}: logo.svg`)}, and the build makes the thumbnail.`
        : suggestion === undefined
          ? 'Write it as https://host/path, without user name or port, or put the picture beside the file.'
          : `Write ${quote(suggestion)}.`,
  }),
  'image/url-host': error('a picture URL on a host that the site does not allow', {
    message: ({ host }: { host: string }) => `Pictures from the host ${quote(host)} are not allowed.`,
    hint: ({ host }) => `Put the picture beside the file, or add \`${host}\` to \`allowed_hosts\` in site.yaml.`,
  }),
  'image/url-thumbnail': error('an image set given by one URL, so without a thumbnail', {
    message: ({ field }: { field: string }) =>
      `The field ${quote(field)} needs a thumbnail, and none can be made from a URL.`,
    hint: ({ field }) => `Write \`${field}: {original: URL, thumbnail: URL}\`, or put the picture beside the file.`,
  }),
  'image/empty': error('a picture without a byte', {
    message: ({ path }: { path: string }) => `The picture ${quote(path)} is empty (0 bytes).`,
    hint: () => 'Export it again.',
  }),
  'image/lfs-pointer': error('a Git LFS pointer in place of the picture', {
    message: ({ path, bytes }: { path: string; bytes: number }) =>
      `${quote(path)} is a Git LFS pointer (${count(bytes, 'byte')}), not the picture itself.`,
    hint: () => 'On this machine run `git lfs pull`; in CI add `lfs: true` to actions/checkout.',
  }),
  'image/format': error('a picture in a format that is not accepted', {
    message: ({ path, found, accepted }: { path: string; found: string; accepted: string }) =>
      `${quote(path)} is ${printable(found)}; accepted are ${accepted}.`,
    hint: ({ found }) =>
      found === 'an HTML page'
        ? 'This is the page that shows the picture: download the picture itself.'
        : found === 'text in UTF-16'
          ? 'If it is an SVG, save it in the encoding UTF-8.'
          : found.startsWith('compressed')
            ? 'If it is an SVG, save it as plain SVG, not compressed (SVGZ).'
            : 'Export the picture in one of these formats.',
  }),
  'image/extension': error('a picture whose name does not tell its format', {
    message: ({ path, format }: { path: string; format: string; extension: string }) =>
      `${quote(path)} is in fact ${format}.`,
    hint: ({ path, extension }) =>
      `Rename the file to ${quote(`${path.replace(/\.[^./]*$/, '')}.${extension}`)} and write that here, or export it again.`,
  }),
  'image/animated': error('an animated or multi-page picture', {
    message: ({ path, frames }: { path: string; frames: number | 'several' }) =>
      `${quote(path)} is animated (${frames === 'several' ? 'several frames' : count(frames, 'frame')}).`,
    hint: () => 'Export a single frame.',
  }),
  'image/too-large': error('a picture file over the size limit', {
    message: ({ path, bytes, limit }: { path: string; bytes: number; limit: number }) =>
      `${quote(path)} has ${count(bytes, 'byte')}; the limit is ${count(limit, 'byte')}.`,
    hint: () => 'Export it smaller: nothing over 2200 pixels wide is shown.',
  }),
  'image/too-many-pixels': error('a picture over the pixel limit', {
    message: ({ path, width, height, limit }: { path: string; width: number; height: number; limit: number }) =>
      `${quote(path)} is ${width}×${height} pixels (${megapixels(width * height)}); the limit is ${megapixels(limit)}.`,
    hint: () => 'Export it smaller: nothing over 2200 pixels wide is shown.',
  }),
  'image/corrupt': error('a picture that cannot be decoded to the end', {
    message: ({ path, reason }: { path: string; reason: string }) => `${quote(path)} is damaged: ${printable(reason)}.`,
    hint: () => 'Export it again, and look at it before you commit it.',
  }),
  'image/trailing-data': error('a picture with other data after its end', {
    message: ({ path, bytes }: { path: string; bytes: number }) =>
      `${quote(path)} goes on for ${count(bytes, 'byte')} after the end of the picture.`,
    hint: () => 'Open the picture and export it again: what follows its end is not part of it.',
  }),
  'image/hidden-data': error('an image with other data among its pixels', {
    message: ({ path }: { path: string }) => `${quote(path)} holds data among its pixels that no viewer reads.`,
    hint: () => 'Open the image and export it again: only the image itself is written then.',
  }),
  'image/too-expensive': error('a picture that takes too much time or memory to decode', {
    message: ({ path, limit }: { path: string; limit: string }) => `${quote(path)} takes more than ${limit} to decode.`,
    hint: () => 'Export it smaller or simpler: in a drawing, merge groups and flatten filters and transparency.',
  }),
  'image/decoder-ended': error('a picture whose decoding was ended from outside, twice', {
    message: ({ path }: { path: string }) =>
      `The process that decodes ${quote(path)} was ended twice, and not by themecast.`,
    hint: () =>
      'Systems end processes when memory runs short: build where more is free, or export the picture smaller. It may not be at fault.',
  }),
  'image/too-small': warning('a picture of a few pixels', {
    message: ({ path, width, height }: { path: string; width: number; height: number }) =>
      `${quote(path)} is only ${width}×${height} pixels.`,
    hint: () => 'It looks like a placeholder: put the real picture in its place.',
  }),
  'image/aspect-ratio': warning('a picture that is hardly more than a line', {
    message: ({ path, width, height }: { path: string; width: number; height: number }) =>
      `${quote(path)} is ${width}×${height} pixels: hardly more than a line.`,
    hint: () => 'Look at it: it may have been cut or exported wrongly.',
  }),
  'image/favicon': warning('a favicon that is not square, or too small', {
    message: ({
      path,
      width,
      height,
      isSquare,
      isVector,
    }: {
      path: string;
      width: number;
      height: number;
      isSquare: boolean;
      isVector: boolean;
    }) =>
      isSquare
        ? `The favicon ${quote(path)} is only ${width}×${height} pixels.`
        : `The favicon ${quote(path)} is not square, but ${width}×${height}${isVector ? '' : ' pixels'}.`,
    hint: ({ isVector }) =>
      isVector
        ? 'Draw it on a square canvas: browsers show it in a square.'
        : 'Export it square, with at least 32 pixels to a side: browsers show it in a square of up to that size.',
  }),
  'image/cmyk': warning('a JPEG in the colours of printing inks', {
    message: ({ path }: { path: string }) =>
      `${quote(path)} is in CMYK, the colours of printing inks, and browsers differ in how they show them.`,
    hint: () => 'Export it in RGB (sRGB).',
  }),
  'image/unused': warning('a file in the folder of a theme that no field names', {
    message: ({ path }: { path: string; hasTwin?: boolean }) =>
      `No field uses the file ${quote(path)}, so it is not published.`,
    hint: ({ hasTwin }) =>
      hasTwin
        ? 'Delete it: the file that is used has a name that looks the same, but its letters are composed differently (Unicode NFC and NFD).'
        : 'Name it in a field, or delete it.',
  }),
};
