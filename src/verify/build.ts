import type { Capabilities } from '../hosts/adapter.ts';
import type { ThemeRecord } from '../document/record.ts';
import { configRecord } from '../document/record.ts';
import type { EdgeEndpoint } from '../edge-runtime/rules.ts';
import type { Secret } from '../hosts/credentials.ts';
import type { Build } from '../hosts/published-build.ts';
import type { Resolution } from '../http/exchange.ts';

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
