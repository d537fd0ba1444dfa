import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREVIEW_MODULE } from '../page.ts';

/** The compiled modules of themecast. */
const LIB = fileURLToPath(new URL('../../../lib/', import.meta.url));

const IMPORT = /^(?:import|export)\b[^;'"`]*? from '([^']+)'/gm;
const COLOURS = { statement: "import culori from 'culori/require';", file: 'culori.js' };

/**
 * The modules that draw the preview of the CMS, as a browser loads them: by path, with `/`. They are those of the development server, and
 * their only package is the one for colours.
 */
export async function readPreviewModules(): Promise<Map<string, Buffer | string>> {
  const files = new Map<string, Buffer | string>();
  const read = async (file: string): Promise<void> => {
    const text = await readFile(path.join(LIB, file), 'utf8');
    const up = '../'.repeat(file.split('/').length - 1);
    const adapted = text.replace(COLOURS.statement, `import * as culori from '${up}${COLOURS.file}';`);
    files.set(file, adapted);
    for (const [, name = ''] of text.matchAll(IMPORT)) {
      const imported = path.posix.join(path.posix.dirname(file), name);
      if (name.startsWith('.') && !files.has(imported)) await read(imported);
    }
  };
  await read(PREVIEW_MODULE);
  const bundle = path.dirname(createRequire(import.meta.url).resolve('culori/require'));
  files.set(COLOURS.file, await readFile(path.join(bundle, 'culori.min.mjs')));
  files.set('culori-LICENSE.txt', await readFile(path.join(bundle, '../LICENSE')));
  return files;
}
