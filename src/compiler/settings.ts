import type { Report } from '../core/diagnostics/diagnostic.ts';
import type { CompiledSettings } from './model.ts';
import type { Memory } from './memory.ts';
import type { Walk } from './walk.ts';

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
      import('../core/source/yaml.ts'),
      import('../core/theme/site.ts'),
      import('../core/theme/hostnames.ts'),
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
