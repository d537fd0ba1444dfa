import type { EdgeEndpoint } from '../../edge-runtime/rules.ts';
import { quote } from './syntax.ts';
import { escapeRegExp } from '../regexp.ts';

/** One `RewriteRule` with the conditions that it stands under. */
export interface Rewriting {
  /** Each as `RewriteCond` takes it. */
  when?: readonly string[];
  /** Regular expression for the path. */
  path: string;
  /** The path of a file, or `-` to leave it. */
  to: string;
  flags: readonly string[];
}

/** `RewriteCond` for a variable and a regular expression. `NV`: the header it reads is not added to Vary, which is set in full. */
export function condition(variable: string, pattern: string, ...flags: string[]): string {
  return `${quote(variable)} ${quote(pattern)} [${[...flags, 'NV'].join(',')}]`;
}

export function rewriteRule({ when = [], path, to, flags }: Rewriting): string[] {
  return [
    ...when.map((one) => `RewriteCond ${one}`),
    `RewriteRule ${quote(path)} ${quote(to)} ${quote(`[${flags.join(',')}]`)}`,
  ];
}

/** Sets a variable of the request and goes on. */
export function assign(path: string, variable: string, value: string, when: readonly string[] = []): string[] {
  return rewriteRule({ when, path, to: '-', flags: [`E=themecast_${variable}:${value}`] });
}

/** Goes to the `ErrorDocument` of a status. */
export function refuse(path: string, status: number, when: readonly string[] = []): string[] {
  return rewriteRule({ when, path, to: '-', flags: [`R=${status}`, 'L'] });
}

/** The regular expression for the paths of one endpoint, or of several. */
export function exactly(...endpoints: readonly EdgeEndpoint[]): string {
  const paths = endpoints.map(({ path }) => escapeRegExp(path));
  return paths.length === 1 ? `^${paths[0]}$` : `^(?:${paths.join('|')})$`;
}
