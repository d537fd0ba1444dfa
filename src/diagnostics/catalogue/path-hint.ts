import { quote } from '../quote.ts';

/** The hint for an image path that is not plain; `written` is the path as it appears in the file. */
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
