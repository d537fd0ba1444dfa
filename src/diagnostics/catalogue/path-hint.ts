import { quote } from '../quote.ts';

/** How an image that is named by another path than a plain one is to be named; `written` is as it stands in the file. */
export function pathHint(written: string): string {
  const path = written.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const parts = path.split('/').filter(Boolean);
  const isPlain = !/^[a-z]:|^[/~]/i.test(path) && !parts.includes('..');
  return isPlain
    ? `Write ${quote(parts.join('/'))}, with \`/\` between folders.`
    : `Put the image beside this file and write ${quote(parts.at(-1) ?? '')}.`;
}

/** Whether a text with backslashes is most likely the path of an image on Windows. */
export function isWindowsPath(text: string): boolean {
  return /\\[^\\]*\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i.test(text);
}
