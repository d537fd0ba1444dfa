import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../command-line/command.ts';
import { errorCode } from '../../disk/files.ts';
import { communityStyle } from '../../compiler/runtime.ts';
import { PREVIEW_MODULE, PREVIEW_STYLE_FILE } from '../page.ts';

/** The tested version. */
export const CMS_VERSION = '0.221.1';

/** The files of the CMS for a web server. */
export interface CmsPackage {
  version: string;
  /** By path, with `/`. */
  files: Map<string, Buffer | string>;
}

const INSTALL_COMMAND = `\`npm install --save-dev @sveltia/cms@${CMS_VERSION}\``;

/**
 * Reads the CMS from the npm package `@sveltia/cms` of a project: the build with bundled fonts, the translations and the licence.
 *
 * That build is for bundlers. It imports translations as JSON, which browsers reject as modules, and then requests them repeatedly: so
 * they become JavaScript modules. It imports `immutable` by package name, which browsers cannot resolve: so the package is copied.
 * @throws {UsageError} if the package is missing, or has an unknown structure
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
    throw new UsageError(`The CMS is not installed in this project. Run ${INSTALL_COMMAND}.`);
  }
}

function unknownShape(version: string): UsageError {
  return new UsageError(
    `themecast does not support @sveltia/cms ${version}. Install the tested version: ${INSTALL_COMMAND}`,
  );
}

const LIB = fileURLToPath(new URL('../../../lib/', import.meta.url));

const IMPORT_STATEMENT = /^(?:import|export)\b[^;'"`]*? from '([^']+)'/gm;
const CULORI = { statement: "import culori from 'culori/require';", file: 'culori.js' };

/**
 * Reads the compiled modules of the preview for browsers, by path, with `/`. They are shared with the development server; their only
 * package is `culori`.
 */
export async function readPreview(): Promise<Map<string, Buffer | string>> {
  const files = new Map<string, Buffer | string>();
  const read = async (file: string): Promise<void> => {
    const text = await readFile(path.join(LIB, file), 'utf8');
    const up = '../'.repeat(file.split('/').length - 1);
    const adapted = text.replace(CULORI.statement, `import * as culori from '${up}${CULORI.file}';`);
    files.set(file, adapted);
    for (const [, name = ''] of text.matchAll(IMPORT_STATEMENT)) {
      const imported = path.posix.join(path.posix.dirname(file), name);
      if (name.startsWith('.') && !files.has(imported)) await read(imported);
    }
  };
  await read(PREVIEW_MODULE);
  files.set(PREVIEW_STYLE_FILE, `${communityStyle()}.preview { padding: 1rem; }\n`);
  const bundle = path.dirname(createRequire(import.meta.url).resolve('culori/require'));
  files.set(CULORI.file, await readFile(path.join(bundle, 'culori.min.mjs')));
  files.set('culori-LICENSE.txt', await readFile(path.join(bundle, '../LICENSE')));
  return files;
}
