import { GENERATED_COMMENT } from '../config-file.ts';
import type { EdgeRules } from '../contract.ts';
import { redirectPairs } from '../redirects.ts';
import { REDIRECT_TARGET } from './redirects.ts';
import { section, quote } from './syntax.ts';
import { mediaPath } from '../media.ts';

/** `theme-service.cfg`: a dedicated frontend. */
export function frontendCfg({ origin: { listen } }: EdgeRules): string {
  const frontend = section('frontend themecast from themecast', [
    // HAProxy listens on IPv4 alone if it is given a port alone.
    ...(listen.includes(':') ? [`bind ${listen}`] : [`bind :${listen}`, `bind :::${listen} v6only`]),
    'default_backend themecast',
  ]);
  return `# themecast: a dedicated frontend for the theme service; load backend.cfg before it. An existing frontend needs one line instead: see
# README.md. ${GENERATED_COMMENT} Terminate TLS in front of it.

${frontend}`;
}

/** The line for an existing frontend. */
export function useBackend(rules: EdgeRules): string {
  const { list } = rules.endpoints;
  const exact = [list.path.slice(0, -1), ...rules.schemas.map(({ path }) => path)].map(quote).join(' ');
  const below = [list.path, mediaPath(rules)].map(quote).join(' ');
  const moved = redirectPairs(rules).length === 0 ? '' : ` || { ${REDIRECT_TARGET} -m found }`;
  return `use_backend themecast if { path ${exact} } || { path_beg ${below} }${moved}`;
}
