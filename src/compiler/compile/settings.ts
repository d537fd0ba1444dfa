import type { Report } from '../../core/diagnostics/diagnostic.ts';
import type { Site } from '../../core/theme/site/site.ts';
import { readBytes, reportFileProblem, sha256Of } from '../../system/disk/files.ts';
import type { CompiledSettings } from '../model.ts';
import type { Memory } from '../store/memory.ts';
import type { Walk } from '../walk/walk.ts';

/** Compiles `site.yaml`. @param baseUrl - overrides `base_url` */
export function compileSettings(
  { display, site: file, siteMissing }: Walk,
  baseUrl: string | undefined,
  memory: Memory,
  report: Report,
): Promise<CompiledSettings> {
  const location = { file: display('site.yaml') };
  const inputs = [location.file, file?.text ?? '', siteMissing, baseUrl ?? ''];
  return memory.memoize('settings', inputs, report, async (within) => {
    const [{ parseYaml }, { validateSite }, { declaredThemes }] = await Promise.all([
      import('../../core/source/yaml.ts'),
      import('../../core/theme/site/site.ts'),
      import('../../core/theme/site/hostnames.ts'),
    ]);
    const document = file && parseYaml(file.file, file.text, within);
    const site = validateSite(document, siteMissing ? location : undefined, baseUrl, within);
    return {
      site,
      edge: document?.valueAt(['edge']) ?? location,
      rules: site.identity.map((_, rule) => document?.valueAt(['identity', rule]) ?? location),
      hasRules: document?.data['identity'] !== undefined,
      hostnames: document === undefined ? [] : declaredThemes(document, within),
    };
  });
}

/** Maximum size of a schema, in bytes; schemas have some 20,000. */
const MAX_SCHEMA_BYTES = 1_000_000;

/** Replaces CRLF by LF: checkouts on Windows have CRLF. */
const unixLines = (bytes: Buffer): string => bytes.toString().replaceAll('\r\n', '\n');

/** Reports editor schemas that were made by another version, or from other values in site.yaml. */
export async function reportStaleSchemas({ schemas }: Walk, site: Site, memory: Memory, report: Report): Promise<void> {
  if (schemas.length === 0) return;
  const hashes = await memory.memoize('schemas', [site.logo_types, site.logo_alignments], report, async () => {
    const { editorSchemas } = await import('../../core/theme/json-schema.ts');
    const texts = Object.entries(editorSchemas(site));
    return Object.fromEntries(texts.map(([name, text]) => [name, sha256Of(text)]));
  });
  for (const { name, file, path } of schemas) {
    const read = readBytes(path, MAX_SCHEMA_BYTES);
    if ('problem' in read && read.problem === 'unreadable') reportFileProblem(read, file, MAX_SCHEMA_BYTES, report);
    else if ('problem' in read || sha256Of(unixLines(read.bytes)) !== hashes[name])
      report('schema/stale', { file }, { name });
  }
}
