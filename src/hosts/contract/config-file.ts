import { linesFile, type OutputFile, type PrivateFile, textFile } from '../../core/document/files/output-file.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import { fillFile, type Templates, type View } from '../adapter/template.ts';

export function configFile(path: string, text: string): OutputFile {
  return textFile(path, text);
}

/** Makes a configuration file from its template: `nginx/hash.conf` from `nginx/hash.conf.mustache`. */
export function filledFile(templates: Templates, path: string, view: View): OutputFile {
  return configFile(path.slice(path.indexOf('/') + 1), fillFile(templates, `${path}.mustache`, view));
}

export function jsonFile(path: string, value: object): OutputFile {
  return textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/**
 * Makes `users.<extension>` and `groups.<extension>`, with one line per key.
 * @param readBy - the file that reads both
 * @param line - writes a key and its theme
 */
export function keyFiles(
  extension: string,
  mapping: Mapping,
  readBy: string,
  line: (key: string, theme: string) => string,
): PrivateFile[] {
  return (['user', 'group'] as const).map((kind) =>
    linesFile(`${kind}s.${extension}`, function* () {
      yield `# themecast: ${kind} key and theme. Personal data: keep it out of every published folder. Read by ${readBy}.\n`;
      for (const [key, theme] of mapping.pairs(kind)) yield line(key, theme);
    }),
  );
}
