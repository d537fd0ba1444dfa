import { quote } from '../quote.ts';

export function pathHint(written: string): string {
  if (/[\u0000-\u001f]/.test(written))
    return 'Put the image beside this file and write its name: in double quotes a backslash starts an escape sequence.';
  const path = relativePath(written);
  if (path !== undefined) return `Write ${quote(path)}, with \`/\` between folders.`;
  const name = (partsOf(written).at(-1) ?? '').replace(/^[a-z]:/i, '');
  return `Put the image beside this file and write ${name === '' || name === '..' ? 'its name' : quote(name)}.`;
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
    .split('/')
    .filter((part) => part !== '' && part !== '.');
}

/** Checks whether a text with backslashes is probably a Windows path of an image. */
export function isWindowsPath(text: string): boolean {
  return /\\[^\\]*\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i.test(text);
}
