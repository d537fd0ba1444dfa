import { fileName } from '../../core/edge-runtime/handler.ts';
import type { EdgeEndpoint, IdentityRule } from '../../core/edge-runtime/rules.ts';
import type { Capabilities } from '../../hosts/adapter/adapter.ts';
import type { Secret } from '../../hosts/contract/credentials.ts';
import { type Build, defaultTheme } from '../../hosts/contract/published-build.ts';
import type { HttpResponse } from '../../system/http/exchange.ts';
import type { CheckId } from './checks.ts';

export type Kind = EdgeEndpoint['kind'];
export type Headers = Readonly<Record<string, string>>;

/** The deployment to verify, and the build to compare it with. */
export interface Deployment {
  /** The part before `/api/v2/theme/`, without trailing slash. */
  url: string;
  build: Build;
  /** Reads the secrets that the host shares. */
  secret?: Secret;
  /** Headers from the caller, to request CONFIG as the one user or group in `build.named`. */
  credentials?: Headers | undefined;
  /** The declared limits of the host. Without them, the whole contract applies. */
  capabilities?: Capabilities | undefined;
  /** Checks whose faults the caller tolerates. */
  tolerated?: ReadonlySet<CheckId>;
  /** Files of users below `themes/`, which must not be public. */
  usersFiles?: readonly string[];
  /** The addresses of the host, if there are several. */
  addresses?: readonly string[];
}

/** A client of the service. Its name contains at most the beginning of a user key, because messages end up in logs. */
export interface Requester {
  name: string;
  /** Its credentials. They are sent to the service, never to another origin. */
  headers: Headers;
  /** The right theme for this client. */
  theme: string;
  /** The identity rule that matches; none for anonymous clients and for credentials from the caller. */
  rule?: IdentityRule;
  /** The check that fails with another theme, and its hint. Default: `config/theme` */
  id?: CheckId;
  hint?: string;
  /** Whether another server may respond, or the host reject the request. */
  isOdd?: boolean;
}

export function themeName({ rules, list }: Build, slug: string): string {
  const record = list[rules.themes.indexOf(slug)];
  return record === undefined ? slug : `${slug} (${record.id})`;
}

/** Finds the theme of this build whose document equals a response of CONFIG, byte for byte. */
export function themeOf({ files, rules }: Build, { sha256 }: HttpResponse, rendering = 'json'): string | undefined {
  const { folder, renderings } = rules.endpoints.config;
  const published = renderings.find(({ name }) => name === rendering);
  return (
    published && rules.themes.find((slug) => files.get(folder.slice(1) + fileName(published, slug))?.sha256 === sha256)
  );
}

export function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size);
}

/** Returns the theme of anonymous clients: the theme declared for the hostname of the URL, or the default theme. */
export function anonymousTheme(build: Build): string {
  return build.here?.theme ?? defaultTheme(build);
}

/** Returns the theme of a client with a key of a rule. An earlier rule that reads the hostname of the URL takes precedence. */
export function themeByRule(build: Build, rule: IdentityRule, theme: string | undefined): string {
  const { here } = build;
  if (theme === undefined) return anonymousTheme(build);
  return here !== undefined && here.rule < build.rules.identity.indexOf(rule) ? here.theme : theme;
}

/** Whether a URL leads to this machine. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether requests to a URL are encrypted, or stay within this machine. */
export function isConfidential(url: string): boolean {
  return new URL(url).protocol === 'https:' || isLoopback(url);
}
