import type { Capabilities } from '../adapter.ts';
import type { ThemeRecord } from '../../document/record.ts';
import { configRecord } from '../../document/record.ts';
import type { EdgeEndpoint, EdgeRules } from '../../mapping/edge-rules.ts';

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
  users: ReadonlyMap<string, string>;
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
  /** User keys that CONFIG is asked as, because the caller named them. */
  as: readonly string[];
  /** What the host can do, if it is known; without, it is held to the whole contract. */
  capabilities?: Capabilities | undefined;
}

/** The themes as the deployment lists them. */
export interface LiveList {
  records: readonly ThemeRecord[];
  /** Whether they are those of this build. */
  isCurrent: boolean;
  /** Whether themecast published them, this build or another: other services are not sent POST or PUT. */
  isThemecast: boolean;
}

/** Someone who asks CONFIG. */
export interface Requester {
  /** How messages call them: at most the beginning of a user key, for messages are kept in logs. */
  name: string;
  headers: Readonly<Record<string, string>>;
  theme: string;
}

export type Kind = EdgeEndpoint['kind'];

/** LIST and CONFIG, as messages call them. */
export function title(kind: Kind): string {
  return kind.toUpperCase();
}

function defaultTheme({ rules, list }: Build): string {
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

/** Themes whose users are asked for when the caller names nobody. */
const SAMPLES = 2;

/**
 * Whom CONFIG is asked as: the users that the caller named, or one user of each of two themes.
 * Nobody's key is sent unasked to a site that does not serve this build.
 */
export function requesters({ build, as }: Deployment, live: LiveList): Requester[] {
  const named = as.map((user, index) => requester(build, user, index + 1));
  if (named.length > 0 || !live.isCurrent || cookieName(build) === undefined) return named;
  const samples = new Map<string, string>();
  for (const [user, theme] of build.users) {
    if (samples.size === SAMPLES) break;
    if (!samples.has(theme)) samples.set(theme, user);
  }
  return [...samples.values()].map((user) => requester(build, user));
}

/** The cookie that identity reads first; nothing if it reads only headers, which trusted proxies alone may send. */
export function cookieName({ rules }: Build): string | undefined {
  const rule = rules.identity.find(({ names, credential }) => names === 'user' && credential.from === 'cookie');
  return rule?.credential.from === 'cookie' ? rule.credential.name : undefined;
}

/** Nobody: the requester of the default theme. */
export function anonymous(build: Build): Requester {
  return { name: 'anonymous', headers: {}, theme: defaultTheme(build) };
}

/** @param position - among the users whom the caller named, from 1 */
function requester(build: Build, user: string, position?: number): Requester {
  const cookie = cookieName(build);
  const rule = build.rules.identity.find(({ names, credential }) => names === 'user' && credential.from === 'header');
  const header = rule?.credential.from === 'header' ? { [rule.credential.name]: user } : {};
  return {
    name: position === undefined ? masked(user) : `user ${position} (${masked(user)})`,
    headers: cookie === undefined ? header : { Cookie: `${cookie}=${user}` },
    theme: build.users.get(user) ?? defaultTheme(build),
  };
}

/** As much of a user key as a log may hold. */
function masked(user: string): string {
  return user.length > 5 ? `${user.slice(0, 2)}…` : '…';
}
