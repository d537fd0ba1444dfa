import type { LogoChoice, ThemeClient, ThemeClientOptions, ThemeFetch, ThemeRecord, ThemeStorage } from './types.ts';

export type * from './types.ts';

// The parts of the platform that the client uses. Browsers, workers, Node.js and Deno have them, each with other types.
declare const AbortController: new () => { signal: unknown; abort(): void };
declare const URL: new (url: string) => { protocol: string; origin: string; href: string };
declare const setTimeout: (call: () => void, ms: number) => unknown, clearTimeout: (timer: unknown) => void;
declare const document: object | undefined, localStorage: ThemeStorage, location: { origin: string };
declare function queueMicrotask(call: () => void): void;
declare function addEventListener(type: 'storage', call: (event: { key: unknown; newValue: unknown }) => void): void;

const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/;
const COLOUR = /^hsl\(\d{1,3},\d{1,3}%,\d{1,3}%\)$/;
const UNUSABLE = 'Not a theme: id, name or an image by https is missing';
const IMAGES = ['favicon', 'logo', 'logo_inverse', 'compact_logo', 'compact_logo_inverse'] as const;
const SETS = ['logo_site', 'default_group_banner', 'default_event_banner', 'default_user_profile_banner'] as const;

/** Returns the URL of the logo that a mode shows: the inverse variant for `INVERSE`, the normal variant for any other value. */
export function logoFor(theme: ThemeRecord, { mode = 'light', compact = false }: LogoChoice = {}): string {
  const type = compact ? theme[`compact_${mode}_mode_logo_type`] : theme[`${mode}_mode_logo_type`];
  return theme[`${compact ? 'compact_' : ''}logo${type === 'INVERSE' ? '_inverse' : ''}`];
}

/** Makes a client. Its methods never throw or reject: without a usable response, they return the last valid theme, or the fallback. */
export function createThemeClient(options: ThemeClientOptions): ThemeClient {
  const { fallback, timeout = 3000, fetch = (globalThis as unknown as { fetch: ThemeFetch }).fetch } = options;
  const { onProblem, storage = attempt(() => (typeof document === 'undefined' ? null : localStorage)) } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  const report = (reason: unknown): void => attempt(() => onProblem?.(String(reason)));
  const listeners = new Set<{ call: (theme: ThemeRecord) => void }>();

  /** Reads one of the two documents, and keeps its last valid value and the pending request. */
  function resource<T>(path: string, init: object, parse: (value: unknown) => T, changed = () => {}, initial?: T) {
    const key = `themecast:${base}${path}`;
    const stored = attempt(() => JSON.parse(storage?.getItem(key) ?? '') as { etag?: unknown; value?: unknown });
    let last = initial ?? attempt(() => parse(stored?.value));
    let etag = last && !initial && stored?.etag;
    let running: Promise<void> | undefined;

    async function request(signal: unknown) {
      const headers = { Accept: 'application/json', ...(typeof etag === 'string' ? { 'If-None-Match': etag } : {}) };
      const reply = await fetch(base + path, { ...init, headers, redirect: 'manual', signal: signal as never });
      const isJson = /^application\/json *(?:;|$)/i.test(reply.headers.get('Content-Type') ?? '');
      if (reply.status === 200 ? !isJson : reply.status !== 304) throw new Error(`Status ${reply.status}, or not JSON`);
      return reply.status === 304 ? undefined : { value: parse(await reply.json()), etag: reply.headers.get('ETag') };
    }
    async function update(isDropped: () => boolean) {
      const controller = new AbortController();
      let timer: unknown; // Node.js exits while it waits for `AbortSignal.timeout`, but not while it waits for a timer.
      const late = new Promise<never>((_, fail) => (timer = setTimeout(() => fail(new Error('Timeout')), timeout)));
      late.catch(() => controller.abort());
      const reply = await Promise.race([request(controller.signal), late]).finally(() => clearTimeout(timer));
      if (reply === undefined || isDropped()) return;
      const { value } = reply;
      etag = reply.etag;
      attempt(() => storage?.setItem(key, JSON.stringify({ etag, value })));
      // An equal value keeps the same object, so that callers can compare objects.
      if (JSON.stringify(value) === JSON.stringify(last)) return;
      last = value;
      changed();
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

  const record = (value: unknown): ThemeRecord => usable(value, fallback, base);
  const records = (value: unknown) => {
    const valid = (value as unknown[]).flatMap((each) => attempt(() => record(each)) ?? []);
    return valid.length > 0 ? valid : [record(undefined)];
  };
  const last = (): ThemeRecord => config.last() ?? fallback;
  // As microtasks, so that an error in one listener does not stop the others, as with events.
  const notify = (): void => listeners.forEach(({ call }) => queueMicrotask(() => call(last())));
  const initial = attempt(() => record(options.initial));
  const config = resource('/api/v2/theme/config/', { credentials: 'include' }, record, notify, initial);
  const list = resource('/api/v2/theme/', {}, records);
  const byId = new Map<number, ReturnType<typeof resource<ThemeRecord>>>();
  const clear = (): void => [config.clear, list.clear, notify].forEach((step) => step());
  // A log-out in another tab, also by `localStorage.clear()`, whose event has no key: a pending response in this tab may still be for the
  // previous user.
  attempt(() => document && addEventListener)?.('storage', ({ key, newValue }) => {
    if (key === null || (key === config.key && newValue === null)) [clear, config.load].forEach((step) => step());
  });
  return {
    last,
    current: async () => (await config.load()) ?? fallback,
    list: async () => (await list.load()) ?? [fallback],
    async themeById(id) {
      const theme = byId.get(id) ?? resource(`/api/v2/theme/${id}/`, {}, record);
      byId.set(id, theme);
      return (await theme.load()) ?? fallback;
    },
    subscribe(call) {
      const listener = { call };
      listeners.add(listener);
      call(last());
      void config.load();
      return () => void listeners.delete(listener);
    },
    clear,
  };
}

/** Returns a record with `id`, `name` and images that a page may load. The fallback replaces settings that are missing. */
function usable(value: unknown, fallback: ThemeRecord, base: string): ThemeRecord {
  const input = (value ?? {}) as Partial<ThemeRecord>;
  const isComplete = Number.isInteger(input.id) && Number(input.id) > 0 && input.name && typeof input.name === 'string';
  if (!isComplete) throw new Error(UNUSABLE);
  const missing = Object.entries(fallback).filter(([field, usual]) => typeof input[field as 'id'] !== typeof usual);
  const theme: ThemeRecord = { ...fallback, ...input, ...Object.fromEntries(missing) };
  for (const field of IMAGES) theme[field] = imageUrl(input[field], base);
  for (const field of SETS) {
    const { original, thumbnail } = input[field] ?? {};
    theme[field] = { ...input[field], original: imageUrl(original, base), thumbnail: imageUrl(thumbnail, base) };
  }
  const colours = [theme.palette_preview].flat();
  theme.palette_preview = colours.filter((colour) => typeof colour === 'string' && COLOUR.test(colour));
  return theme;
}

/** Returns a URL that a page may load: by https, from its own origin, or from this machine if the service runs there. Quotes are escaped. */
function imageUrl(text: unknown, base: string): string {
  const { protocol, origin = '', href = '' } = attempt(() => new URL(text as string)) ?? {};
  const isNear = origin === attempt(() => location.origin) || (LOOPBACK.test(base) && LOOPBACK.test(origin));
  const isSafe = typeof text === 'string' && (protocol === 'https:' || (protocol === 'http:' && isNear));
  if (!isSafe) throw new Error(UNUSABLE);
  return href.replace(/["'()\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
