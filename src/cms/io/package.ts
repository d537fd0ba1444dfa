import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../command-line/command.ts';
import { errorCode } from '../../disk/files.ts';
import { communityStyle } from '../../compiler/runtime.ts';
import { PREVIEW_MODULE, PREVIEW_STYLE_FILE } from '../page.ts';

/** The version that the configuration was tested with. */
export const CMS_VERSION = '0.221.1';

/** The CMS as it can be served: files by path, with `/`. */
export interface CmsPackage {
  version: string;
  files: Map<string, Buffer | string>;
}

const INSTALL = `\`npm install --save-dev @sveltia/cms@${CMS_VERSION}\``;

/**
 * Reads the CMS from the npm package `@sveltia/cms` of a project: the build with its own fonts, the translations and the licence, without
 * source maps. That build is meant for bundlers: the translations that it imports are JSON, which no browser takes for a module, and it
 * asks for them again and again. So they become modules, and it imports those. The package that previews need is imported by its name,
 * which no browser resolves, so it is copied as well.
 * @throws {UsageError} if it is not there, or not as this version of themecast knows it; the message says what to do
 */
export async function readCmsPackage(projectDir: string): Promise<CmsPackage> {
  const root = packageRoot(projectDir);
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const files = new Map<string, Buffer | string>();
  try {
    for (const name of ['npm', 'locales']) {
      for (const entry of await readdir(path.join(root, name), { withFileTypes: true, recursive: true })) {
        const file = path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
        if (entry.isFile() && !file.endsWith('.map')) files.set(file, await readFile(path.join(root, file)));
      }
    }
    files.set('LICENSE.txt', await readFile(path.join(root, 'LICENSE.txt')));
    const immutable = path.dirname(createRequire(path.join(root, 'package.json')).resolve('immutable'));
    files.set('immutable/immutable.js', await readFile(path.join(immutable, 'immutable.es.js')));
    files.set('immutable/LICENSE.txt', await readFile(path.join(immutable, '../LICENSE')));
  } catch (error) {
    throw ['ENOENT', 'MODULE_NOT_FOUND'].includes(errorCode(error) ?? '') ? unknownShape(version) : error;
  }
  const main = String(files.get('npm/index.js') ?? '');
  const localised = main.replaceAll(/\bimport\(`(\.\.\/locales\/[\w-]+)\.json`\)/g, 'import(`$1.js`)');
  const adapted = localised.replaceAll('import(`immutable`)', 'import(`../immutable/immutable.js`)');
  const translations = [...files.keys()].filter((file) => file.startsWith('locales/'));
  if (localised === main || adapted === localised || translations.length === 0) throw unknownShape(version);
  files.set('npm/index.js', adapted);
  for (const file of translations) {
    files.set(file.replace(/\.json$/, '.js'), `export default ${String(files.get(file))};\n`);
    files.delete(file);
  }
  return { version, files };
}

function packageRoot(projectDir: string): string {
  try {
    return path.resolve(createRequire(path.join(projectDir, 'package.json')).resolve('@sveltia/cms'), '../..');
  } catch (error) {
    if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(errorCode(error) ?? '')) throw error;
    throw new UsageError(`The CMS is not installed in this project. Install it: ${INSTALL}`);
  }
}

function unknownShape(version: string): UsageError {
  return new UsageError(
    `@sveltia/cms ${version} is not put together as themecast knows it. Install the version that it does know: ${INSTALL}`,
  );
}

/** The compiled modules of themecast. */
const LIB = fileURLToPath(new URL('../../../lib/', import.meta.url));

const IMPORT = /^(?:import|export)\b[^;'"`]*? from '([^']+)'/gm;
const COLOURS = { statement: "import culori from 'culori/require';", file: 'culori.js' };

/**
 * What draws the preview of the CMS, as a browser loads it: files by path, with `/`. The modules are those of the development
 * server, and their only package is the one for colours.
 */
export async function readPreview(): Promise<Map<string, Buffer | string>> {
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
  files.set(PREVIEW_STYLE_FILE, `${communityStyle()}.preview { padding: 1rem; }\n`);
  const bundle = path.dirname(createRequire(import.meta.url).resolve('culori/require'));
  files.set(COLOURS.file, await readFile(path.join(bundle, 'culori.min.mjs')));
  files.set('culori-LICENSE.txt', await readFile(path.join(bundle, '../LICENSE')));
  return files;
}
