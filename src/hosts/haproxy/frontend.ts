import type { EdgeRules } from '../contract.ts';
import { section, quote } from './syntax.ts';
import { mediaPath } from '../media.ts';

/** `theme-service.cfg`: a frontend for a machine where HAProxy does nothing else. */
export function frontendCfg({ origin: { listen } }: EdgeRules): string {
  const frontend = section('frontend themecast from themecast', [
    `bind ${listen.includes(':') ? listen : `:${listen}`}`,
    'default_backend themecast',
  ]);
  return `# themecast: a frontend for the theme service alone; load backend.cfg before it. A frontend that you have already needs one line
# instead: see README.md. Generated from site.yaml: change that, not this. TLS is the business of what stands before it.

${frontend}`;
}

/** The line for a frontend that does other things too. */
export function useBackend(rules: EdgeRules): string {
  const { list } = rules.endpoints;
  const below = [list.path, mediaPath(rules)].map(quote).join(' ');
  return `use_backend themecast if { path ${quote(list.path.slice(0, -1))} } || { path_beg ${below} }`;
}
