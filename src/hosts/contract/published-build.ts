import type { ThemeRecord } from '../../core/document/record.ts';
import type { KeyKind } from '../../core/users/key.ts';
import type { SearchedKey } from '../../core/users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import type { DeclaredHostname } from './hostnames.ts';

/** A published file, as listed in manifest.json, with its `Content-Type`. */
export interface PublishedFile {
  path: string;
  bytes: number;
  sha256: string;
  type: string;
}

/** The last build of a checkout, read from its output. */
export interface Build {
  rules: EdgeRules;
  files: ReadonlyMap<string, PublishedFile>;
  /** SHA-256 of manifest.json. */
  manifest: string;
  /** The list document, in the order of `rules.themes`. */
  list: readonly ThemeRecord[];
  /** A sample key for each theme, by theme; empty if the mapping is keyed. */
  samples: Readonly<Record<KeyKind, ReadonlyMap<string, string>>>;
  /** A key with a capital letter, and one that web frameworks percent-encode, if the mapping has them. */
  unusual?: readonly (SearchedKey & { theme: string })[];
  /** The commit of the build, if it was made in a repository. */
  commit?: string | undefined;
  /** The keys that the caller asked for, with their themes; undefined for keys that are not mapped. */
  named: readonly (SearchedKey & { theme: string | undefined })[];
  /** The declared hostnames, at most `MAX_HOSTNAMES`. */
  hostnames: readonly DeclaredHostname[];
  /** The declared hostname that is the host of the URL, if any. */
  here?: DeclaredHostname | undefined;
  /** Files of `edge/`, which must not be public. */
  privateFiles: readonly string[];
  /** The README that explains the rules of the hosts, such as `edge/nginx/README.md`. */
  rulesAt: string;
  hosts: readonly string[];
}

export function defaultTheme({ rules, list }: Build): string {
  return rules.themes[list.findIndex(({ is_default }) => is_default)] ?? '';
}
