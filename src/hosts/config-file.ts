import { linesFile, type OutputFile, type PrivateFile, textFile } from '../document/output-file.ts';
import type { Mapping } from '../users/mapping.ts';

/** A file of a host's configuration. */
export function configFile(path: string, text: string): OutputFile {
  return textFile(path, text, 'text/plain; charset=utf-8', 'config');
}

/**
 * `users.<extension>` and `groups.<extension>`: one line per key.
 * @param readBy - the file that reads them
 * @param line - writes a key and its theme
 * @param comment - further lines of comment
 */
export function keyFiles(
  extension: string,
  mapping: Mapping,
  readBy: string,
  line: (key: string, theme: string) => string,
  comment = '',
): PrivateFile[] {
  return (['user', 'group'] as const).map((kind) =>
    linesFile(`${kind}s.${extension}`, function* () {
      yield `# themecast: ${kind} key and theme. Personal data: keep it out of every published folder. Read by ${readBy}.\n${comment}`;
      for (const [key, theme] of mapping.pairs(kind)) yield line(key, theme);
    }),
  );
}

/** A comment line that begins a section of a configuration file. */
export function heading(title: string): string {
  return `# --- ${title} `.padEnd(120, '-');
}

/** The comment that every generated configuration file begins with, after what it is for. */
export const GENERATED_COMMENT = 'Generated from site.yaml: edit that file instead.';

/** Explains, in comments, why CONFIG has no validators on this host. */
export function noValidatorsComment(host: string): string[] {
  return [
    `# ${host} derives validators from the time and size of a file. Two themes may share both, and a browser would then`,
    '# get 304 for the theme of another user. So CONFIG has neither ETag nor Last-Modified, and 304 is never sent.',
  ];
}
