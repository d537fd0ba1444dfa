import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../io/disk/files.ts';

/** The version that the configuration was tested with. */
export const CMS_VERSION = '0.221.1';

/** Its package is not there, or is not as this version of themecast knows it; the message says what to do. */
export class CmsPackageError extends Error {}

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

/** The template of the README of the folder. */
export function readTemplate(): Promise<string> {
  return readFile(new URL('../../../src/cms/README.md', import.meta.url), 'utf8');
}

function packageRoot(projectDir: string): string {
  try {
    return path.resolve(createRequire(path.join(projectDir, 'package.json')).resolve('@sveltia/cms'), '../..');
  } catch (error) {
    if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(errorCode(error) ?? '')) throw error;
    throw new CmsPackageError(`The CMS is not installed in this project. Install it: ${INSTALL}`);
  }
}

function unknownShape(version: string): CmsPackageError {
  return new CmsPackageError(
    `@sveltia/cms ${version} is not put together as themecast knows it. Install the version that it does know: ${INSTALL}`,
  );
}
