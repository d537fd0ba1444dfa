import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import { quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';

/** One `RewriteRule` with its conditions. */
export interface Rewrite {
  /** Each as `RewriteCond` takes it. */
  when?: readonly string[];
  /** Regular expression for the path. */
  path: string;
  /** The path of a file, or `-` to leave the path unchanged. */
  to: string;
  flags: readonly string[];
}

/** `RewriteCond` for a variable and a regular expression. `NV` keeps the header that it reads out of Vary, which is set in full elsewhere. */
export function condition(variable: string, pattern: string, ...flags: string[]): string {
  return `${quote(variable)} ${quote(pattern)} [${[...flags, 'NV'].join(',')}]`;
}

export function rewriteRule({ when = [], path, to, flags }: Rewrite): string[] {
  return [
    ...when.map((one) => `RewriteCond ${one}`),
    `RewriteRule ${quote(path)} ${quote(to)} ${quote(`[${flags.join(',')}]`)}`,
  ];
}

/** Sets a variable of the request and continues. */
export function assign(path: string, variable: string, value: string, when: readonly string[] = []): string[] {
  return rewriteRule({ when, path, to: '-', flags: [`E=themecast_${variable}:${value}`] });
}

/** Responds with the `ErrorDocument` of a status. */
export function respondWithError(path: string, status: number, when: readonly string[] = []): string[] {
  return rewriteRule({ when, path, to: '-', flags: [`R=${status}`, 'L'] });
}

/** The regular expression for the path of one endpoint or schema, or of several. */
export function exactly(...endpoints: readonly Pick<EdgeEndpoint, 'path'>[]): string {
  const paths = endpoints.map(({ path }) => escapeRegExp(path));
  return paths.length === 1 ? `^${paths[0]}$` : `^(?:${paths.join('|')})$`;
}
