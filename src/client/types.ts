/**
 * The variant of a logo that a mode shows. Sites may add values: show the normal logo for any value that you do not know, as `logoFor`
 * does.
 */
export type LogoType = 'NORMAL' | 'INVERSE' | (string & {});

/** Alignment of the logo. Sites may add values: align left for any value that you do not know. */
export type LogoAlignment = 'left' | 'center' | 'right' | (string & {});

/** An image with its thumbnail. */
export interface ImageSet {
  /** Absolute URL of the image: PNG, JPEG, WebP, AVIF, GIF or SVG. */
  original: string;
  /** Absolute URL of the thumbnail: a bitmap, unless the theme refers to one by URL. */
  thumbnail: string;
}

/**
 * The theme record. All fields are present and none is `null`. Images are absolute URLs, lengths
 * are in CSS pixels: density-independent, pt or dp in apps. A later version may add fields; it never removes, renames or retypes a field.
 */
export interface ThemeRecord {
  /** Unique and permanent number of the theme: a whole number, at least 1. */
  id: number;
  /** Short name of the theme: one line of 1 to 100 characters of any script. */
  name: string;
  /** URL of the icon in the browser tab, square: ICO, PNG, JPEG, WebP, AVIF, GIF or SVG. */
  favicon: string;
  /** URL of the logo for light backgrounds: PNG, JPEG, WebP, AVIF, GIF or SVG, like all logos. */
  logo: string;
  /** URL of the light-on-dark variant of the logo. */
  logo_inverse: string;
  /** URL of the compact logo for light backgrounds. */
  compact_logo: string;
  /** URL of the light-on-dark variant of the compact logo. */
  compact_logo_inverse: string;
  /** The logo of the site. Its thumbnail fits 250×250 pixels. */
  logo_site: ImageSet;
  /** The variant of the logo that light mode shows. */
  light_mode_logo_type: LogoType;
  /** The variant of the logo that dark mode shows. */
  dark_mode_logo_type: LogoType;
  /** Alignment of the logo. */
  logo_alignment: LogoAlignment;
  /** Height of the logo, in CSS pixels: 1 to 2000. */
  logo_height: number;
  /** Margin to the left of the logo, in CSS pixels: 0 to 2000. */
  logo_margin_left: number;
  /** Margin above the logo, in CSS pixels: 0 to 2000. */
  logo_margin_top: number;
  /** The variant of the compact logo that light mode shows. */
  compact_light_mode_logo_type: LogoType;
  /** The variant of the compact logo that dark mode shows. */
  compact_dark_mode_logo_type: LogoType;
  /** Width and height of the compact logo, in CSS pixels: 1 to 2000. */
  compact_logo_size: number;
  /** The default banner for groups. Its thumbnail fits 2200×2200 pixels. */
  default_group_banner: ImageSet;
  /** The default banner for events. Its thumbnail fits 2200×2200 pixels. */
  default_event_banner: ImageSet;
  /** The default banner for user profiles. Its thumbnail fits 2200×2200 pixels. */
  default_user_profile_banner: ImageSet;
  /** Whether anonymous and unknown users get this theme; true in exactly one theme of the list. */
  is_default: boolean;
  /** Nine colours as `hsl(210,45%,50%)`, with whole numbers: degrees from 0 to 359, and percentages. Empty in the config response. */
  palette_preview: string[];
}

/** A PNG, with its size in pixels. */
export interface Bitmap {
  url: string;
  width: number;
  height: number;
}

/** A colour in the Design Tokens format 2025.10. */
export interface ColourValue {
  colorSpace: 'srgb';
  /** Red, green and blue, from 0 to 1. */
  components: [number, number, number];
  /** The same as `#rrggbb`. */
  hex: string;
}

/** A colour, and the colour of readable text on it: black or white. */
export interface ThemeColour {
  colour: ColourValue;
  text: ColourValue;
}

/** A theme as mails and native apps need it. Images that the theme refers to by URL are absent. */
export interface ThemeAssets {
  /** Short name of the theme. */
  name: string;
  /** Within 600×200 pixels; compact logos within 256×256. */
  logos: {
    logo?: Bitmap;
    logo_inverse?: Bitmap;
    compact_logo?: Bitmap;
    compact_logo_inverse?: Bitmap;
  };
  /** Square, at most 192 pixels. For web apps at most 512, also on a background that masks may cut. */
  icons: { icon: Bitmap; large_icon?: Bitmap; maskable_icon?: Bitmap };
  /** Which of the logos each mode shows. */
  modes: Record<
    'light' | 'dark',
    { logo: 'logo' | 'logo_inverse'; compact_logo: 'compact_logo' | 'compact_logo_inverse' }
  >;
  palette: ThemeColour[];
  /** Colours of the palette, by the names that the site has for them. */
  roles: Record<string, ThemeColour>;
  /** The palette and the roles of dark mode, if they differ. */
  palette_dark?: ThemeColour[];
  roles_dark?: Record<string, ThemeColour>;
}

/** `assets.json`: every theme by its id. */
export type Assets = Record<string, ThemeAssets>;

/** Storage for the last valid responses: `localStorage`, or anything like it. It may throw. */
export interface ThemeStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The part of `fetch` that the client needs. `signal` is an `AbortSignal`, of which each platform has another type. */
export type ThemeFetch = (
  url: string,
  init: { headers: Record<string, string>; redirect: 'manual'; signal: never; credentials?: 'include' },
) => Promise<{ status: number; headers: { get(name: string): string | null }; json(): Promise<unknown> }>;

export interface ThemeClientOptions {
  /** The address of the service: the URL before `/api/v2/theme/`. */
  baseUrl: string;
  /** The theme until there is a usable response. Its settings also replace settings that a response lacks. */
  fallback: ThemeRecord;
  /** The theme that the server has rendered the page with: replaces the stored theme until a response arrives. */
  initial?: ThemeRecord | undefined;
  /** Default: `localStorage` in a page, memory elsewhere. `null` selects memory. */
  storage?: ThemeStorage | null | undefined;
  /** Default: the global `fetch`. Wrap it to send a token. */
  fetch?: ThemeFetch | undefined;
  /** Milliseconds for a whole response. Default: 3000. */
  timeout?: number | undefined;
  /** Called with the reason, for logs, when a response is unusable: `Error: Status 500, or not JSON`. */
  onProblem?: ((reason: string) => void) | undefined;
}

export interface ThemeClient {
  /** Returns the last valid theme, or the fallback, without a request: the same object until it changes, as `useSyncExternalStore` needs. */
  last(): ThemeRecord;
  /** Returns the theme of the requesting user: from the network, else the last valid theme, else the fallback. Never rejects. */
  current(): Promise<ThemeRecord>;
  /** Returns all themes in the same way; only the fallback if there was no usable response. Never rejects. */
  list(): Promise<ThemeRecord[]>;
  /** Returns one theme, whoever is asking: before a log-in, in a preview. From the network, else its last valid value, else the fallback. Never rejects. */
  themeById(id: number): Promise<ThemeRecord>;
  /** Calls back at once with the last valid theme or the fallback, then after each change; also sends a request. @returns a function that stops it */
  subscribe(listener: (theme: ThemeRecord) => void): () => void;
  /** Deletes the stored responses and drops pending ones. Call it after a user has logged in or out. */
  clear(): void;
}

/** Selects a logo. Default: the logo of light mode. */
export interface LogoChoice {
  mode?: 'light' | 'dark' | undefined;
  compact?: boolean | undefined;
}
