import type { Capabilities } from '../hosts/adapter.ts';
import { CONFIG, type Endpoint, LIST } from '../document/endpoint.ts';
import type { EdgeEndpoint } from '../edge-runtime/rules.ts';
import type { Secret } from '../hosts/credentials.ts';
import type { Build } from '../hosts/published-build.ts';
import type { HttpResponse } from '../http/exchange.ts';

/** What is verified. */
export interface Deployment {
  /** The part before `/api/v2/theme/`, without trailing slash. */
  url: string;
  build: Build;
  /** Reads the secrets that the host shares. */
  secret?: Secret;
  /** How this command is typed, in hints: `npx themecast verify`. */
  command?: string | undefined;
  /** Headers that the caller handed over to ask CONFIG with, as the one user or group that the build names. */
  given?: Readonly<Record<string, string>> | undefined;
  /** The host that may be sent credentials, besides that of `base_url`. */
  credentialsTo?: string | undefined;
  /** What the host can do, if it is known; without, it is held to the whole contract. */
  capabilities?: Capabilities | undefined;
}

export type Kind = EdgeEndpoint['kind'];

export const ENDPOINTS: Readonly<Record<Kind, Endpoint>> = { list: LIST, config: CONFIG };

/** The responses to GET, of the endpoints that respond: other methods and renderings are compared with them. */
export type Gets = Readonly<Partial<Record<Kind, HttpResponse>>>;

/** The endpoints that respond. */
export function kindsOf(gets: Gets): Kind[] {
  return Object.keys(gets) as Kind[];
}

/** LIST and CONFIG, as messages call them. */
export function title(kind: Kind): string {
  return kind.toUpperCase();
}

/** A theme as messages name it: its slug and id. */
export function themeName({ rules, list }: Build, slug: string): string {
  const record = list[rules.themes.indexOf(slug)];
  return record === undefined ? slug : `${slug} (${record.id})`;
}

/** The first item of each key. */
export function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}
