import { type OutputFile, textFile } from '../document/output-file.ts';

/** A file of a host's configuration. */
export function configFile(path: string, text: string): OutputFile {
  return textFile(path, text, 'text/plain; charset=utf-8', 'config');
}
