/** Colorants of sRGB in ICC profiles, adapted to D50 (IEC 61966-2-1; ICC "sRGB v4" specification). */
const SRGB_COLORANTS = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;

/** Maximum error of a colorant; Display P3 and Adobe RGB differ by 0.05 and more. */
const MAX_COLORANT_ERROR = 0.003;

/**
 * Whether an ICC profile only says that the image is sRGB, so that no conversion is needed. The curve is judged by the profile's description: all
 * common names start with `sRGB`.
 */
export function isSrgbProfile(icc: Uint8Array): boolean {
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  const text = (start: number, length: number): string =>
    Buffer.from(icc.subarray(start, start + length)).toString('latin1');
  if (icc.length < 132 || text(16, 4) !== 'RGB ') return false;
  const tags = new Map<string, [start: number, length: number]>();
  for (let tag = 0; tag < Math.min(view.getUint32(128), 100); tag++) {
    const at = 132 + tag * 12;
    if (at + 12 > icc.length) return false;
    const [start, length] = [view.getUint32(at + 4), view.getUint32(at + 8)];
    if (start + length > icc.length) return false;
    tags.set(text(at, 4), [start, length]);
  }
  const description = text(...(tags.get('desc') ?? [0, 0])).replaceAll('\0', '');
  return (
    /^(?:desc|mluc).{0,24}sRGB/s.test(description) &&
    Object.entries(SRGB_COLORANTS).every(([name, xyz]) => {
      const [start, length] = tags.get(name) ?? [0, 0];
      return (
        length >= 20 &&
        xyz.every((value, axis) => Math.abs(view.getInt32(start + 8 + axis * 4) / 65_536 - value) < MAX_COLORANT_ERROR)
      );
    })
  );
}

/** Whether an ICC profile is about a colour space that images have; browsers ignore others, like Lab. */
export function isImageProfile(icc: Uint8Array): boolean {
  return /^(?:RGB |GRAY|CMYK)$/.test(Buffer.from(icc.subarray(16, 20)).toString('latin1'));
}
