import type { IdentityRule } from '../edge-runtime/rules.ts';
import { fileName } from '../edge-runtime/handler.ts';
import type { Capabilities } from '../hosts/adapter.ts';
import type { Secret } from '../hosts/credentials.ts';
import { type Build, defaultTheme } from '../hosts/published-build.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { ENDPOINTS, type Headers, type Kind, type Probe } from '../probe/table.ts';
import type { CheckId } from './checks.ts';

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
  given?: Headers | undefined;
  /** The host that may be sent credentials, besides that of `base_url`. */
  credentialsTo?: string | undefined;
  /** What the host can do, if it is known; without, it is held to the whole contract. */
  capabilities?: Capabilities | undefined;
  /** Files of the checkout that must not be public, below `themes/`, with how they begin. */
  checkout?: Build['privateFiles'];
  /** The addresses of the host, if there are several. */
  addresses?: readonly string[];
}

/** A requester, a rendering of CONFIG, and the response to it. */
export interface Responded {
  probe: Probe;
  requester: Requester;
  response: HttpResponse;
}

/** A client that asks CONFIG. Its name has at most the beginning of a user key, because messages end up in logs. */
export interface Requester {
  name: string;
  headers: Headers;
  /** The theme that it must get. */
  theme: string;
  /** The identity rule that matches; none for anonymous clients and for given credentials. */
  rule?: IdentityRule;
  /** The check that fails with another theme, and what that means. Default: `config/as-user` */
  id?: CheckId;
  hint?: string;
  /** Whether another server may respond, or the host reject the request. */
  isOdd?: boolean;
}

/** A theme as messages name it: its slug and id. */
export function themeName({ rules, list }: Build, slug: string): string {
  const record = list[rules.themes.indexOf(slug)];
  return record === undefined ? slug : `${slug} (${record.id})`;
}

/** The SHA-256 of the published file of a rendering; of CONFIG, of a theme. */
export function digestOf({ files, rules }: Build, kind: Kind, rendering: string, theme?: string): string | undefined {
  const published = rules.endpoints[kind].renderings.find(({ name }) => name === rendering);
  return published && files.get(ENDPOINTS[kind].path.slice(1) + fileName(published, theme))?.sha256;
}

/** The theme of this build whose document a response of CONFIG holds, byte for byte. */
export function themeOf(build: Build, { sha256 }: HttpResponse, rendering = 'json'): string | undefined {
  return build.rules.themes.find((slug) => digestOf(build, 'config', rendering, slug) === sha256);
}

/** The first item of each key. */
export function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size);
}

/** The theme of anonymous clients: that of the hostname of the URL, or the default theme. */
export function anonymousTheme(build: Build): string {
  return build.here?.theme ?? defaultTheme(build);
}

/** The theme of a client with a key of a rule: that of the hostname of the URL if an earlier rule reads it. */
export function themeByRule(build: Build, rule: IdentityRule, theme: string | undefined): string {
  const { here } = build;
  if (theme === undefined) return anonymousTheme(build);
  return here !== undefined && here.rule < build.rules.identity.indexOf(rule) ? here.theme : theme;
}

/** Whether a URL leads to this machine. */
export function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether what is sent to a URL is encrypted, or stays within this machine. */
export function isConfidential(url: string): boolean {
  return new URL(url).protocol === 'https:' || isLoopback(url);
}

/**
 * Origins whose pages may not read anything: one that no site lists (RFC 2606), `null` of sandboxed frames and files, which any page can
 * have (Fetch standard, §3.1), and those that begin or end as the first that is listed, for hosts that compare by part.
 */
export function foreignOrigins([listed]: readonly string[]): string[] {
  const all = ['https://themecast-verify.invalid', 'null'];
  if (listed === undefined) return all;
  const { protocol, host } = new URL(listed);
  return [...all, `${listed}.themecast-verify.invalid`, `${protocol}//themecast-verify-${host}`];
}
