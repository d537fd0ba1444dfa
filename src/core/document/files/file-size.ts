/** Formats bytes for people: `512 B`, `4.2 kB`, `910 kB`, `1.9 MB`; a kB is 1,000 bytes (IEC 80000-13). */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, size] = bytes < 999_500 ? ['kB', bytes / 1e3] : ['MB', bytes / 1e6];
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}
