import { count, printable, quote, quoteList } from '../quote.ts';
import { didYouMean } from '../suggest.ts';
import { error, warning } from './entry.ts';
import { pathHint } from './path-hint.ts';

/** Formats a number of pixels: `1 megapixel`, `16.5 megapixels`. */
function megapixels(pixels: number): string {
  const millions = (pixels / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${millions} ${millions === '1' ? 'megapixel' : 'megapixels'}`;
}

/** Diagnostics about images and the fields that refer to them. */
export const imageCatalogue = {
  'image/path': error('an image path that is not relative, or leaves the theme folder', {
    message: ({ value }: { value: string }) => `${quote(value)} is not a plain path inside the folder of this theme.`,
    hint: ({ value }) => pathHint(value),
  }),
  'image/not-found': error('an image that does not exist', {
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
        ? `${quote(path)} is ignored, because a part of its path starts with a dot.`
        : `There is no file ${quote(path)} beside this one.`,
    hint: ({ path, suggestion, differsBy, isHidden }) => {
      if (isHidden) return 'Rename it without the dot: such names are reserved for tools.';
      const other = /\.(tiff?|bmp|heic|heif|psd|ai|eps|pdf|svgz|indd|sketch|fig)$/i.exec(path)?.[1];
      if (other !== undefined) return `Export the image as SVG or PNG: ${other.toUpperCase()} is not supported.`;
      if (differsBy === 'case') return `Write ${quote(suggestion)}: most servers are case-sensitive.`;
      return differsBy === 'composition'
        ? `Rename the file to ${quote(path)}: its name looks the same, but its letters are composed differently (Unicode NFD, as macOS writes names, instead of NFC).`
        : (didYouMean(suggestion) ?? 'Add the image to the folder, or correct the name.');
    },
  }),
  'image/not-a-file': error('an image path that is a folder, a link or a device', {
    message: ({ path }: { path: string }) => `${quote(path)} is not a regular file, but a folder, a link or a device.`,
    hint: () => 'Put a copy of the image here; links and folders are not followed.',
  }),
  'image/url-insecure': error('an image URL that is not a plain https URL', {
    message: ({ url }: { url: string; suggestion: string | undefined; imageSet: string | undefined }) =>
      `The image URL ${quote(url)} is not a plain https URL.`,
    hint: ({ suggestion, imageSet }) =>
      imageSet !== undefined
        ? `Write both as https URLs, or refer to one image beside this file, like ${quote(`${imageSet}: logo.svg`)}, and the build makes the thumbnail.`
        : suggestion === undefined
          ? 'Put the image into the folder of the theme, or write it as https://host/path, without a user name or port, and list the host under `allowed_hosts` in site.yaml.'
          : `Write ${quote(suggestion)}.`,
  }),
  'image/url-host': error('an image URL on a host that the site does not allow', {
    message: ({ host }: { host: string }) => `Images from the host ${quote(host)} are not allowed.`,
    hint: ({ host }) =>
      `Put the image into the folder of the theme, or add \`${host}\` to \`allowed_hosts\` in site.yaml.`,
  }),
  'image/icon-url': error('a favicon that is a URL, so that no icon can be made of it', {
    message: () => 'The favicon is a URL, and no icon can be made of a URL.',
    hint: () =>
      'Put the favicon into the folder of the theme; or set `derived: false` in site.yaml, which makes no icons at all.',
  }),
  'image/url-thumbnail': error('an image set with one URL, so without a thumbnail', {
    message: ({ field }: { field: string }) =>
      `The field ${quote(field)} needs a thumbnail, and none can be made from a URL.`,
    hint: ({ field }) =>
      `Write \`${field}: {original: URL, thumbnail: URL}\`, or put the image into the folder of the theme.`,
  }),
  'image/lfs-pointer': error('a Git LFS pointer in place of the image', {
    message: ({ path, bytes }: { path: string; bytes: number }) =>
      `${quote(path)} is a Git LFS pointer (${count(bytes, 'byte')}), not the image itself.`,
    hint: () => 'On this machine run `git lfs pull`; in CI add `lfs: true` to actions/checkout.',
  }),
  'image/format': error('an image in an unsupported format', {
    message: ({ path, found, accepted }: { path: string; found: string; accepted: string; beside?: string }) =>
      `${quote(path)} is ${printable(found)}; the supported formats are ${accepted}.`,
    hint: ({ found, beside }) =>
      found === 'a link that Git wrote as text'
        ? 'Put a copy of the image here: links are not followed.'
        : found === 'an HTML page'
          ? 'This is a page that shows the image: download the image itself.'
          : found === 'text in UTF-16'
            ? 'If it is an SVG, save it as UTF-8.'
            : found.startsWith('compressed')
              ? 'If it is an SVG, save it as plain SVG, not as compressed SVGZ.'
              : beside === undefined
                ? 'Export the image in one of these formats.'
                : `Write ${quote(beside)}, the file beside it.`,
  }),
  'image/extension': error('an image whose extension does not match its format', {
    message: ({ path, format }: { path: string; format: string; extension: string }) =>
      `${quote(path)} is actually ${format}.`,
    hint: ({ path, extension }) =>
      `Rename the file to ${quote(`${path.replace(/\.[^./]*$/, '')}.${extension}`)} and use that name here, or export it again.`,
  }),
  'image/animated': error('an animated image', {
    message: ({ path }: { path: string }) => `${quote(path)} is animated.`,
    hint: () => 'Export a single frame.',
  }),
  'image/too-large': error('an image file that exceeds the size limit', {
    message: ({ path, bytes, limit }: { path: string; bytes: number; limit: number }) =>
      `${quote(path)} is ${count(bytes, 'byte')} long; the limit is ${count(limit, 'byte')}.`,
    hint: () => 'Export it at a smaller size: nothing is shown wider than 2200 pixels.',
  }),
  'image/too-many-pixels': error('an image that exceeds the pixel limit', {
    message: ({ path, width, height, limit }: { path: string; width: number; height: number; limit: number }) =>
      `${quote(path)} is ${width}×${height} pixels (${megapixels(width * height)}); the limit is ${megapixels(limit)}.`,
    hint: () => 'Export it at a smaller size: nothing is shown wider than 2200 pixels.',
  }),
  'image/corrupt': error('an image that cannot be decoded completely', {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `${quote(path)} is corrupted: ${printable(reason)}.`,
    hint: () => 'Export it again, and check it before you commit it.',
  }),
  'image/too-expensive': error('an image that takes too much time or memory to decode', {
    message: ({ path, limit }: { path: string; limit: string }) => `${quote(path)} takes more than ${limit} to decode.`,
    hint: () => 'Export it smaller or simpler; in a drawing, merge groups and flatten filters and transparency.',
  }),
  'image/decoder-ended': error('an image whose decoder process was killed twice from outside', {
    message: ({ path }: { path: string }) =>
      `The process that decodes ${quote(path)} was killed twice, but not by themecast.`,
    hint: () =>
      'Systems kill processes when memory runs out: build with more free memory, or export the image at a smaller size. The image itself may be fine.',
  }),

  'image/too-small': warning('an image of only a few pixels', {
    message: ({ path, width, height }: { path: string; width: number; height: number }) =>
      `${quote(path)} is only ${width}×${height} pixels.`,
    hint: () => 'It looks like a placeholder: replace it with the real image.',
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
        : `The favicon ${quote(path)} is not square: it is ${width}×${height}${isVector ? '' : ' pixels'}.`,
    hint: ({ isVector }) =>
      isVector
        ? 'Draw it on a square canvas: browsers show it in a square.'
        : 'Export it square, best with 192 pixels per side, which phones need; browsers show at least 32.',
  }),
  'image/icons': warning('an ICO with more pictures than Safari shows', {
    message: ({ path, icons, limit }: { path: string; icons: number; limit: number }) =>
      `${quote(path)} contains ${icons} pictures: Safari shows no icon of more than ${limit}.`,
    hint: () => 'Export it with three sizes, 16, 32 and 48 pixels, or use an SVG or PNG.',
  }),
  'image/app-icon': warning('a favicon that is too small for the icon of an app', {
    message: ({ path, side }: { path: string; side: number }) =>
      `The favicon ${quote(path)} has only ${side} pixels per side: as the icon of an app, it is a speck.`,
    hint: () => 'Use an SVG, or export it with 512 pixels per side.',
  }),
  'image/wide': warning('a wordmark as compact logo or favicon', {
    message: ({ path, field, ratio }: { path: string; field: string; ratio: number }) =>
      `${quote(path)} is ${ratio} times as wide as high: as ${quote(field)}, it is shown too small to be read.`,
    hint: () => 'Use the mark of the logo alone, without the words, on a square canvas.',
  }),
  'image/cmyk': warning('a JPEG in CMYK, the colour space of printing inks', {
    message: ({ path }: { path: string }) =>
      `${quote(path)} is in CMYK, the colour space of printing inks, which browsers show differently.`,
    hint: () => 'Export it in RGB (sRGB).',
  }),
  'image/colours': warning('an HDR image, whose thumbnail is darker or paler than itself', {
    message: ({ path }: { path: string }) =>
      `${quote(path)} is an HDR image (PQ or HLG), which screens show differently, and its thumbnail in other colours.`,
    hint: () =>
      'Export it in sRGB: Photoshop Edit › Convert to Profile, Affinity Document › Convert Format / ICC Profile.',
  }),
  'image/placeholder': warning('images that themecast drew, to be replaced', {
    message: ({ fields }: { fields: readonly string[] }) =>
      fields.length === 1
        ? `The image of ${quoteList(fields)} is a placeholder.`
        : `The images of ${quoteList(fields, 'and')} are placeholders.`,
    hint: ({ fields }) =>
      fields.length === 1
        ? 'Put your own image beside it, use it here, and delete this one.'
        : 'Put your own images beside them, use them in these fields, and delete the placeholders.',
  }),
  'image/unused': warning('a file in a theme folder that no field uses', {
    message: ({ path }: { path: string; isImage?: boolean }) =>
      `No field uses the file ${quote(path)}, so it is not published.`,
    hint: ({ isImage = true }) =>
      isImage
        ? 'Use it in a field, or delete it.'
        : 'No field can use a file of this kind: move it out of the themes folder.',
  }),
};
