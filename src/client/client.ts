import type { LogoChoice, ThemeClient, ThemeClientOptions, ThemeFetch, ThemeRecord, ThemeStorage } from './types.ts';

export type * from './types.ts';

// What is used of the platform. Browsers, workers, Node.js and Deno have it, each with types of its own.
declare const AbortSignal: { timeout(ms: number): { addEventListener(type: 'abort', call: () => void): void } };
declare const URL: new (url: string) => { protocol: string; origin: string };
declare const queueMicrotask: (call: () => void) => void;
declare const document: object | undefined;
declare const localStorage: ThemeStorage;
declare const location: { origin: string };

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
  const { storage = attempt(() => (typeof document === 'undefined' ? null : localStorage)) } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  const listeners = new Set<{ call: (theme: ThemeRecord) => void }>();

  /** One of the two documents: its last good value, and the request under way. */
  function resource<T>(path: string, init: object, parse: (value: unknown) => T | undefined, changed = () => {}) {
    const key = `themecast:${base}${path}`;
    const kept = attempt(() => JSON.parse(storage?.getItem(key) ?? '') as { etag?: unknown; value?: unknown });
    let last = attempt(() => parse(kept?.value));
    let etag = kept?.etag;
    let running: Promise<void> | undefined;

    async function request(signal: unknown) {
      const condition = last && typeof etag === 'string' ? { 'If-None-Match': etag } : {};
      const headers = { Accept: 'application/json', ...condition };
      const reply = await fetch(base + path, { ...init, headers, redirect: 'manual', signal: signal as never });
      const isJson = /^application\/json *(?:;|$)/i.test(reply.headers.get('Content-Type') ?? '');
      return reply.status === 200 && isJson ? { value: parse(await reply.json()), reply } : undefined;
    }
    async function update(isDropped: () => boolean) {
      const signal = AbortSignal.timeout(timeout);
      const late = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
      const { value, reply } = (await Promise.race([request(signal), late])) ?? {};
      if (value === undefined || isDropped()) return;
      const isNew = JSON.stringify(value) !== JSON.stringify(last);
      [last, etag] = [value, reply?.headers.get('ETag')];
      attempt(() => storage?.setItem(key, JSON.stringify({ etag, value })));
      if (isNew) changed();
    }
    async function load() {
      const mine: Promise<void> = (running ??= update(() => running !== mine).catch(() => undefined));
      await mine;
      if (running === mine) running = undefined;
      return last;
    }
    function clear() {
      running = last = etag = undefined;
      attempt(() => storage?.removeItem(key));
    }
    return { last: () => last, load, clear };
  }

  const one = (value: unknown) => usable(value, fallback, base);
  const some = (value: unknown) => {
    const themes = (value as unknown[]).flatMap((each) => one(each) ?? []);
    return themes.length > 0 ? themes : undefined;
  };
  // As microtasks: an error of a listener is its own, as with events.
  const notify = (): void => listeners.forEach(({ call }) => queueMicrotask(() => call(config.last() ?? fallback)));
  const config = resource('/api/v2/theme/config/', { credentials: 'include' }, one, notify);
  const list = resource('/api/v2/theme/', {}, some);
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
    clear: () => [config.clear, list.clear, notify].forEach((step) => step()),
  };
}

/** A record with `id`, `name` and images that a page may load. Settings that it lacks are those of the fallback. */
function usable(value: unknown, fallback: ThemeRecord, base: string): ThemeRecord | undefined {
  const given = (value ?? {}) as Partial<ThemeRecord>;
  const sets = SETS.flatMap((field) => [given[field]?.original, given[field]?.thumbnail]);
  const isComplete = Number.isInteger(given.id) && typeof given.name === 'string';
  const isSafe = [...IMAGES.map((field) => given[field]), ...sets].every((url) => mayLoad(url, base));
  const lacking = Object.entries(fallback).filter(([field, own]) => typeof given[field as 'id'] !== typeof own);
  const colours = Array.isArray(given.palette_preview) ? given.palette_preview : [];
  const palette_preview = colours.filter((colour) => COLOUR.test(colour));
  const theme = { ...fallback, ...given, ...Object.fromEntries(lacking), palette_preview };
  return isComplete && isSafe ? theme : undefined;
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
