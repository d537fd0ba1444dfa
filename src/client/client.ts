import type { LogoChoice, ThemeClient, ThemeClientOptions, ThemeFetch, ThemeRecord, ThemeStorage } from './types.ts';

export type * from './types.ts';

// What is used of the platform. Browsers, workers, Node.js and Deno have it, each with types of its own.
declare const AbortSignal: { timeout(ms: number): { addEventListener(type: 'abort', call: () => void): void } };
declare const URL: new (url: string) => { protocol: string; origin: string };
declare const document: object | undefined, localStorage: ThemeStorage, location: { origin: string };
declare function queueMicrotask(call: () => void): void;
declare function addEventListener(type: 'storage', call: (event: { key: unknown; newValue: unknown }) => void): void;

const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/;
const COLOUR = /^hsl\(\d{1,3},\d{1,3}%,\d{1,3}%\)$/;
const IMAGES = ['favicon', 'logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'] as const;
const SETS = ['logo_site', 'default_group_banner', 'default_event_banner', 'default_user_profile_banner'] as const;

/** The URL of the logo that a mode shows: the inverse variant for `INVERSE`, the normal one for any other value. */
export function logoFor(theme: ThemeRecord, { mode = 'light', compact = false }: LogoChoice = {}): string {
  const type = compact ? theme[`compact_${mode}_mode_logo_type`] : theme[`${mode}_mode_logo_type`];
  return theme[`${compact ? 'compact_' : ''}logo${type === 'INVERSE' ? '_inverse' : ''}`];
}

/** Its methods neither throw nor reject: without a usable response, they give the last good one, or the fallback. */
export function createThemeClient(options: ThemeClientOptions): ThemeClient {
  const { fallback, timeout = 3000, fetch = (globalThis as unknown as { fetch: ThemeFetch }).fetch } = options;
  const { onProblem, storage = attempt(() => (typeof document === 'undefined' ? null : localStorage)) } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  const report = (reason: unknown): void => attempt(() => onProblem?.(String(reason)));
  const listeners = new Set<{ call: (theme: ThemeRecord) => void }>();

  /** One of the two documents: its last good value, and the request under way. */
  function resource<T>(path: string, init: object, parse: (value: unknown) => T, changed = () => {}) {
    const key = `themecast:${base}${path}`;
    const kept = attempt(() => JSON.parse(storage?.getItem(key) ?? '') as { etag?: unknown; value?: unknown });
    let last = attempt(() => parse(kept?.value));
    let etag = last && kept?.etag;
    let running: Promise<void> | undefined;

    async function request(signal: unknown) {
      const headers = { Accept: 'application/json', ...(typeof etag === 'string' ? { 'If-None-Match': etag } : {}) };
      const reply = await fetch(base + path, { ...init, headers, redirect: 'manual', signal: signal as never });
      const isJson = /^application\/json *(?:;|$)/i.test(reply.headers.get('Content-Type') ?? '');
      if (reply.status === 200 ? !isJson : reply.status !== 304) throw new Error(`Status ${reply.status}, or not JSON`);
      return reply.status === 304 ? undefined : { value: parse(await reply.json()), reply };
    }
    async function update(isDropped: () => boolean) {
      const signal = AbortSignal.timeout(timeout);
      const late = new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(new Error('Timeout'))));
      const { value, reply } = (await Promise.race([request(signal), late])) ?? {};
      if (value === undefined || isDropped()) return;
      if (JSON.stringify(value) !== JSON.stringify(last)) changed();
      [last, etag] = [value, reply?.headers.get('ETag')];
      attempt(() => storage?.setItem(key, JSON.stringify({ etag, value })));
    }
    async function load() {
      const mine: Promise<void> = (running ??= update(() => running !== mine).catch(report));
      await mine;
      if (running === mine) running = undefined;
      return last;
    }
    function clear() {
      running = last = etag = undefined;
      attempt(() => storage?.removeItem(key));
    }
    return { key, last: () => last, load, clear };
  }

  const one = (value: unknown) => usable(value, fallback, base);
  const some = (value: unknown) => {
    const themes = (value as unknown[]).flatMap((each) => attempt(() => one(each)) ?? []);
    return themes.length > 0 ? themes : [one(undefined)];
  };
  // As microtasks: an error of a listener is its own, as with events.
  const notify = (): void => listeners.forEach(({ call }) => queueMicrotask(() => call(config.last() ?? fallback)));
  const config = resource('/api/v2/theme/config/', { credentials: 'include' }, one, notify);
  const list = resource('/api/v2/theme/', {}, some);
  const clear = (): void => [config.clear, list.clear, notify].forEach((step) => step());
  // A log-out in another tab: a response under way in this one may be of the user who left.
  attempt(() => document && addEventListener)?.('storage', ({ key, newValue }) => {
    if (key === config.key && newValue === null) [clear, config.load].forEach((step) => step());
  });
  return {
    current: async () => (await config.load()) ?? fallback,
    list: async () => (await list.load()) ?? [fallback],
    subscribe(call) {
      const listener = { call };
      listeners.add(listener);
      call(config.last() ?? fallback);
      void config.load();
      return () => void listeners.delete(listener);
    },
    clear,
  };
}

/** A record with `id`, `name` and images that a page may load. Settings that it lacks are those of the fallback. */
function usable(value: unknown, fallback: ThemeRecord, base: string): ThemeRecord {
  const given = (value ?? {}) as Partial<ThemeRecord>;
  const sets = SETS.flatMap((field) => [given[field]?.original, given[field]?.thumbnail]);
  const isComplete = Number.isInteger(given.id) && Number(given.id) > 0 && given.name && typeof given.name === 'string';
  const isSafe = [...IMAGES.map((field) => given[field]), ...sets].every((url) => mayLoad(url, base));
  if (!isComplete || !isSafe) throw new Error('Not a theme: id, name or an image by https is missing');
  const lacking = Object.entries(fallback).filter(([field, own]) => typeof given[field as 'id'] !== typeof own);
  const palette_preview = [given.palette_preview ?? []].flat().filter((colour) => COLOUR.test(colour));
  return { ...fallback, ...given, ...Object.fromEntries(lacking), palette_preview };
}

/** Whether a page may load a URL: by https, from its own origin, or from this machine if the service is there. */
function mayLoad(text: unknown, base: string): boolean {
  const { protocol, origin = '' } = attempt(() => new URL(text as string)) ?? {};
  const isNear = origin === attempt(() => location.origin) || (LOOPBACK.test(base) && LOOPBACK.test(origin));
  return typeof text === 'string' && (protocol === 'https:' || (protocol === 'http:' && isNear));
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
