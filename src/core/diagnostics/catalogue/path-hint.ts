import { quote } from '../quote.ts';

/** Returns what to write instead of a path that is not a plain path inside the folder of a theme. */
export function pathHint(written: string): string {
  if (/[\u0000-\u001f]/.test(written))
    return 'Put the image beside this file and write its name: in double quotes a backslash starts an escape sequence.';
  const parts = written
    .replaceAll('\\', '/')
    .replace(/^[a-z]:/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const name = parts.at(-1) ?? '';
  if (!/[^.]\.\w+$/.test(name)) return 'Write the name of an image file, like `logo.svg`.';
  const isOutside = /^(?:[a-z]:|[/\\~])/i.test(written) || parts.includes('..');
  if (isOutside) return `Put the image beside this file and write ${quote(name)}.`;
  return `Write ${quote(parts.join('/'))}${parts.length > 1 ? ', with `/` between folders' : ''}.`;
}

/** Checks whether a text with backslashes is probably a Windows path of an image. */
export function isWindowsPath(text: string): boolean {
  return /\\[^\\]*\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i.test(text);
}
