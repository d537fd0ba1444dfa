import type { Capabilities } from '../hosts/adapter.ts';
import type { ThemeRecord } from '../document/record.ts';
import { configRecord } from '../document/record.ts';
import type { EdgeEndpoint } from '../edge-runtime/rules.ts';
import type { EdgeRules } from '../hosts/contract.ts';
import type { KeyKind } from '../users/key.ts';
import type { Wanted } from '../users/mapping.ts';
import type { Secret } from '../hosts/credentials.ts';
import type { DeclaredHostname, Resolution } from './hostnames.ts';

/** A published file as manifest.json lists it. */
export interface PublishedFile {
  path: string;
  bytes: number;
  sha256: string;
  type: string;
}

/** The build of this checkout, with which a deployment is compared. */
export interface Build {
  rules: EdgeRules;
  files: ReadonlyMap<string, PublishedFile>;
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

/** What is verified. */
export interface Deployment {
  /** The part before `/api/v2/theme/`, without trailing slash. */
  url: string;
  build: Build;
  /** Reads the secrets that the host shares. */
  secret?: Secret;
  /** Headers that the caller handed over to ask CONFIG with, and whose theme that must give. */
  given?: { headers: Readonly<Record<string, string>>; theme: string } | undefined;
  /** The host that may be sent credentials, besides that of `base_url`. */
  credentialsTo?: string | undefined;
  /** The addresses of the hostname of the URL, if they were looked up. */
  addresses?: readonly string[] | undefined;
  /** Where the declared hostnames lead, if that was looked up. */
  resolved?: ReadonlyMap<string, Resolution> | undefined;
  /** What the host can do, if it is known; without, it is held to the whole contract. */
  capabilities?: Capabilities | undefined;
}

/** The themes as the deployment lists them. */
export interface LiveList {
  records: readonly ThemeRecord[];
  /** Whether they are those of this build. */
  isCurrent: boolean;
}

export type Kind = EdgeEndpoint['kind'];

/** LIST and CONFIG, as messages call them. */
export function title(kind: Kind): string {
  return kind.toUpperCase();
}

/** The slug of the default theme. */
export function defaultTheme({ rules, list }: Build): string {
  return rules.themes[list.findIndex(({ is_default }) => is_default)] ?? '';
}

/** A theme as messages name it: its slug and id. */
export function themeName({ rules, list }: Build, slug: string): string {
  const record = list[rules.themes.indexOf(slug)];
  return record === undefined ? slug : `${slug} (${record.id})`;
}

/** The texts that CONFIG may have for a theme: that of this build, and that of the live list if it is of another build. */
export function configTexts({ rules, list }: Build, live: LiveList, slug: string): string[] {
  const built = list[rules.themes.indexOf(slug)];
  const listed = live.records.find(({ id }) => id === built?.id);
  return [built, listed].flatMap((record) => (record === undefined ? [] : [JSON.stringify(configRecord(record))]));
}
