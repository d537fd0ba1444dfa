import path from 'node:path';
import type { Report } from '../../core/diagnostics/diagnostic.ts';
import type { ImageReference } from '../../core/image/inspect.ts';
import { reportUnused } from '../../core/image/unused.ts';
import { DecodeBatch } from '../../system/decoder/decode.ts';
import type { Decoders } from '../../system/decoder/pool.ts';
import { reportFileProblem } from '../../system/disk/files.ts';
import { decodeText } from '../../core/source/text.ts';
import { parseYaml } from '../../core/source/yaml.ts';
import { ANY_IMAGE_FIELDS } from '../../core/theme/fields/fields.ts';
import { imageSource } from '../../core/theme/image-source.ts';
import { writtenId } from '../../core/theme/next-id.ts';
import type { Site } from '../../core/theme/site/site.ts';
import type { ThemeSource } from '../../core/theme/theme-source.ts';
import { classifyTheme, TEXT_LIMIT, THEME_FILE } from '../../core/theme/themes-folder.ts';
import { validateTheme } from '../../core/theme/validate.ts';
import type { Decodings } from './decodings.ts';
import { recorder } from '../store/memory.ts';
import type { CompiledTheme, RecordedDiagnostic } from '../model.ts';
import type { ThemeFiles } from '../walk/theme-files.ts';
import { storedName } from '../store/theme-key.ts';
import { reportUnusable } from '../walk/walk.ts';

/** Tools for compiling a theme, besides its files and the settings. */
export interface Tools {
  themesDir: string;
  decoders: Decoders;
  decodings: Decodings;
  /** Whether images are compiled; otherwise only the text is. */
  images: boolean;
  /** Whether the files are on the disk, so that a decoder can read them itself. */
  isOnDisk: boolean;
}

/** A compiled theme, in which files have their {@link storedName}. */
export interface Compilation {
  compiled: CompiledTheme;
  /** Every file that was read, by its path in the folder, with its SHA-256. */
  reads: readonly (readonly [file: string, sha256: string])[];
  /** Whether the next run would return the same as long as no file changes. */
  isFinal: boolean;
}

/** Compiles a theme: parses and checks its text, then checks and decodes its images. */
export async function compileTheme(files: ThemeFiles, site: Site, tools: Tools): Promise<Compilation> {
  const { slug } = files;
  const display = storedName;
  const diagnostics: RecordedDiagnostic[] = [];
  const report = recorder(diagnostics);
  reportUnusable(files, (name) => display(path.posix.join(slug, name)), report);
  const folder = classifyTheme(slug, files.entries, files.unreadable !== undefined, display, report);
  const file = display(`${slug}/${THEME_FILE}`);
  const text = folder.hasTheme ? readTheme(files, site, file, report) : undefined;
  const references = referencesOf(text?.source, site);
  const compile = tools.images && text?.source !== undefined;
  // Loaded only if needed: many commands use no images.
  const { images, reads, isFinal } = compile
    ? await (
        await import('./compile-images.ts')
      ).compileImages(
        {
          files,
          fileNames: folder.files,
          site,
          display,
          tools,
          batch: new DecodeBatch(tools.decoders),
        },
        references,
        report,
      )
    : { images: [], reads: [], isFinal: true };
  const unused: RecordedDiagnostic[] = [];
  if (compile && images.length === references.size)
    reportUnused(
      folder,
      new Set(references.keys()),
      (name) => ({ file: display(`${slug}/${name}`) }),
      recorder(unused),
    );
  const compiled: CompiledTheme = {
    slug,
    ...(folder.hasTheme && { file }),
    ...(text?.source && { source: text.source }),
    writtenId: text?.writtenId ?? 0,
    images,
    diagnostics,
    unused,
  };
  const isComplete =
    files.unusable.length === 0 && files.unreadable === undefined && (text !== undefined || !folder.hasTheme);
  return {
    compiled,
    reads: [...(text ? [[THEME_FILE, text.sha256] as const] : []), ...reads],
    isFinal: isFinal && isComplete && tools.images,
  };
}

/** Reads, parses and checks `theme.yaml`; returns nothing if it cannot be read. */
function readTheme(
  files: ThemeFiles,
  site: Site,
  file: string,
  report: Report,
): { sha256: string; source: ThemeSource | undefined; writtenId: number } | undefined {
  const read = files.read(THEME_FILE, TEXT_LIMIT);
  if ('problem' in read) {
    reportFileProblem(read, file, TEXT_LIMIT, report);
    return undefined;
  }
  const { bytes, sha256 } = read;
  const text = decodeText({ file, bytes }, report);
  const document = text === undefined ? undefined : parseYaml(file, text, report);
  return {
    sha256,
    writtenId: writtenId(text ?? bytes.toString()),
    source: document && validateTheme(files.slug, document, site, report),
  };
}

/** Collects the fields that use each image file. Errors in these fields are reported when the site is linked. */
function referencesOf(source: ThemeSource | undefined, site: Site): Map<string, ImageReference[]> {
  const references = new Map<string, ImageReference[]>();
  for (const field of source === undefined ? [] : ANY_IMAGE_FIELDS) {
    const value = source?.fields[field];
    const image =
      source && value !== undefined ? imageSource(field, value, source, true, site, () => undefined) : undefined;
    if (image === undefined || !('path' in image)) continue;
    const existing = references.get(image.path) ?? [];
    references.set(image.path, [...existing, { field, source: image }]);
  }
  return references;
}
