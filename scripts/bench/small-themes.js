// Writes any number of themes with small, unique images. Only a few images are encoded: each file is a copy with other tables.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { themeFields, yamlOf } from '../../test/theme-yaml.js';

const SVG_LOGOS = ['logo', 'logo-inverse', 'compact-logo', 'compact-logo-inverse'];
const BANNERS = ['group-banner', 'event-banner', 'user-profile-banner'];
const FIELDS = {
  favicon: 'favicon.png',
  logo: 'logo.svg',
  logo_inverse: 'logo-inverse.svg',
  compact_logo: 'compact-logo.svg',
  compact_logo_inverse: 'compact-logo-inverse.svg',
  logo_site: 'logo-site.png',
  default_group_banner: 'group-banner.jpg',
  default_event_banner: 'event-banner.jpg',
  default_user_profile_banner: 'user-profile-banner.jpg',
};

/**
 * @param {string} target
 * @param {number} count
 */
export async function writeSmallThemes(target, count) {
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'site.yaml'), 'base_url: https://community.example.org\n');
  const jpegs = await Promise.all(BANNERS.map((_, index) => bannerJpeg(index)));
  const [favicon, logo] = await Promise.all([palettePng(32, 32), palettePng(400, 160)]);
  for (let index = 0; index < count; index++) {
    const slug = `theme-${String(index + 1).padStart(5, '0')}`;
    const write = (/** @type {string} */ name, /** @type {string | Buffer} */ bytes) =>
      writeFileSync(path.join(target, slug, name), bytes);
    mkdirSync(path.join(target, slug));
    write('theme.yaml', yamlOf(themeFields(slug, index, { name: `Theme ${index + 1}`, ...FIELDS })));
    write('favicon.png', recolour(favicon, 2 * index));
    write('logo-site.png', recolour(logo, 2 * index + 1));
    for (const [position, name] of SVG_LOGOS.entries()) write(`${name}.svg`, logoSvg(4 * index + position));
    for (const [position, name] of BANNERS.entries())
      write(`${name}.jpg`, requantise(jpegs[position] ?? Buffer.of(), index));
  }
}

/**
 * Returns a drawing of about 1 KB.
 * @param {number} number
 */
function logoSvg(number) {
  const bars = Array.from({ length: 12 }, (_, bar) => {
    const height = 8 + ((number * (bar + 3)) % 31);
    return `<path d="M${4 + bar * 10} ${44 - height}h7v${height}h-7z" fill="#${hex(number * 0x9e_37 + bar * 0x1f_35)}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 48"><title>Logo ${number}</title>\n${bars.join('\n')}\n</svg>\n`;
}

/** @param {number} number */
function hex(number) {
  return (number % 0x1_00_00_00).toString(16).padStart(6, '0');
}

/**
 * Returns a banner with detail everywhere.
 * @param {number} kind
 */
function bannerJpeg(kind) {
  const [width, height] = [320, 180];
  const pixels = Buffer.alloc(width * height * 3);
  for (let offset = 0; offset < pixels.length; offset++) {
    const [x, y] = [Math.floor(offset / 3) % width, Math.floor(offset / 3 / width)];
    pixels[offset] =
      128 + 60 * Math.sin((x + kind * 40) / 23) * Math.cos(y / (11 + (offset % 3))) + ((x * 7 + y * 13) % 17);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 70 })
    .toBuffer();
}

/**
 * Returns a JPEG with other values in its first quantisation table, so with other pixels (ITU-T T.81, B.2.4.1).
 * @param {Buffer} jpeg
 * @param {number} number - below 2¹⁶
 */
export function requantise(jpeg, number) {
  const bytes = Buffer.from(jpeg);
  const table = bytes.indexOf(Buffer.of(0xff, 0xdb)) + 5;
  // Changes four middle frequencies, each by 0 to 15.
  for (let digit = 0; digit < 4; digit++) {
    const offset = table + 12 + digit;
    bytes[offset] = (bytes[offset] ?? 0) + ((number >> (4 * digit)) & 15);
  }
  return bytes;
}

/**
 * @param {number} width
 * @param {number} height
 */
function palettePng(width, height) {
  const pixels = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => {
      const colour = (Math.floor(at / 3) * 7 + Math.floor(at / 3 / width) * 5) % 16;
      return [colour * 16, 255 - colour * 12, (colour * 53) % 256][at % 3] ?? 0;
    }),
  );
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ palette: true, colours: 16, dither: 0 })
    .toBuffer();
}

/**
 * Returns a PNG with other values in its palette (PNG specification, §11.2.2).
 * @param {Buffer} png
 * @param {number} number - below 2²⁴
 */
export function recolour(png, number) {
  const bytes = Buffer.from(png);
  const type = bytes.indexOf('PLTE');
  const length = bytes.readUInt32BE(type - 4);
  bytes.writeUIntBE(number, type + 4, 3);
  bytes.writeUInt32BE(crc32(bytes.subarray(type, type + 4 + length)), type + 4 + length);
  return bytes;
}
