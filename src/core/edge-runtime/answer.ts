import { handle, type Platform } from './handler.ts';
import { notFound } from './responses.ts';
import { fetchJwks } from './jwks.ts';
import { media } from './media.ts';
import type { RuntimeRules } from './rules.ts';

/** The functions that a platform with `fetch` handlers provides: a {@link Platform}, and images unless it serves them itself. */
export interface FetchPlatform extends Omit<Platform, 'isTrusted' | 'jwks'> {
  jwks?: Platform['jwks'];
  /** Fetches a published file by its path from the root of `dist/`, with the preconditions of the request. */
  image?: (path: string) => Promise<Response>;
}

/** Responds to a request for the theme service, on any platform with `fetch` handlers; other paths get 404. */
export async function answer(request: Request, rules: RuntimeRules, platform: FetchPlatform): Promise<Response> {
  const { image } = platform;
  // These platforms see the visitor's address, which a client could forge, and never a proxy's address.
  const response = await handle(request, rules, { jwks: fetchJwks, ...platform, isTrusted: () => false });
  return response ?? (image === undefined ? notFound(rules) : media(request, rules, image));
}
