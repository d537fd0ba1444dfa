/**
 * The oldest versions that decode untrusted images: sharp 0.35.0 is the first without GHSA-f88m-g3jw-g9cj, and came with libvips 8.18. An `npm
 * install` over the lockfile, or a libvips of the system, may bring older ones.
 */
const OLDEST = { sharp: [0, 35, 0], vips: [8, 18, 0] } as const;

/** Returns the message for a version that is too old to decode untrusted images. */
export function tooOld(versions: { sharp?: string; vips: string }): string | undefined {
  for (const [name, oldest] of Object.entries(OLDEST) as [keyof typeof OLDEST, readonly number[]][]) {
    const version = versions[name] ?? 'of no version';
    if (!isAtLeast(version, oldest))
      return `${name === 'vips' ? 'libvips' : name} ${version} is too old for untrusted images; ${oldest.join('.')} is the oldest that is not. Run \`npm ci\``;
  }
  return undefined;
}

function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined) return false;
  const different = oldest.findIndex((number, index) => number !== numbers[index]);
  return different === -1 || (numbers[different] ?? 0) > (oldest[different] ?? 0);
}
