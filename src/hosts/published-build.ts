import type { ThemeRecord } from '../document/record.ts';
import type { KeyKind } from '../users/key.ts';
import type { Wanted } from '../users/mapping.ts';
import type { EdgeRules } from './contract.ts';
import type { DeclaredHostname } from './hostnames.ts';

/** A published file as manifest.json lists it. */
export interface PublishedFile {
  path: string;
  bytes: number;
  sha256: string;
  type: string;
}

/** The last build of a checkout, as it is read from its output. */
export interface Build {
  rules: EdgeRules;
  files: ReadonlyMap<string, PublishedFile>;
  /** SHA-256 of manifest.json. */
  manifest: string;
  /** The list document, in the order of `rules.themes`. */
  list: readonly ThemeRecord[];
  /** One key of each theme that the mapping gives to any, by theme; none where the mapping is keyed. */
  samples: Readonly<Record<KeyKind, ReadonlyMap<string, string>>>;
  /** The themes of the keys that the caller named; none for one that the mapping does not have. */
  named: readonly (Wanted & { theme: string | undefined })[];
  /** The declared hostnames, at most `MAX_HOSTNAMES`. */
  hostnames: readonly DeclaredHostname[];
  /** That of the URL, if it is declared. */
  here?: DeclaredHostname | undefined;
  /** Files that must not be public, with how they begin. */
  privateFiles: readonly { path: string; start: string }[];
  /** Where the rules of the hosts are explained, like `edge/nginx/README.md`. */
  rulesAt: string;
  /** The hosts that it has rules for. */
  hosts: readonly string[];
}

/** The slug of the default theme. */
export function defaultTheme({ rules, list }: Build): string {
  return rules.themes[list.findIndex(({ is_default }) => is_default)] ?? '';
}
