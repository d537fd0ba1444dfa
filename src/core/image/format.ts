import { rowOf } from '../theme/fields/fields.ts';

/** The image formats that are published, with their file extensions and media types. */
export const FORMATS = {
  png: { name: 'PNG', extensions: ['png'], mediaType: 'image/png' },
  jpeg: { name: 'JPEG', extensions: ['jpg', 'jpeg'], mediaType: 'image/jpeg' },
  webp: { name: 'WebP', extensions: ['webp'], mediaType: 'image/webp' },
  avif: { name: 'AVIF', extensions: ['avif'], mediaType: 'image/avif' },
  gif: { name: 'GIF', extensions: ['gif'], mediaType: 'image/gif' },
  svg: { name: 'SVG', extensions: ['svg'], mediaType: 'image/svg+xml' },
  ico: { name: 'ICO', extensions: ['ico'], mediaType: 'image/vnd.microsoft.icon' },
} as const;

export type Format = keyof typeof FORMATS;

/** Returns the formats that an image field accepts; only icons may be ICO. */
export function acceptedFormats(field: string): Format[] {
  const row = rowOf(field);
  const isIcon = row?.kind === 'image' && row.isIcon === true;
  return (Object.keys(FORMATS) as Format[]).filter((format) => format !== 'ico' || isIcon);
}

/** The type of a file by its first bytes, whatever its name: a published format, or the name of another type. */
export type Sniffed = { format: Format } | { other: string };

const SIGNATURES: readonly [RegExp, Sniffed][] = [
  [/^\x89PNG\r\n\x1a\n/, { format: 'png' }],
  [/^\xff\xd8\xff/, { format: 'jpeg' }],
  [/^RIFF[^]{4}WEBP/, { format: 'webp' }],
  [/^[^]{4}ftyp(?:avif|avis|[^]{8,24}avif)/, { format: 'avif' }],
  [/^GIF8[79]a/, { format: 'gif' }],
  [/^\0\0\x01\0/, { format: 'ico' }],
  [/^\0\0\x02\0/, { other: 'a cursor (CUR)' }],
  [/^BM/, { other: 'a BMP image' }],
  [/^(?:II\*\0|MM\0\*)/, { other: 'a TIFF image' }],
  [/^[^]{4}ftyp(?:heic|heix|hevc|mif1|msf1)/, { other: 'a HEIC image' }],
  [/^8BPS/, { other: 'a Photoshop file' }],
  [/^%PDF/, { other: 'a PDF' }],
  [/^(?:%!PS|\xc5\xd0\xd3\xc6)/, { other: 'an EPS file' }],
  [/^(?:\xff\x0a|\0\0\0\x0cJXL )/, { other: 'a JPEG XL image' }],
  [/^PK\x03\x04/, { other: 'a ZIP archive' }],
  [/^\x1f\x8b/, { other: 'compressed (gzip or SVGZ)' }],
  [/^(?:\xff\xfe|\xfe\xff|<\0|\0<)/, { other: 'text in UTF-16' }],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b/i, { other: 'an HTML page' }],
  [/^[^\0-\x1f<>]+\.(?:avif|gif|ico|jpe?g|png|svg|webp)\n?$/i, { other: 'a link that Git wrote as text' }],
  [/^(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|!--|!DOCTYPE\s+svg\b|(?:[\w-]+:)?svg[\s>])/i, { format: 'svg' }],
];

export function sniffFormat(bytes: Uint8Array): Sniffed {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString('latin1');
  const match = SIGNATURES.find(([signature]) => signature.test(head));
  return match?.[1] ?? { other: /[\x00-\x08]/.test(head) ? 'not an image' : 'a text file' };
}

/** Whether the bytes are the text that Git LFS leaves in place of a file that it has not fetched. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  return (
    bytes.length < 1024 && Buffer.from(bytes).toString('latin1').startsWith('version https://git-lfs.github.com/spec/')
  );
}

/** Whether a file has an extension of its format. */
export function extensionFits(path: string, format: Format): boolean {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return (FORMATS[format].extensions as readonly string[]).includes(extension ?? '');
}

/** Whether the extension of a file belongs to a published image format. */
export function isImageName(path: string): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.values(FORMATS).some(({ extensions }) => (extensions as readonly string[]).includes(extension));
}
