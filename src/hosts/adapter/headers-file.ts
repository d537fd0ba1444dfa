import { inexpressible } from '../contract/inexpressible.ts';
import type { EdgeRules } from '../contract/contract.ts';

/** The headers of a path, in which `*` is a wildcard. */
export interface HeadersOf {
  path: string;
  /** Whether the headers replace those of earlier paths that match too. */
  replaces?: boolean;
  headers: Readonly<Record<string, string>>;
}

/** Returns the headers of images, for hosts that serve files without a handler; a host combines the headers of all matching paths. */
export function fileHeaders({ headers }: EdgeRules, base = ''): HeadersOf[] {
  return [
    { path: `${base}/media/*`, headers: { ...headers.all, ...headers.media } },
    { path: `${base}/media/*.svg`, headers: headers.svg },
  ];
}

/**
 * Returns `_headers` in Cloudflare's format: a path, then its headers, indented.
 * @throws if a line cannot be expressed
 */
export function headersFile(blocks: readonly HeadersOf[]): string {
  const text = ({ path, headers, replaces }: HeadersOf): string => {
    const detached = replaces ? Object.keys(headers).map((name) => `  ! ${checkedText(name)}`) : [];
    return [checkedText(path), ...detached, ...headerLines(headers)].join('\n');
  };
  return `${blocks.map(text).join('\n\n')}\n`;
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `  ${checkedText(name)}: ${checkedText(value)}`);
}

/** Returns a path, name or value that fits: Cloudflare ignores lines of more than 2,000 characters, and a line has a little more. */
function checkedText(text: string): string {
  if (/[\u0000-\u001f\u007f]|^\s|\s$|^$/.test(text) || text.length > 1900)
    throw inexpressible('_headers', text, 'a line must have at most 1,900 characters and no space at either end');
  return text;
}
