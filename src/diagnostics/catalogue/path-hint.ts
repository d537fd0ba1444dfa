import { quote } from '../quote.ts';

export function pathHint(written: string): string {
  if (/[\u0000-\u001f]/.test(written))
    return 'Put the image beside this file and write its name: in double quotes a backslash starts an escape sequence.';
  const path = relativePath(written);
  return path === undefined
    ? `Put the image beside this file and write ${quote(partsOf(written).at(-1) ?? '')}.`
    : `Write ${quote(path)}, with \`/\` between folders.`;
}

/** Returns a path with `/` between folders; undefined if it leaves its folder. */
function relativePath(written: string): string | undefined {
  const parts = partsOf(written);
  const isPlain = !/^(?:[a-z]:|[/\\~])/i.test(written) && !parts.includes('..') && parts.length > 0;
  return isPlain ? parts.join('/') : undefined;
}

function partsOf(written: string): string[] {
  return written
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .filter(Boolean);
}

/** Checks whether a text with backslashes is probably a Windows path of an image. */
export function isWindowsPath(text: string): boolean {
  return /\\[^\\]*\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i.test(text);
}
