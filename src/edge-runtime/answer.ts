import { handle, type Platform } from './handler.ts';
import { notFound } from './responses.ts';
import { fetchJwks } from './jwks.ts';
import { media } from './media.ts';
import type { RuntimeRules } from './rules.ts';

/** What a platform with `fetch` handlers provides: that of {@link Platform}, and images, unless it serves them itself. */
export interface FetchPlatform extends Omit<Platform, 'isTrusted' | 'jwks'> {
  jwks?: Platform['jwks'];
  /** Fetches a published file by its path from the root of `dist/`, as the preconditions of the request say. */
  image?: (path: string) => Promise<Response>;
}

/** Responds to a request for the theme service, on any platform with `fetch` handlers: 404 outside of it. */
export async function answer(request: Request, rules: RuntimeRules, platform: FetchPlatform): Promise<Response> {
  const { image } = platform;
  // These platforms know the address of the visitor, or one that a client could forge, and never that of a proxy.
  const response = await handle(request, rules, { jwks: fetchJwks, ...platform, isTrusted: () => false });
  return response ?? (image === undefined ? notFound(rules) : media(request, rules, image));
}
